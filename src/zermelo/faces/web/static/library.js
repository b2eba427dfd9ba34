// The library: what can be played, what was opened last, and the way in for anything else.

import { drawPicture } from "./board.js";
import { button, h } from "./dom.js";
import * as server from "./server.js";

const LANGUAGES = { sections: "sets and rules", led: "LED program", nets: "Petri net" };
const MOST_BYTES = 1_000_000;

export async function showLibrary(view, { go }) {
  document.title = "Library · Zermelo";
  const cards = h("div", { class: "cards" });
  const recent = h("div");
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const refuse = (words) => {
    fault.textContent = words;
    fault.hidden = false;
  };

  async function bring(name, text) {
    try {
      go(`play/${await server.addDocument(name, text)}`);
    } catch (error) {
      refuse(error.message);
    }
  }

  async function take(file) {
    if (file.size > MOST_BYTES) return refuse(`${file.name} is larger than a document can be: ${file.size.toLocaleString("en")} bytes.`);
    const bytes = await file.arrayBuffer();
    try {
      await bring(file.name, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      refuse(`${file.name} is no text in UTF-8. Save it as plain text, and drop it again.`);
    }
  }

  const chooser = h("input", { type: "file", id: "file", class: "unseen", accept: ".md,.txt,.led,.net,.pnml,.tex", onchange: ({ target }) => target.files[0] && take(target.files[0]) });
  const pasted = h("textarea", { id: "pasted", rows: "3", placeholder: "Applicable Sets …", spellcheck: "false", "aria-label": "The text of a document" });
  const drop = h(
    "section",
    {
      class: "drop",
      "aria-labelledby": "drop-title",
      ondragover: (event) => {
        event.preventDefault();
        drop.classList.add("is-over");
      },
      ondragleave: () => drop.classList.remove("is-over"),
      ondrop: (event) => {
        event.preventDefault();
        drop.classList.remove("is-over");
        const [file] = event.dataTransfer.files;
        if (file) take(file);
        else bring("dropped.md", event.dataTransfer.getData("text/plain"));
      },
    },
    h("h2", { id: "drop-title" }, "A document of your own"),
    h("p", {}, "Drop a file here, choose one, or paste its text. Sets and rules, an LED program, or a Petri net."),
    h("div", { class: "bar" }, chooser, h("label", { for: "file", class: "button" }, "Choose a file"), button("Begin with a template", () => begin(), { class: "quiet" })),
    pasted,
    h("div", { class: "bar" }, button("Open the text", () => pasted.value.trim() && bring("pasted.md", pasted.value), { class: "button" })),
    fault,
  );

  async function begin() {
    const { template } = await server.library();
    go(`play/${await server.addDocument("a game of my own.md", template)}?tab=document`);
  }

  view.replaceChildren(
    h("div", { class: "library" }, h("div", { class: "intro" }, h("h1", {}, "Games written as mathematics"), h("p", {}, "Each is a document of sets, facts and rules. The board, the moves and every answer come from the document itself.")), cards, h("div", { class: "own" }, drop, recent)),
  );

  const found = await server.library();
  cards.replaceChildren(...found.games.map((game) => card(game, go)));
  if (found.files.length || found.recent.length) recent.replaceChildren(opened([...found.files, ...found.recent], go));
}

function card(game, go) {
  const picture = h("div", { class: "thumb", "aria-hidden": "true" });
  const isProgram = game.language === "led";
  const open = (path) => () => go(path);
  server
    .ask("typical", { document: game.document })
    .then((answer) => picture.replaceChildren(...drawPicture(answer.picture, { isSmall: true, title: game.title }).slice(0, 1)))
    .catch(() => picture.replaceChildren());
  return h(
    "article",
    { class: "card", data: { document: game.document } },
    picture,
    h("h2", {}, game.title),
    h("p", {}, game.sentences.join(" ")),
    h("p", { class: "known" }, [LANGUAGES[game.language], ...game.known].filter(Boolean).join(" · ")),
    h(
      "div",
      { class: "bar" },
      isProgram
        ? h("a", { class: "button", href: `#/run/${game.document}`, "aria-label": `Play ${game.title}` }, "Play")
        : button("Play", open(`play/${game.document}`), { class: "button", "aria-label": `Play ${game.title}` }),
      button("Open", open(`play/${game.document}?tab=document`), { class: "quiet", "aria-label": `Open ${game.title}` }),
      button("Copy and change", () => copy(game, go), { class: "quiet", "aria-label": `Copy and change ${game.title}` }),
    ),
  );
}

async function copy(game, go) {
  const { name, text } = await server.documentText(game.document);
  go(`play/${await server.addDocument(`copy of ${name}`, text)}?tab=document`);
}

function opened(documents, go) {
  const row = (each) => {
    const item = h(
      "li",
      {},
      h("a", { href: `#/play/${each.document}` }, each.name),
      each.document.startsWith("file-")
        ? h("span", { class: "soft" }, "on this machine")
        : button(
            "Forget",
            async () => {
              await server.forget(each.document);
              item.remove();
            },
            { class: "quiet small", "aria-label": `Forget ${each.name}` },
          ),
    );
    return item;
  };
  return h("section", { class: "recent", "aria-labelledby": "recent-title" }, h("h2", { id: "recent-title" }, "Opened last"), h("ul", {}, documents.map(row)));
}
