// Who plays: a person, or somebody who chooses an input when it is their turn. What is chosen is
// worked out by the server, from the state that the canvas shows.

import { h } from "../dom.js";
import * as server from "../server.js";

const KINDS = { person: "a person", random: "random", search: "searching", perfect: "perfect" };

export class Seats {
  constructor(place, document, { send, refuse }) {
    Object.assign(this, { place, document, send, refuse });
    this.others = {};
    this.asked = null; // the state that somebody thinks about, or has answered
    this.closing = new AbortController();
    this.thinking = null;
    this.words = h("span", { class: "soft", role: "status" });
    this.open();
  }

  async open() {
    try {
      const { players } = await server.ask("read", { document: this.document }, this.closing.signal);
      if (!players.length) return;
      this.place.replaceChildren(
        ...players.map((player) =>
          h(
            "label",
            {},
            h("span", {}, player),
            h("select", { "aria-label": `Who plays ${player}`, onchange: ({ target }) => this.seat(player, target.value) }, Object.entries(KINDS).map(([kind, words]) => h("option", { value: kind }, words))),
          ),
        ),
        this.words,
      );
      this.place.hidden = false;
    } catch {
      // A document without players has no seats; what is wrong with it is said beside its text.
    }
  }

  seat(player, kind) {
    if (kind === "person") delete this.others[player];
    else this.others[player] = kind;
    this.asked = null;
    this.look(...(this.last ?? [null, false]));
  }

  // The canvas shows *state*; somebody may move if it *isOpen*: time runs, and it is no past one.
  look(state, isOpen) {
    this.last = [state, isOpen];
    if (state !== this.asked) this.thinking?.abort();
    if (!isOpen || state === null || state === this.asked || !Object.keys(this.others).length) return;
    this.asked = state;
    this.choose(state);
  }

  async choose(state) {
    const thinking = (this.thinking = new AbortController());
    this.words.textContent = "thinking …";
    try {
      const onProgress = ({ phase, states }) => (this.words.textContent = `thinking: ${phase}, ${states.toLocaleString("en")} states`);
      const seed = Math.floor(Math.random() * 2 ** 31);
      const { move } = await server.work("reply", { document: this.document, state, seats: this.others, seconds: 2, seed }, { onProgress, signal: thinking.signal });
      if (move !== null) this.send({ do: "make", move });
      this.words.textContent = "";
    } catch (error) {
      this.words.textContent = "";
      if (error.name !== "AbortError") this.refuse(error.message);
    }
  }

  close() {
    this.closing.abort();
    this.thinking?.abort();
  }
}
