// A picture of a position: boards of cells, a drawing, lamps, and chips for what stands beside.

import { h } from "./dom.js";

const TONES = 6;
const LETTERS = { win: "W", draw: "D", loss: "L", endless: "∞" };

export const spotKey = (spot) => spot.join(" ");

// *given* says which cells are lit, picked up or valued, by the keys of their spots.
export function drawPicture(picture, given = {}) {
  return [
    ...picture.boards.map((board, at) => drawBoard(board, at, picture, given)),
    picture.canvas ? drawCanvas(picture.canvas, given.isSmall) : null,
    drawBeside(picture),
  ].filter(Boolean);
}

function drawBoard(board, at, picture, given) {
  const rows = board.cells.length;
  const columns = board.columns.length;
  const names = new Map(picture.legend.map((each) => [each.mark, each.words]));
  const head = h(
    "div",
    { role: "row", class: "row head" },
    h("span", { role: "columnheader", class: "edge" }, h("span", { class: "unseen" }, board.name)),
    board.columns.map((label) => h("span", { role: "columnheader", class: "edge" }, label)),
  );
  const body = board.cells.map((cells, row) =>
    h(
      "div",
      { role: "row", class: "row" },
      h("span", { role: "rowheader", class: "edge" }, board.rows[row] ?? ""),
      cells.map((cell, column) => drawCell(cell, [at, row, column], board, names, given)),
    ),
  );
  const size = Math.max(...board.columns.map((label) => label.length));
  return h(
    "div",
    {
      class: `board${given.isSmall ? " is-small" : ""}${size > 3 ? " has-long-labels" : ""}`,
      role: given.isSmall ? "img" : "grid",
      "aria-label": given.isSmall ? `A position of ${given.title}` : `Board ${board.name}, ${rows} rows and ${columns} columns`,
      vars: { rows: String(rows), columns: String(columns) },
    },
    head,
    body,
  );
}

function drawCell(cell, spot, board, names, given) {
  if (cell === null) return h("span", { role: given.isSmall ? null : "gridcell", class: "hole", "aria-hidden": "true" });
  const key = spotKey(spot);
  const value = given.values?.get(key);
  const classes = ["cell"];
  if (cell.last) classes.push("is-last");
  if (given.lit?.has(key)) classes.push("is-lit");
  if (given.picked?.has(key)) classes.push("is-picked");
  if (given.shaded?.has(key)) classes.push("is-shaded");
  const said = [placeWords(cell, spot, board), cell.marks.map((mark) => names.get(mark.text) ?? mark.text).join(" and ") || "empty"];
  if (given.picked?.has(key)) said.push("picked up");
  if (given.lit?.has(key)) said.push("can be played");
  if (given.shaded?.has(key)) said.push(`in ${given.shade}`);
  if (cell.last) said.push("last move");
  if (value) said.push(value.words);
  return h(
    "span",
    {
      class: classes.join(" "),
      role: given.isSmall ? null : "gridcell",
      tabindex: given.isSmall ? null : given.focus === key ? "0" : "-1",
      data: cell.place === null ? { spot: key } : { spot: key, place: cell.place },
      "aria-label": given.isSmall ? null : said.join(", "),
      "aria-selected": given.picked?.has(key) ? "true" : null,
    },
    drawMarks(cell.marks),
    value ? h("span", { class: `badge is-${value.kind}` }, badge(value)) : null,
  );
}

// W 5 wins in five plies; where nothing is proved, how often random plays are won.
function badge({ kind, plies, chance }) {
  if (kind === "unknown") return chance === null ? "?" : `${Math.round(100 * chance)} %`;
  return plies && kind !== "draw" ? `${LETTERS[kind]} ${plies}` : LETTERS[kind];
}

function placeWords(cell, [, row, column], board) {
  const label = board.rows[row];
  return label ? `${label}, ${board.columns[column]}` : (cell.place ?? board.columns[column]);
}

