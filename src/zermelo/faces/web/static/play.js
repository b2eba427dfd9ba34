// Play: the board of a document, the moves that can be made, whose turn it is, and the panels
// beside it. All of it comes from the server; kept here is only which lines were tried.

import { drawPicture, neighbour, spotKey } from "./board.js";
import { button, h, icon, lines, speak } from "./dom.js";
import { drawNet } from "./net.js";
import { PANELS } from "./panels.js";
import { Pick } from "./pick.js";
import * as server from "./server.js";
import { pack } from "./share.js";
import { Tree } from "./tree.js";

const OPPONENTS = { person: "a person", random: "random", search: "searching", perfect: "perfect" };
const READING = "reading.";
let word = null; // what the view before leaves to the next one

export function showPlay(view, { document: name, values, go, nav }) {
  const game = new Game(view, name, values, go, nav);
  game.open();
  return () => game.close();
}

// The moves in an address; of one that was cut short there are none.
function movesIn(text) {
  try {
    const moves = JSON.parse(text);
    return Array.isArray(moves) ? moves.map(String) : null;
  } catch {
    return null;
  }
}

class Game {
  constructor(view, name, values, go, nav) {
    Object.assign(this, { view, name, go, nav });
    this.readings = Object.fromEntries([...values].filter(([key]) => key.startsWith(READING)).map(([key, value]) => [key.slice(READING.length), value]));
    this.tab = Object.hasOwn(PANELS, values.get("tab") ?? "") ? values.get("tab") : "moves";
    this.asked = movesIn(values.get("moves"));
    this.tree = new Tree();
    this.known = new Map();
    this.opponents = new Map(); // by what the document calls the players, which may be anything
    this.pick = new Pick([]);
    this.judged = null;
    this.closing = new AbortController();
    this.thinking = null;
    this.serial = 0;
    [this.before, word] = [word, null];
  }

  get place() {
    return { document: this.name, readings: this.readings, moves: this.tree.moves };
  }

  // Coming and going

  leaveWord(said) {
    word = said;
  }

  async open() {
    this.lay();
    try {
      this.info = await server.ask("read", { document: this.name, readings: this.readings }, this.closing.signal);
    } catch (error) {
      return error.name === "AbortError" ? null : this.refuse(error.message);
    }
    this.entitle();
    if (!this.info.loaded) {
      this.parts.board.replaceChildren(h("p", { class: "empty" }, this.info.unplayable ?? "There is nothing to play in this document yet. What is wrong stands beside it."));
      this.tab = this.tab === "moves" ? "document" : this.tab;
      return this.panel();
    }
    await this.begin();
  }

  // Begin where the address says, or where one was, or anew.
  async begin() {
    let damaged = "";
    try {
      const kept = this.asked ? null : (await server.play(this.name, this.readings)).tree;
      if (kept) this.tree = Tree.fromText(kept);
    } catch (error) {
      damaged = error.message;
    }
    if (this.asked) {
      for (const move of this.asked) this.tree.go({ move, text: move, player: null });
    }
    try {
      await this.show();
    } catch (error) {
      // The document is not what it was, or the link not for it: as far as it goes is better than nothing.
      await this.asFarAsItGoes(error.message);
    }
    if (damaged) this.refuse(damaged);
    this.sayErrors();
    await this.panel();
  }

  // A document may be played in spite of errors: what they touch is left out, and that is said.
  sayErrors() {
    const errors = this.info.diagnostics.filter((each) => each.severity === "error").length;
    if (!errors || this.tab === "document") return;
    // Beside what is said already, such as that nothing can be done.
    if (this.parts.note.hidden) this.note([]);
    const it = errors === 1 ? "it touches" : "they touch";
    this.parts.note.append(
      h("p", { class: "is-bad" }, `${errors} ${errors === 1 ? "error" : "errors"} in the document; what ${it} is left out here.`),
      button("Show the document", () => this.turnTo("document"), { class: "quiet small" }),
    );
  }

