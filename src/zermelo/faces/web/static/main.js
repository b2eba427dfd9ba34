// The shell of the page: addresses, the views behind them, and what is around all of them.

import { button, h, icon, keep, kept } from "./dom.js";
import { showRun } from "./easel/view.js";
import { showLibrary } from "./library.js";
import { showPlay } from "./play.js";
import { Refused, addDocument, watchLink } from "./server.js";
import { unpack } from "./share.js";

const part = (id) => document.getElementById(id);
const view = part("view");
let leave = () => {};

watchLink((words) => {
  part("link").textContent = words;
  document.body.classList.toggle("is-lost", words !== "");
});

// What nobody expected is said in a sentence, wherever one is.
const trouble = part("trouble");
function sayTrouble(error) {
  if (error?.name === "AbortError") return;
  const words = error instanceof Refused ? error.message : `Something went wrong on this page, and it may not show all there is: ${error?.message ?? error}. Load it anew if it does not go on.`;
  trouble.replaceChildren(h("p", {}, words), button([icon("close"), h("span", { class: "unseen" }, "Close")], () => (trouble.hidden = true), { class: "icon" }));
  trouble.hidden = false;
}
addEventListener("unhandledrejection", (event) => sayTrouble(event.reason));
addEventListener("error", (event) => event.error && sayTrouble(event.error));

// An address is a view, a document, and named values: #/play/pawns?moves=…&tab=rules
export function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  return { name, document: decodeURIComponent(rest.join("/")), values: new URLSearchParams(query ?? "") };
}

function go(where) {
  location.hash = `#/${where}`;
}

async function show() {
  if (await comesIn()) return;
  leave();
  leave = () => {};
  const { name, document: document_, values } = address();
  part("nav").replaceChildren(h("a", { href: "#/", "aria-current": name ? null : "page" }, "Library"));
  if (name === "open") await openLink(values);
  else if (name === "play" && document_) leave = showPlay(view, { document: document_, values, go, nav: part("nav") });
  else if (name === "run" && document_) leave = showRun(view, { document: document_, values, go, nav: part("nav") });
  else await showLibrary(view, { go });
  scrollTo(0, 0);
}

// A link that holds its document.
async function openLink(values) {
  try {
    const text = await unpack(values.get("text") ?? "");
    const name = await addDocument((values.get("name") ?? "linked.md").slice(0, 100), text);
    const where = values.get("view") === "run" ? "run" : "play";
    for (const each of ["text", "name", "view"]) values.delete(each);
    location.replace(`#/${where}/${name}${values.size ? `?${values}` : ""}`);
  } catch {
    view.replaceChildren(h("div", { class: "library" }, h("p", { class: "fault" }, "This link holds no document that could be opened: it may have been cut short on its way.")));
  }
}

// Somebody may put a new address with its token over this page.
async function comesIn() {
  const found = /^#([0-9a-f]{64})(?:\/(.*))?$/.exec(location.hash);
  if (!found) return false;
  await fetch("enter", { method: "POST", body: found[1] });
  location.replace(`#/${found[2] ?? ""}`);
  return true;
}

const THEMES = { "": "dark", dark: "light", light: "" };
function useTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  const words = theme || "as the system has it";
  part("theme").title = part("theme").ariaLabel = `Light or dark: ${words}`;
}
part("theme").addEventListener("click", () => {
  const next = THEMES[kept("theme") ?? ""] ?? "";
  keep("theme", next);
  useTheme(next);
});
useTheme(kept("theme") ?? "");

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  view.focus();
});
addEventListener("hashchange", show);
show();