function drawMarks(marks) {
  if (marks.length === 0) return null;
  const length = Math.max(...marks.map((mark) => [...mark.text].length));
  return h(
    "span",
    { class: `marks count-${Math.min(marks.length, 5)} length-${length > 8 ? 9 : length > 4 ? 5 : length > 2 ? 3 : 1}`, "aria-hidden": "true" },
    marks.map((mark) => h("span", { class: mark.tone === null ? "piece" : `piece tone-${mark.tone % TONES}` }, mark.text)),
  );
}

function drawBeside(picture) {
  const legend = picture.legend.filter((each) => each.words !== each.mark);
  if (!legend.length && !picture.lamps.length && !picture.entries.length) return null;
  return h(
    "div",
    { class: "beside" },
    legend.map((each) =>
      h("span", { class: "meaning" }, h("span", { class: `piece tone-${(each.tone ?? 5) % TONES}`, "aria-hidden": "true" }, each.mark), each.words),
    ),
    picture.lamps.map((lamp) =>
      h("span", { class: `lamp${lamp.lit ? " is-lit" : ""}` }, h("span", { class: "bulb", "aria-hidden": "true" }), lamp.name, h("span", { class: "state" }, lamp.lit ? "true" : "false")),
    ),
    picture.entries.map((entry) => h("span", { class: "chip" }, h("span", { class: "name" }, entry.name), h("span", { class: "value" }, entry.value))),
  );
}

// A drawing with its own points: y grows upwards there.
function drawCanvas({ width, height, shapes }, isSmall = false) {
  const up = ([x, y]) => [x, height - y];
  const box = isSmall ? around(shapes, up) : `0 0 ${width} ${height}`;
  return h(
    "svg:svg",
    { class: "drawing", viewBox: box, role: "img", "aria-label": `Drawing: ${shapes.filter((each) => each.kind === "text").map((each) => each.text).join(", ") || "lines"}` },
    shapes.map((shape) => {
      if (shape.kind === "line") {
        const [[x1, y1], [x2, y2]] = [up(shape.from), up(shape.to)];
        return h("svg:line", { x1: String(x1), y1: String(y1), x2: String(x2), y2: String(y2), stroke: shape.color, "stroke-width": "2" });
      }
      if (shape.kind === "circle") {
        const [cx, cy] = up(shape.at);
        return h("svg:circle", { cx: String(cx), cy: String(cy), r: String(shape.radius), stroke: shape.color, fill: shape.filled ? shape.color : "none", "stroke-width": "2" });
      }
      if (shape.kind === "area") {
        return h("svg:polygon", { points: shape.corners.map((each) => up(each).join(",")).join(" "), fill: shape.color });
      }
      const [x, y] = up(shape.at);
      return h("svg:text", { x: String(x), y: String(y + 0.35 * shape.height), "text-anchor": "middle", "font-size": String(shape.height), fill: shape.color }, shape.text);
    }),
  );
}

// The part of a drawing that has something in it.
function around(shapes, up) {
  const points = shapes.flatMap((shape) => {
    if (shape.kind === "line") return [shape.from, shape.to];
    return shape.kind === "area" ? shape.corners : [shape.at];
  });
  const [xs, ys] = [points.map((each) => up(each)[0]), points.map((each) => up(each)[1])];
  const [left, top] = [Math.min(...xs) - 60, Math.min(...ys) - 40];
  return `${left} ${top} ${Math.max(...xs) + 60 - left} ${Math.max(...ys) + 40 - top}`;
}

// Where the arrow keys lead from a cell.
export function neighbour(board, key, name) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const [down, right] = steps[name];
  let [at, row, column] = key.split(" ").map(Number);
  for (;;) {
    row += down;
    column += right;
    const found = board.querySelector(`[data-spot="${at} ${row} ${column}"]`);
    if (found) return found;
    // A hole is stepped over; beyond the edge there is nothing.
    if (row < 0 || column < 0 || row > 200 || column > 200) return null;
  }
}