  async asFarAsItGoes(reason) {
    const moves = this.tree.moves;
    this.tree = new Tree();
    await this.show();
    for (const move of moves) {
      try {
        const { played } = await server.ask("position", { ...this.place, moves: [...this.tree.moves, move] });
        this.tree.follow(played);
      } catch {
        break;
      }
    }
    await this.show();
    this.refuse(`Only ${this.tree.moves.length} of ${moves.length} moves could be made here: ${reason}`);
  }

  close() {
    this.closing.abort();
    this.thinking?.abort();
  }

  // What is where

  lay() {
    const parts = (this.parts = {
      title: h("h1", {}, " "),
      turn: h("p", { class: "turn", role: "status" }),
      board: h("div", { class: "table", id: "board" }, h("p", { class: "empty" }, "Reading the document …")),
      net: h("div", { class: "net-stage", hidden: true }),
      chips: h("div", { class: "choose", hidden: true }),
      shade: h("label", { class: "shade", hidden: true }),
      note: h("div", { class: "note", hidden: true }),
      players: h("div", { class: "players" }),
      text: h("pre", { tabindex: "0" }),
      tabs: h("div", { class: "tabs", role: "tablist", "aria-label": "What to see" }),
      panel: h("section", { class: "panel", role: "tabpanel", id: "panel", tabindex: "0" }),
    });
    const control = (key, words, act, keys) => (parts[key] = button([icon(key), h("span", { class: "word" }, words)], act, { class: "quiet", title: `${words} (${keys})`, "aria-keyshortcuts": keys }));
    this.view.replaceChildren(
      h(
        "div",
        { class: "play" },
        h(
          "section",
          { class: "stage", "aria-label": "Board" },
          h("div", { class: "heading" }, parts.title, parts.turn),
          parts.board,
          parts.net,
          parts.chips,
          parts.note,
          h("div", { class: "controls", role: "group", "aria-label": "Play" }, control("undo", "Undo", () => this.undo(), "U"), control("redo", "Redo", () => this.redo(), "R"), control("restart", "Restart", () => this.restart(), "N"), control("link", "Copy link", () => this.copyLink(), "L"), parts.shade),
          parts.players,
          h("details", { class: "as-text" }, h("summary", {}, "The board as text"), parts.text),
        ),
        h("section", { class: "side", "aria-label": "Beside the board" }, parts.tabs, parts.panel),
      ),
    );
    parts.tabs.append(
      ...Object.entries(PANELS).map(([key, { title }]) =>
        button(title, () => this.turnTo(key), { role: "tab", id: `tab-${key}`, "aria-controls": "panel", data: { tab: key }, onkeydown: (event) => this.alongTabs(event, key) }),
      ),
    );
    // Until there is a position there is nothing to go back from.
    parts.undo.disabled = parts.redo.disabled = parts.restart.disabled = true;
    const { signal } = this.closing;
    parts.board.addEventListener("click", (event) => this.at(event.target), { signal });
    parts.board.addEventListener("keydown", (event) => this.onBoardKey(event), { signal });
    parts.board.addEventListener("pointerdown", (event) => this.drag(event), { signal });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.markTab();
  }

  entitle() {
    const { info } = this;
    document.title = `${info.title} · Zermelo`;
    this.parts.title.textContent = info.title;
    this.nav.replaceChildren(h("a", { href: "#/" }, "Library"), info.language === "led" ? h("a", { href: `#/run/${encodeURIComponent(this.name)}` }, "Canvas") : "", h("a", { href: `#/play/${encodeURIComponent(this.name)}`, "aria-current": "page" }, info.title));
    this.parts.players.replaceChildren(
      ...info.players.map((player) =>
        h(
          "label",
          {},
          h("span", {}, player),
          h(
            "select",
            { "aria-label": `Who plays ${player}`, onchange: ({ target }) => this.seat(player, target.value) },
            Object.entries(OPPONENTS).map(([key, words]) => h("option", { value: key, selected: (this.opponents.get(player) ?? "person") === key }, words)),
          ),
        ),
      ),
    );
  }

  // The position

