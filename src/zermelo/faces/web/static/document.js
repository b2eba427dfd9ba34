// The document beside the board: its text, what there is to say about it, and changes, which are read
// at every pause. While the text is broken the last good board stays.

import { button, h, keep, kept, quoted, speak } from "./dom.js";
import * as server from "./server.js";

const PAUSE = 500;
const IS_OWN = /^[0-9a-f]{16}$/; // what is not of the library and no file

// What is typed and cannot be read yet, and where a changed text came from, stay with this tab: they
// are there after a look at something else, another reading, or a reload.
const isHere = true;
const draftOf = (name) => kept(`draft.${name}`, { isHere });
const keepDraft = (name, text) => keep(`draft.${name}`, text, { isHere });
const originOf = (name) => JSON.parse(kept(`origin.${name}`, { isHere }) ?? "{}");
const keepOrigin = (name, origin) => keep(`origin.${name}`, JSON.stringify(origin), { isHere });

export async function showDocument(game, panel) {
  if (panel.dataset.document === game.name && panel.firstChild) return;
  const found = await server.documentText(game.name, game.closing.signal);
  const { mountEditor } = await import("./write/editor.js");
  const { mountMaths } = await import("./write/maths.js");
  if (game.tab !== "document") return;
  panel.dataset.document = game.name;
  // What is changed has another name; where it came from stays the same.
  const origin = game.name.startsWith("file-") ? { file: game.name, was: found.digest, hasReturns: found.returns } : originOf(game.name);
  const isLibrary = !IS_OWN.test(game.name) && !game.name.startsWith("file-");
  // The editor and the server count a line's end as one letter; a file has it as it was.
  origin.hasReturns ??= found.text.includes("\r\n");
  const opened = found.text.replaceAll("\r\n", "\n");
  let text = draftOf(game.name) ?? opened;
  let current = game.name; // the document that has this text
  let timer = 0;
  let reading = new AbortController();

  // Only what is pointed at last is asked for.
  let hovering = new AbortController();
  const valueAt = async ([start, end]) => {
    hovering.abort();
    hovering = new AbortController();
    const moves = current === game.name && game.now ? game.tree.moves : [];
    try {
      return (await server.ask("value", { document: current, readings: game.readings, moves, start, end }, hovering.signal)).found;
    } catch {
      // Whoever points at something else asks about that; and where nothing can be said, nothing is.
      return null;
    }
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
    h("div", { class: "bar" }, h("h2", {}, found.name), choice("Text", place), choice("Mathematics", shown), origin.file ? button("Save", save, { class: "quiet small" }) : "", button("Download", download, { class: "quiet small" })),
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
      keepDraft(game.name, text);
      clearTimeout(timer);
      reading.abort();
      timer = setTimeout(() => read().catch((error) => error.name === "AbortError" || game.refuse(error.message)), PAUSE);
    },
  });
  if (text === opened) await see(current, text);
  else await read();

  // What the editor and the mathematics show of a text.
  async function see(document_, about) {
    const seen = await server.ask("write", { document: document_, readings: game.readings }, reading.signal);
    if (about !== text) return;
    editor.setSymbols(seen.symbols);
    editor.setTokens(seen.tokens, about);
    editor.setDiagnostics(seen.diagnostics, about);
    if (seen.mathematics.length) maths.show(seen.mathematics);
    else maths.setStale(true);
    const counted = seen.diagnostics.length;
    said.replaceChildren(
      h("p", { class: "soft" }, counted ? `${counted} ${counted === 1 ? "thing" : "things"} to say; a click leads to its place, and the marks beside the lines tell more` : "There is nothing to say about it."),
      h(
        "ul",
        { class: "diagnostics" },
        seen.diagnostics.map((each) =>
          h("li", { class: `is-${each.severity}` }, button([h("span", { class: "severity" }, each.severity), " ", quoted(each.message)], () => each.span && editor.reveal(each.span, { focus: true }), { class: "said-there" }), each.fix ? button(editor.fixName(each.fix), () => editor.mend(each.fix), { class: "quiet small mend" }) : null),
        ),
      ),
    );
  }

  async function read() {
    const about = text;
    const { signal } = (reading = new AbortController());
    // A text between two good ones is kept until the next one is there.
    const replaces = IS_OWN.test(current) && current !== game.name ? current : "";
    const document_ = await server.addDocument(isLibrary ? `copy of ${found.name}` : found.name, about, { replaces, signal });
    const info = await server.ask("read", { document: document_, readings: game.readings }, signal);
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
    const before = game.name;
    keepDraft(before, null);
    Object.assign(origin, { isMade: true });
    keepOrigin(document_, origin);
    Object.assign(game, { name: document_, info, known: new Map(), checked: null });
    // Of the texts that were typed here one after the other only the last is kept.
    if (before !== document_ && originOf(before).isMade) {
      keep(`origin.${before}`, null, { isHere });
      server.forget(before).catch(() => {});
    }
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
      origin.was = (await server.save(origin.file, text, origin.was)).digest;
      keepOrigin(game.name, origin);
      speak(`Saved ${found.name}.`);
      game.note([{ indent: 0, pieces: [[`Saved ${found.name}.`, "good"]] }], "plain");
    } catch (error) {
      game.refuse(error.message);
    }
  }

  function download() {
    const address = URL.createObjectURL(new Blob([origin.hasReturns ? text.replaceAll("\n", "\r\n") : text], { type: "text/plain" }));
    h("a", { href: address, download: found.name }).click();
    URL.revokeObjectURL(address);
  }
}

export function drawDiagnostic(each) {
  return h("details", {}, h("summary", {}, h("span", { class: "severity" }, each.severity), " ", quoted(each.message), " ", h("span", { class: "soft" }, `${each.code}${each.line ? `, line ${each.line}` : ""}`)), h("pre", { tabindex: "0" }, each.text));
}
