// A move that is being put together by pointing: which of its arguments were picked so far, and
// which of the legal moves still fit.

import { spotKey } from "./board.js";

const MOST_CHIPS = 60;
const MOST_PLAIN = 24;

export class Pick {
  constructor(legal) {
    this.legal = legal;
    this.picked = new Map(); // by the number of the argument: { key } of a cell, or { value }
  }

  get isBegun() {
    return this.picked.size > 0;
  }

  drop() {
    this.picked.clear();
  }

  has(index, value) {
    return this.picked.get(index)?.value === value;
  }

  // The moves that fit what was picked.
  get fitting() {
    const fits = (move, index, { key, value }) => (key === undefined ? move.arguments[index] === value : isAt(move, index, key));
    return this.legal.filter((move) => [...this.picked].every(([index, what]) => fits(move, index, what)));
  }

  // The number of the argument whose cell is to be pointed at next.
  #next(move) {
    return move.cells.findIndex((cell, index) => cell && !this.picked.has(index));
  }

  get lit() {
    const found = new Set();
    for (const move of this.fitting) {
      const index = this.#next(move);
      if (index >= 0) found.add(spotKey(move.cells[index]));
    }
    return found;
  }

  get cells() {
    return new Set([...this.picked.values()].filter((each) => each.key !== undefined).map((each) => each.key));
  }

  get first() {
    return this.lit.values().next().value;
  }

  get words() {
    const what = [...this.picked].map(([index, each]) => each.value ?? this.legal.find((move) => isAt(move, index, each.key))?.arguments[index]);
    return `${what.join(", ")} picked up; ${this.lit.size} places to go on with`;
  }

  // Point at a cell: a move, a move that is not possible, or nothing yet.
  cell(key) {
    if (this.#take(key)) return this.#complete();
    const again = this.cells.has(key);
    const attempt = this.#attempt(key);
    this.drop();
    if (again) return {};
    if (attempt.wasBegun && this.#take(key)) return this.#complete();
    return attempt.text ? { attempt: attempt.text } : {};
  }

  #take(key) {
    const indices = this.fitting.flatMap((move) => move.cells.map((cell, index) => (cell && !this.picked.has(index) && spotKey(cell) === key ? index : -1)).filter((index) => index >= 0));
    if (!indices.length) return false;
    this.picked.set(Math.min(...indices), { key });
    return true;
  }

  chip(index, value) {
    if (this.has(index, value)) this.picked.delete(index);
    else this.picked.set(index, { value });
    return this.#complete();
  }

  // A move, once one is left and every cell of it was pointed at.
  #complete() {
    const left = this.fitting;
    const isWhole = left.length === 1 && this.#next(left[0]) < 0;
    return isWhole ? { move: left[0].move } : {};
  }

  get needsChip() {
    const left = this.fitting;
    return this.isBegun && left.length > 1 && left.every((move) => this.#next(move) < 0);
  }

  // What can be chosen beside the board: the arguments that are no cells; or whole moves, where
  // what was pointed at means several.
  chips() {
    const left = this.fitting;
    const groups = new Map();
    for (const move of left) {
      if (!move.cells.some(Boolean)) continue;
      move.arguments.forEach((value, index) => {
        if (move.cells[index] || move.cells.length !== move.arguments.length) return;
        const name = move.parameters[index] ?? "";
        const group = groups.get(index) ?? { name, index, values: new Set() };
        group.values.add(value);
        groups.set(index, group);
      });
    }
    // What was chosen can be changed.
    for (const [index, { value }] of this.picked) {
      if (value === undefined) continue;
      const others = new Pick(this.legal);
      others.picked = new Map([...this.picked].filter(([each]) => each !== index));
      for (const move of others.fitting) groups.get(index)?.values.add(move.arguments[index]);
    }
    const found = [...groups.values()].map((each) => ({ ...each, values: [...each.values].sort(byNumber) })).filter((each) => each.values.length <= MOST_CHIPS);
    // Moves that point at no cell have no other place near the board.
    const plain = this.isBegun ? [] : left.filter((move) => !move.cells.some(Boolean));
    if (plain.length && plain.length <= MOST_PLAIN) found.push({ name: "", index: -1, values: plain.map((move) => move.text), move: new Map(plain.map((move) => [move.text, move.move])) });
    if (!found.length && this.needsChip) return [{ name: "which", index: -1, values: left.map((move) => move.text), move: new Map(left.map((move) => [move.text, move.move])) }];
    return found;
  }

  // The move that somebody may have meant who pointed at a cell where none begins.
  #attempt(key) {
    const base = this.fitting[0] ?? this.legal[0];
    const wasBegun = this.isBegun;
    const cell = document.querySelector(`[data-spot="${key}"]`)?.dataset.place;
    if (!base || !cell) return { wasBegun, text: null };
    const index = Math.max(this.#next(base), base.cells.findLastIndex(Boolean) * Number(this.#next(base) < 0));
    const said = base.arguments.map((value, at) => (at === index ? cell : value));
    return { wasBegun, text: `${base.name} ${said.join(" ")}` };
  }

  // What is known of the moves, at the cells that stand for them; the best first.
  values(judged) {
    const found = new Map();
    if (!judged) return found;
    const left = new Map(this.fitting.map((move) => [move.move, move]));
    for (const advice of judged.moves) {
      const move = left.get(advice.move);
      const index = move ? this.#next(move) : -1;
      if (index >= 0 && !found.has(spotKey(move.cells[index]))) found.set(spotKey(move.cells[index]), advice);
    }
    return found;
  }
}

const isAt = (move, index, key) => Boolean(move.cells[index]) && spotKey(move.cells[index]) === key;

const byNumber = (left, right) => Number(left) - Number(right) || left.localeCompare(right, "en", { numeric: true });