  async position() {
    const key = JSON.stringify(this.tree.moves);
    if (!this.known.has(key)) this.known.set(key, await server.ask("position", this.place, this.closing.signal));
    return this.known.get(key);
  }

  // Show where one is; what was asked for earlier and comes later is not shown.
  async show({ isQuiet = false } = {}) {
    const serial = ++this.serial;
    this.thinking?.abort();
    this.thinking = null;
    const position = await this.position();
    if (serial !== this.serial || this.closing.signal.aborted) return;
    this.now = position;
    this.tree.path(this.tree.here).forEach((node, at) => Object.assign(node, position.played[at]));
    this.pick = new Pick(position.legal);
    this.judged = null;
    this.note();
    this.draw();
    this.sayTurn(isQuiet);
    this.remember();
    this.drawNet(serial).catch((error) => error.name === "AbortError" || this.refuse(error.message));
    if (serial > 1) this.panel();
    this.letOthersMove();
  }

  // A net is drawn too, and fired by clicking at its transitions.
  async drawNet(serial) {
    if (this.info?.language !== "nets") return;
    const found = await server.ask("diagram", this.place, this.closing.signal);
    if (serial !== this.serial) return;
    const { net } = this.parts;
    const focus = document.activeElement?.dataset?.transition;
    const before = net.querySelector(".net-place");
    const scrolled = before && [before.scrollLeft, before.scrollTop];
    const drawn = drawNet(found, { fire: (move) => this.make(move), explain: (name) => this.explain(name) });
    net.hidden = !drawn.length;
    // Below a board, the net is there for who wants to see it.
    const hasBoard = this.now.picture.boards.length > 0;
    const isOpen = net.querySelector("details")?.open ?? false;
    net.replaceChildren(...(hasBoard ? [h("details", { class: "as-text", open: isOpen }, h("summary", {}, "The net"), drawn)] : drawn));
    const place = net.querySelector(".net-place");
    if (place) [place.scrollLeft, place.scrollTop] = scrolled ?? [(place.scrollWidth - place.clientWidth) / 2, 0];
    this.parts.board.classList.toggle("is-net", found.boxes.length > 0);
    if (focus) this.parts.net.querySelector(`[data-transition="${CSS.escape(focus)}"]`)?.focus();
  }

  draw() {
    const active = document.activeElement?.dataset?.spot;
    const focus = active ?? this.focus ?? this.pick.first;
    this.parts.board.classList.toggle("is-waiting", this.thinking !== null);
    const drawn = drawPicture(this.now.picture, { lit: this.pick.lit, picked: this.pick.cells, values: this.pick.values(this.tab === "values" ? this.judged : null), focus, shade: this.shade, shaded: this.shaded });
    this.drawShades();
    this.parts.board.replaceChildren(...(drawn.length ? drawn : [h("p", { class: "empty" }, "This state has nothing that could be drawn.")]));
    const { boards, figures, canvas } = this.now.picture;
    this.parts.board.classList.toggle("has-no-board", !boards.length && !figures.length && !canvas);
    this.parts.text.textContent = this.now.picture.text;
    const cells = this.parts.board.querySelectorAll("[data-spot]");
    if (cells.length && !this.parts.board.querySelector('[data-spot][tabindex="0"]')) cells[0].setAttribute("tabindex", "0");
    if (active) this.parts.board.querySelector(`[data-spot="${active}"]`)?.focus();
    this.drawChips();
    this.parts.undo.disabled = this.parts.restart.disabled = !this.tree.here.parent;
    this.parts.redo.disabled = !this.tree.here.children.length;
  }

  // Show another board for a moment, as it was within a move; none is the present one again.
  preview(picture, words = "") {
    if (!this.now) return;
    this.parts.board.classList.toggle("is-preview", picture !== null);
    if (!picture) return this.draw();
    this.parts.board.replaceChildren(...drawPicture(picture), h("p", { class: "preview" }, words));
    return null;
  }

  // The cells of the fact that the board is shaded by.
  get shaded() {
    const cells = this.now.shades.find((each) => each.name === this.shade)?.cells ?? [];
    return new Set(cells.map(spotKey));
  }

