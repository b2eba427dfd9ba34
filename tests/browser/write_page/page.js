// Mounts the parts as the page does, with what the server of the test says of the text.

import { mountEditor } from "/static/write/editor.js";
import { mountMaths } from "/static/write/maths.js";

window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
window.told = { changes: [], cursors: [], clicks: [], codes: [] };

const ask = async (path, body) => (await fetch(path, { method: "POST", body: JSON.stringify(body) })).json();
const valueAt = (span) => ask("/value", { span });

const maths = mountMaths(document.getElementById("maths"), {
  onHover: valueAt,
  onClick: (span) => {
    window.told.clicks.push(span);
    editor.reveal(span, { focus: true });
  },
});
const editor = mountEditor(document.getElementById("editor"), {
  label: "The document",
  onHover: valueAt,
  onCursor: (span) => {
    window.told.cursors.push(span);
    maths.highlight(span);
  },
  onExplain: (code) => window.told.codes.push(code),
  onChange: (text) => {
    window.told.changes.push(text);
    read(text);
  },
});

const read = async (text) => {
  const said = await ask("/read", { text });
  editor.setTokens(said.tokens, text);
  editor.setDiagnostics(said.diagnostics, text);
  maths.show(said.mathematics);
  document.body.dataset.reads = String(Number(document.body.dataset.reads ?? 0) + 1);
};

const first = await ask("/first", {});
editor.setText(first.text);
editor.setSymbols(first.symbols);
await read(first.text);
Object.assign(window, { editor, maths });
