// The states around a position, in rows by ply: a drawing in SVG, where each state can be gone to.

import { h } from "./dom.js";

const CELL = 11;
const GAP = 14;
const ROW = 44;
const LINE = 13;

export function drawAround({ nodes, arcs }, go) {
  const sizes = nodes.map(size);
  const rows = [];
  nodes.forEach((node, at) => (rows[node.ply] ??= []).push(at));
  const places = [];
  let top = 10;
  let wide = 0;
  for (const row of rows) {
    let left = 44;
    const high = Math.max(...row.map((at) => sizes[at].high));
    for (const at of row) {
      places[at] = { x: left, y: top, ...sizes[at] };
      left += sizes[at].wide + GAP;
    }
    wide = Math.max(wide, left);
    top += high + ROW;
  }
  // Each row stands in the middle, below the one before.
  for (const row of rows) {
    const last = places[row.at(-1)];
    const shift = (wide - (last.x + last.wide + GAP)) / 2;
    for (const at of row) places[at].x += shift;
  }
  const svg = h(
    "svg:svg",
    { class: "graph", width: String(wide), height: String(top), viewBox: `0 0 ${wide} ${top}`, role: "group", "aria-label": "States and the moves between them" },
    rows.map((row, ply) => h("svg:text", { class: "ply", x: "4", y: String(places[row[0]].y + 14) }, `ply ${ply}`)),
    arcs.map(([from, to, words]) => drawArc(places[from], places[to], words)),
    nodes.map((node, at) => drawNode(node, places[at], go)),
  );
  const frame = h("div", { class: "scroll graph", tabindex: "0", role: "region", "aria-label": "The graph around the position" }, svg);
  // The present position is in the middle of what one sees.
  requestAnimationFrame(() => (frame.scrollLeft = (wide - frame.clientWidth) / 2));
  return frame;
}

function size(node) {
  const columns = node.grid[0]?.length ?? 0;
  const words = [...node.lines, node.outcome ?? "", node.grid.length ? "" : (node.player ?? "")];
  const letters = Math.max(0, ...words.map((each) => each.length)) * 6.2;
  return { wide: Math.max(30, columns * CELL + 12, letters + 12), high: node.grid.length * CELL + words.filter(Boolean).length * LINE + 12 };
}

function drawNode(node, { x, y, wide, high }, go) {
  const marks = node.grid.flatMap((cells, row) =>
    cells.map((cell, column) =>
      cell === null ? null : [
        h("svg:rect", { class: "cell", x: String((wide - cells.length * CELL) / 2 + column * CELL), y: String(6 + row * CELL), width: String(CELL), height: String(CELL) }),
        cell ? h("svg:text", { class: "mark", x: String((wide - cells.length * CELL) / 2 + (column + 0.5) * CELL), y: String(6 + (row + 0.5) * CELL + 3) }, cell) : null,
      ],
    ),
  );
  const words = [...node.lines, node.outcome ?? "", node.grid.length ? "" : (node.player ?? "")].filter(Boolean);
  const last = node.moves.at(-1);
  const act = () => node.here || go(node.moves);
  return h(
    "svg:g",
    {
      class: `node${node.here ? " is-here" : ""}${node.outcome ? " is-over" : ""}`,
      transform: `translate(${x} ${y})`,
      tabindex: node.here ? null : "0",
      role: node.here ? "img" : "button",
      "aria-label": `${node.here ? "this position" : last ? `after ${node.moves.join(", ")}` : "the beginning"}${node.outcome ? `: ${node.outcome}` : node.player ? `, ${node.player} to move` : ""}`,
      onclick: act,
      onkeydown: (event) => (event.key === "Enter" || event.key === " ") && act(),
    },
    h("svg:rect", { class: "box", width: String(wide), height: String(high), rx: "4" }),
    marks.flat(),
    words.map((each, at) => h("svg:text", { class: "words", x: String(wide / 2), y: String(high - (words.length - 1 - at) * LINE - 7) }, each)),
  );
}

function drawArc(from, to, words) {
  const [x1, y1, x2, y2] = [from.x + from.wide / 2, from.y + from.high, to.x + to.wide / 2, to.y];
  const middle = (y1 + y2) / 2;
  return h("svg:path", { class: "arc", d: y2 > y1 ? `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}` : `M${x1} ${y1}Q${(x1 + x2) / 2 + 40} ${middle} ${x2} ${y2}` }, h("svg:title", {}, words));
}