  drawShades() {
    const names = this.now.shades.map((each) => each.name);
    this.parts.shade.hidden = !names.length && !this.shade;
    const choose = ({ target }) => {
      this.shade = target.value;
      this.draw();
    };
    const option = (value, words) => h("option", { value, selected: value === (this.shade ?? "") }, words);
    this.parts.shade.replaceChildren("shade", h("select", { "aria-label": "Shade a set", onchange: choose }, option("", "nothing"), [...new Set([...names, ...(this.shade ? [this.shade] : [])])].map((name) => option(name, name))));
  }

  drawChips() {
    const groups = this.pick.chips();
    this.parts.chips.hidden = !groups.length;
    this.parts.chips.classList.toggle("is-needed", this.pick.needsChip);
    this.parts.chips.replaceChildren(
      ...groups.map(({ name, index, values, move }) =>
        h(
          "div",
          { role: "group", "aria-label": name ? `Choose ${name}` : "Make a move" },
          name ? h("span", { class: "name" }, name) : null,
          values.map((value) =>
            button(value, () => (move ? this.make(move.get(value)) : this.take(this.pick.chip(index, value))), { class: "chip", "aria-pressed": this.pick.has(index, value) ? "true" : "false" }),
          ),
        ),
      ),
    );
  }

  sayTurn(isQuiet) {
    const { now } = this;
    const { turn } = this.parts;
    turn.classList.toggle("is-over", now.over);
    turn.classList.toggle("is-stuck", now.stuck);
    const last = now.played.at(-1);
    const words = now.over
      ? now.stuck ? "Stuck: no move is possible, and the play is not over." : `Over: ${now.outcome}.`
      : now.player ? `${now.player} to move` : `${now.count.toLocaleString("en")} ${now.noun}${now.count === 1 ? "" : "s"} possible`;
    turn.textContent = words;
    if (now.over) this.note(now.ending, now.stuck ? "stuck" : "ending");
    else if (now.unlisted) this.note([{ indent: 0, pieces: [[now.unlisted, "plain"]] }], "plain");
    if (!isQuiet) speak(`${last ? `${last.player ?? "Played"}: ${last.text}. ` : ""}${words}`);
  }

  note(said = null, kind = "refused", more = null) {
    this.parts.note.hidden = !said;
    this.parts.note.className = `note is-${kind}`;
    this.parts.note.setAttribute("role", kind === "refused" ? "alert" : "note");
    this.parts.note.replaceChildren(...(said ? lines(said) : []), ...(more?.length ? [h("details", {}, h("summary", {}, "Rule by rule"), lines(more))] : []));
    if (said) this.parts.note.scrollIntoView({ block: "nearest" });
  }

  refuse(words) {
    this.note([{ indent: 0, pieces: [[words, "bad"]] }]);
  }

