// The document beside the board: its text, what there is to say about it, and changes, which are read
// at every pause. While the text is broken the last good board stays.

import { button, h, speak } from "./dom.js";
import * as server from "./server.js";

const PAUSE = 500;

export async function showDocument(game, panel) {
  if (panel.dataset.document === game.name && panel.firstChild) return;
  const found = await server.documentText(game.name);
  panel.dataset.document = game.name;
  // What is changed has another name; where it came from stays the same.
  if (game.name.startsWith("file-")) game.file = game.name;
  const said = h("div", { class: "said-of", role: "status" });
  const place = h("div", { class: "editor" });
  const isLibrary = !/^[0-9a-f]{16}$/.test(game.name) && !game.name.startsWith("file-");
  let text = found.text;
  let timer = 0;

  const onChange = (now) => {
    text = now;
    clearTimeout(timer);
    timer = setTimeout(read, PAUSE);
  };

  async function read() {
    const document_ = await server.addDocument(isLibrary ? `copy of ${found.name}` : found.name, text, /^[0-9a-f]{16}$/.test(game.name) ? game.name : "");
    const info = await server.ask("read", { document: document_, readings: game.readings });
    const errors = info.diagnostics.filter((each) => each.severity === "error").length;
    say(info.diagnostics);
    panel.dataset.document = document_;
    game.parts.board.classList.toggle("is-broken", !info.loaded);
    if (!info.loaded) return game.note([{ indent: 0, pieces: [[`${errors} ${errors === 1 ? "error" : "errors"} in the text; the board is that of the last text that could be read.`, "bad"]] }], "refused");
    // The text can be read: its board takes the place of the old one, with the moves as far as they go.
    Object.assign(game, { name: document_, info, known: new Map(), checked: null });
    game.entitle();
    try {
      await game.show({ isQuiet: true });
    } catch (error) {
      await game.asFarAsItGoes(error.message);
    }
  }

  function say(diagnostics) {
    said.replaceChildren(
      h("p", { class: "soft" }, diagnostics.length ? `${diagnostics.length} ${diagnostics.length === 1 ? "thing" : "things"} to say` : "Nothing to say about it."),
      h("ul", { class: "diagnostics" }, diagnostics.map((each) => h("li", { class: `is-${each.severity}` }, drawDiagnostic(each)))),
    );
  }

  async function save() {
    try {
      await server.save(game.file, text);
      speak(`Saved ${found.name}.`);
      game.note([{ indent: 0, pieces: [[`Saved ${found.name}.`, "good"]] }], "plain");
    } catch (error) {
      game.refuse(error.message);
    }
  }

  function download() {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    h("a", { href: address, download: found.name }).click();
    URL.revokeObjectURL(address);
  }

  panel.replaceChildren(
    h("div", { class: "bar" }, h("h2", {}, found.name), game.file ? button("Save", save, { class: "quiet small" }) : "", button("Download", download, { class: "quiet small" })),
    isLibrary ? h("p", { class: "soft" }, "This is a document of the library. What you change is a copy.") : "",
    place,
    said,
  );
  say(game.info?.diagnostics ?? []);
  await mount(place, text, onChange);
}

// The editor, where there is one; a plain field for the text otherwise.
async function mount(place, text, onChange) {
  place.append(h("textarea", { class: "source", spellcheck: "false", wrap: "off", "aria-label": "The document", oninput: ({ target }) => onChange(target.value), value: text, rows: String(Math.min(40, text.split("\n").length + 1)) }));
}

export function drawDiagnostic(each) {
  return h("details", {}, h("summary", {}, h("span", { class: "severity" }, each.severity), ` ${each.message} `, h("span", { class: "soft" }, `${each.code}${each.line ? `, line ${each.line}` : ""}`)), h("pre", { tabindex: "0" }, each.text));
}
