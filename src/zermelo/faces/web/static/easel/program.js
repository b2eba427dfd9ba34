// The text of the program beside its canvas. It is read at every pause, and runs on in the state it
// is in; while it is broken, the last text that could be read runs on.

import { button, h } from "../dom.js";
import * as server from "../server.js";

const PAUSE = 500;
const IS_OWN = /^[0-9a-f]{16}$/;
const part = (id) => document.getElementById(id);

export class ProgramText {
  constructor(document_, { send, reconnect }) {
    Object.assign(this, { document: document_, program: document_, send, reconnect });
    this.found = null; // what was opened
    this.text = null;
    this.isRunning = false;
    this.timer = 0;
    part("program-download").addEventListener("click", () => this.download());
    part("program-save").addEventListener("click", () => this.save());
    part("program-save").hidden = !document_.startsWith("file-");
  }

  get title() {
    return this.found?.name ?? null;
  }

  say(words, kind = "plain") {
    part("program-said").className = `program-said is-${kind}`;
    part("program-said").textContent = words;
  }

  async show() {
    if (this.found || this.isOpening) return;
    this.isOpening = true;
    try {
      const found = await server.documentText(this.document);
      const { mountEditor } = await import("../write/editor.js");
      if (!part("editor")) return;
      this.found = found;
      this.text = this.inFile = found.text;
      this.was = found.digest;
      part("program-name").textContent = found.name;
      this.editor = mountEditor(part("editor"), { text: found.text, label: "The program", onHover: async () => null, onCursor: () => {}, onChange: (text) => this.changed(text) });
      await this.see(this.document, found.text);
    } catch (error) {
      this.say(error.message, "fault");
    } finally {
      this.isOpening = false;
    }
  }

  changed(text) {
    if (text === this.text) return;
    this.text = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read().catch((error) => this.say(error.message, "fault")), PAUSE);
  }

  // Colours, and what is wrong; how many errors there are.
  async see(document_, about) {
    const seen = await server.ask("write", { document: document_ });
    if (about !== this.text) return null;
    this.editor.setSymbols(seen.symbols);
    this.editor.setTokens(seen.tokens, about);
    this.editor.setDiagnostics(seen.diagnostics, about);
    part("program-diagnostics").replaceChildren(
      ...seen.diagnostics.map((each) =>
        h("li", { class: `is-${each.severity}` }, button([h("span", { class: "severity" }, each.severity), ` ${each.message}`], () => each.span && this.editor.reveal(each.span, { focus: true }), { class: "said-there" })),
      ),
    );
    return seen.diagnostics.filter((each) => each.severity === "error").length;
  }

  async read() {
    const about = this.text;
    const before = IS_OWN.test(this.program) && this.program !== this.document ? this.program : "";
    const name = IS_OWN.test(this.document) || this.document.startsWith("file-") ? this.found.name : `copy of ${this.found.name}`;
    const document_ = await server.addDocument(name, about, before);
    const errors = await this.see(document_, about);
    if (errors === null) return;
    this.program = document_;
    if (!this.isRunning) {
      if (errors === 0) this.reconnect(document_);
      else this.say(`${errors} ${errors === 1 ? "error" : "errors"} in the text.`, "fault");
    } else if (!this.send({ do: "program", document: document_ })) {
      this.say("It is read when the connection is there again.");
    }
  }

  // What came of it.
  async readAgain({ document: document_, loaded, kept, words }) {
    if (!loaded) return this.say(`${words[0].toUpperCase()}${words.slice(1)} The last text that could be read runs on.`, "fault");
    this.say(kept ? "Read again; the state is as it was." : "Read again; the old state is none of this program, so it begins anew.", "good");
    // The file was changed elsewhere; what somebody has changed here meanwhile is not thrown away.
    if (document_ === "" && this.found && this.text === this.inFile) {
      this.found = await server.documentText(this.document);
      this.text = this.inFile = this.found.text;
      this.was = this.found.digest;
      this.editor.setText?.(this.text);
      await this.see(this.document, this.text);
    }
    return null;
  }

  // The engine is there; one that was started anew is told of the text that runs.
  async goOn(isNew) {
    this.isRunning = true;
    if (isNew && this.program !== this.document) {
      await server.documentText(this.program);
      this.send({ do: "program", document: this.program });
    }
  }

  // The text for a server that does not know it any more; nothing if it was never here.
  async bring() {
    try {
      const { document: found } = await server.documentText(this.program);
      return found;
    } catch {
      return null;
    }
  }

  async save() {
    await this.show();
    try {
      const text = this.text;
      this.was = (await server.save(this.document, text, this.was)).digest;
      this.inFile = text;
      this.say(`Saved ${this.found.name}.`, "good");
    } catch (error) {
      this.say(error.message, "fault");
    }
  }

  async download() {
    await this.show();
    const address = URL.createObjectURL(new Blob([this.text], { type: "text/plain" }));
    h("a", { href: address, download: this.found.name }).click();
    URL.revokeObjectURL(address);
  }

  close() {
    clearTimeout(this.timer);
  }
}