  // The address says where one is: the document, the readings, the moves and the panel.
  remember() {
    const values = new URLSearchParams();
    for (const [key, value] of Object.entries(this.readings)) values.set(READING + key, value);
    if (this.tree.here.parent) values.set("moves", JSON.stringify(this.tree.moves));
    if (this.tab !== "moves") values.set("tab", this.tab);
    const query = values.size ? `?${values}` : "";
    history.replaceState(null, "", `#/play/${encodeURIComponent(this.name)}${query}`);
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => server.keepPlay({ document: this.name, readings: this.readings, tree: this.tree.toText() }).catch(() => {}), 600);
  }

  // What a person does

  at(target) {
    const cell = target.closest?.("[data-spot]");
    if (!cell || this.thinking || this.wasDragged) return;
    this.focus = cell.dataset.spot;
    this.take(this.pick.cell(cell.dataset.spot), cell);
  }

  // What came of pointing at something: a move, a piece in the hand, or nothing that is possible.
  take(result) {
    if (result.move) return this.make(result.move);
    if (result.attempt) return this.explain(result.attempt);
    this.note();
    this.draw();
    if (this.pick.isBegun) speak(this.pick.words);
    return null;
  }

  async make(move) {
    const from = this.tree.here;
    try {
      const moves = [...this.tree.moves, move];
      const answer = await server.ask("position", { ...this.place, moves }, this.closing.signal);
      this.known.set(JSON.stringify(answer.played.map((each) => each.move)), answer);
      // Whoever went elsewhere meanwhile does not make it there.
      if (this.tree.here !== from) return;
      this.tree.go(answer.played.at(-1));
      await this.show();
    } catch (error) {
      if (error.name !== "AbortError") this.refuse(error.message);
    }
  }

  async explain(attempt) {
    this.pick.drop();
    this.draw();
    try {
      const { sentence, lines: more, possible } = await server.ask("why", { ...this.place, move: attempt }, this.closing.signal);
      this.note(sentence, possible ? "plain" : "refused", more);
    } catch (error) {
      if (error.name !== "AbortError") this.refuse(error.message);
    }
  }

  drag(event) {
    const from = event.target.closest?.("[data-spot]");
    this.wasDragged = false;
    if (!from || event.button !== 0 || !this.pick.lit.has(from.dataset.spot) || !from.querySelector(".marks")) return;
    const begin = [event.clientX, event.clientY];
    const ghost = from.querySelector(".marks").cloneNode(true);
    const over = new AbortController();
    const move = ({ clientX, clientY }) => {
      if (!this.wasDragged && Math.hypot(clientX - begin[0], clientY - begin[1]) < 8) return;
      if (!this.wasDragged) {
        this.wasDragged = true;
        this.pick.drop();
        this.pick.cell(from.dataset.spot);
        this.draw();
        ghost.classList.add("ghost");
        ghost.style.setProperty("--size", `${from.getBoundingClientRect().width}px`);
        document.body.append(ghost);
      }
      ghost.style.translate = `${clientX}px ${clientY}px`;
    };
    const end = ({ type, clientX, clientY }) => {
      over.abort();
      ghost.remove();
      if (!this.wasDragged) return;
      setTimeout(() => (this.wasDragged = false));
      const to = document.elementFromPoint(clientX, clientY)?.closest?.("[data-spot]");
      if (type === "pointerup" && to && to.dataset.spot !== from.dataset.spot) return this.take(this.pick.cell(to.dataset.spot));
      this.pick.drop();
      this.draw();
    };
    document.addEventListener("pointermove", move, { signal: over.signal });
    document.addEventListener("pointerup", end, { signal: over.signal });
    document.addEventListener("pointercancel", end, { signal: over.signal });
  }

  async undo() {
    this.thinking?.abort();
    // Against others, one's own last move is meant.
    for (let node = this.tree.here; this.tree.back(); node = this.tree.here) if (!this.isOther(node.player)) break;
    await this.show();
  }

  async redo() {
    while (this.tree.forward()) if (!this.isOther(this.tree.here.children[this.tree.here.best]?.player)) break;
    await this.show();
  }

  async restart() {
    this.tree.here = this.tree.root;
    await this.show();
  }

  async goTo(node) {
    this.tree.here = node;
    await this.show();
  }

  async goToPlay(moves) {
    const { played } = await server.ask("position", { ...this.place, moves }, this.closing.signal);
    this.tree.follow(played);
    await this.show();
  }

  // Others

  isOther(player) {
    return (this.opponents.get(player) ?? "person") !== "person";
  }

  seat(player, kind) {
    this.opponents.set(player, kind);
    this.thinking?.abort();
    this.letOthersMove();
  }

  async letOthersMove() {
    const { now } = this;
    if (now.over || !this.isOther(now.player) || this.tree.here.children.length) return;
    const thinking = (this.thinking = new AbortController());
    const player = this.opponents.get(now.player);
    const words = (more) => {
      this.parts.turn.replaceChildren(h("span", { class: "busy" }), `${now.player} (${OPPONENTS[player]}) is thinking${more}`, button("Stop", () => this.seatAll(), { class: "quiet small" }));
    };
    words(" …");
    this.parts.board.classList.add("is-waiting");
    try {
      const onProgress = ({ phase, states, left }) => words(`: ${phase}, ${states.toLocaleString("en")} states${left ? `, at most ${Math.ceil(left)} s more` : ""}`);
      const { move } = await server.work("choose", { ...this.place, player, seconds: 2, seed: Math.floor(performance.timeOrigin) % 2 ** 31 }, { onProgress, signal: thinking.signal });
      this.thinking = null;
      await this.make(move);
    } catch (error) {
      if (this.thinking === thinking) this.thinking = null;
      this.parts.board.classList.remove("is-waiting");
      if (error.name === "AbortError") return;
      this.sayTurn(true);
      this.seatAll();
      this.refuse(error.message);
    }
  }

  // Everybody is a person from now on.
  seatAll() {
    this.opponents.clear();
    this.thinking?.abort();
    this.thinking = null;
    this.entitle();
    this.sayTurn(true);
  }

  // A link to this position: by name for what everybody has, and with the text in it otherwise.
  async copyLink() {
    let link = location.href;
    if (/^[0-9a-f]{16}$/.test(this.name) || this.name.startsWith("file-")) {
      const { name, text } = await server.documentText(this.name);
      const packed = await pack(text);
      if (packed === null) return this.refuse("This document is too long for a link. Download it, and hand on the file.");
      const values = new URLSearchParams(location.hash.split("?")[1] ?? "");
      values.set("name", name);
      values.set("text", packed);
      link = `${location.origin}${location.pathname}#/open?${values}`;
    }
    try {
      await navigator.clipboard.writeText(link);
      this.note([{ indent: 0, pieces: [["The link is copied: it leads to this position.", "good"]] }], "plain");
    } catch {
      // A browser may forbid it; then the link is there to be taken.
      this.note([{ indent: 0, pieces: [[link, "formula"]] }], "plain");
    }
    return null;
  }

  // Keys

  onBoardKey(event) {
    const key = event.target.dataset?.spot;
    if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) {
      const next = neighbour(this.parts.board, key, event.key);
      if (next) {
        event.target.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      }
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      this.at(event.target);
      event.preventDefault();
    }
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select, .write-editor, .write-maths")) return;
    const acts = { u: () => this.undo(), r: () => this.redo(), n: () => this.restart(), l: () => this.copyLink(), b: () => this.parts.board.querySelector('[tabindex="0"][data-spot]')?.focus() };
    if (event.key === "Escape") {
      this.pick.drop();
      this.note();
      if (this.now) this.draw();
    } else if (acts[event.key.toLowerCase()] && this.now) {
      acts[event.key.toLowerCase()]();
      event.preventDefault();
    }
  }

  // Panels

  alongTabs(event, key) {
    const keys = Object.keys(PANELS);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = keys[(keys.indexOf(key) + step + keys.length) % keys.length];
    this.turnTo(next);
    this.parts.tabs.querySelector(`[data-tab="${next}"]`).focus();
    event.preventDefault();
    event.stopPropagation();
  }

  turnTo(tab) {
    this.tab = tab;
    this.markTab();
    if (this.now) {
      this.remember();
      this.draw();
    }
    this.panel();
  }

  markTab() {
    for (const each of this.parts.tabs.children) {
      const isIt = each.dataset.tab === this.tab;
      each.setAttribute("aria-selected", String(isIt));
      each.tabIndex = isIt ? 0 : -1;
    }
    this.parts.panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
  }

  async panel() {
    this.markTab();
    this.working?.abort();
    const working = (this.working = new AbortController());
    this.closing.signal.addEventListener("abort", () => working.abort(), { once: true });
    const { panel } = this.parts;
    if (panel.dataset.tab !== this.tab) panel.replaceChildren();
    panel.dataset.tab = this.tab;
    try {
      await PANELS[this.tab].show(this, panel, working.signal);
    } catch (error) {
      if (error.name === "AbortError" || working.signal.aborted) return;
      panel.replaceChildren(h("p", { class: "fault" }, error.message));
    }
  }
}

