// The document beside the board: its text, what there is to say about it, and changes, which are read
// at every pause. While the text is broken the last good board stays.

import { button, h, speak } from "./dom.js";
import * as server from "./server.js";

const PAUSE = 500;
const IS_OWN = /^[0-9a-f]{16}$/; // what is not of the library and no file

export async function showDocument(game, panel) {
  if (panel.dataset.document === game.name && panel.firstChild) return;
  const found = await server.documentText(game.name);
  const { mountEditor } = await import("./write/editor.js");
  const { mountMaths } = await import("./write/maths.js");
  panel.dataset.document = game.name;
  // What is changed has another name; where it came from stays the same.
  if (game.name.startsWith("file-")) Object.assign(game, { file: game.name, inFile: found.text });
  const isLibrary = !IS_OWN.test(game.name) && !game.name.startsWith("file-");
  // What was typed and cannot be read yet is still there when somebody comes back to it.
  let text = game.draft?.of === game.name ? game.draft.text : found.text;
  let current = game.name; // the document that has this text
  let timer = 0;

  const valueAt = async ([start, end]) => {
    const moves = current === game.name && game.now ? game.tree.moves : [];
    return (await server.ask("value", { document: current, readings: game.readings, moves, start, end })).found;
  };

  const place = h("div", { class: "editor" });
  const shown = h("div", { class: "maths" });
  const said = h("div", { class: "said-of", role: "status" });
  const choice = (words, part) =>
    button(words, ({ currentTarget }) => {
      part.hidden = !part.hidden;
      currentTarget.setAttribute("aria-pressed", String(!part.hidden));
    }, { class: "quiet small toggle", "aria-pressed": "true" });
  panel.replaceChildren(
    h("div", { class: "bar" }, h("h2", {}, found.name), choice("Text", place), choice("Mathematics", shown), game.file ? button("Save", save, { class: "quiet small" }) : "", button("Download", download, { class: "quiet small" })),
    isLibrary ? h("p", { class: "soft" }, "This is a document of the library. What you change is a copy.") : "",
    place,
    said,
    shown,
  );
  const maths = mountMaths(shown, { onHover: valueAt, onClick: (span) => editor.reveal(span, { focus: true }) });
  const editor = mountEditor(place, {
    text,
    label: "The document",
    onHover: valueAt,
    onCursor: (span) => maths.highlight(span),
    onChange: (now) => {
      text = now;
      game.draft = { of: game.name, text };
      clearTimeout(timer);
      timer = setTimeout(() => read().catch((error) => game.refuse(error.message)), PAUSE);
    },
  });
  if (text === found.text) await see(current, text);
  else await read();

  // What the editor and the mathematics show of a text.
  async function see(document_, about) {
    const seen = await server.ask("write", { document: document_, readings: game.readings });
    if (about !== text) return;
    editor.setSymbols(seen.symbols);
    editor.setTokens(seen.tokens, about);
    editor.setDiagnostics(seen.diagnostics, about);
    if (seen.mathematics.length) maths.show(seen.mathematics);
    else maths.setStale(true);
    const counted = seen.diagnostics.length;
    said.replaceChildren(
      h("p", { class: "soft" }, counted ? `${counted} ${counted === 1 ? "thing" : "things"} to say; a click leads to its place, and the marks beside the lines tell more` : "Nothing to say about it."),
      h(
        "ul",
        { class: "diagnostics" },
        seen.diagnostics.map((each) =>
          h("li", { class: `is-${each.severity}` }, button([h("span", { class: "severity" }, each.severity), ` ${each.message}`], () => each.span && editor.reveal(each.span, { focus: true }), { class: "said-there" })),
        ),
      ),
    );
  }

  async function read() {
    const about = text;
    const document_ = await server.addDocument(isLibrary ? `copy of ${found.name}` : found.name, about, IS_OWN.test(current) && current !== game.name ? current : "");
    const info = await server.ask("read", { document: document_, readings: game.readings });
    if (about !== text) return;
    current = document_;
    await see(document_, about);
    const errors = info.diagnostics.filter((each) => each.severity === "error").length;
    game.parts.board.classList.toggle("is-broken", !info.loaded);
    if (!info.loaded) {
      maths.setStale(true);
      game.note([{ indent: 0, pieces: [[`${errors} ${errors === 1 ? "error" : "errors"} in the text; the board is that of the last text that could be read.`, "bad"]] }], "refused");
      return;
    }
    // The text can be read: its board takes the place of the old one, with the moves as far as they go.
    Object.assign(game, { name: document_, info, known: new Map(), checked: null, draft: null });
    panel.dataset.document = document_;
    game.entitle();
    try {
      await game.show({ isQuiet: true });
    } catch (error) {
      await game.asFarAsItGoes(error.message);
    }
  }

  async function save() {
    try {
      const now = text;
      await server.save(game.file, now, game.inFile);
      game.inFile = now;
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
}

export function drawDiagnostic(each) {
  return h("details", {}, h("summary", {}, h("span", { class: "severity" }, each.severity), ` ${each.message} `, h("span", { class: "soft" }, `${each.code}${each.line ? `, line ${each.line}` : ""}`)), h("pre", { tabindex: "0" }, each.text));
}
