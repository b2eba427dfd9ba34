// A picture of a position: boards of cells, a drawing, lamps, and chips for what stands beside.

import { h } from "./dom.js";

const TONES = 6;
const LETTERS = { win: "W", draw: "D", loss: "L", endless: "∞" };

export const spotKey = (spot) => spot.join(" ");

// *given* says which cells are lit, picked up or valued, by the keys of their spots.
export function drawPicture(picture, given = {}) {
  return [
    ...picture.boards.map((board, at) => drawBoard(board, at, picture, given)),
    ...picture.figures.map((figure, at) => drawFigure(figure, picture.boards.length + at, picture, given)),
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

// How a cell looks, and what is said of it: the classes, the words and the value.
function seen(cell, key, place, names, given) {
  const value = given.values?.get(key);
  const classes = [];
  if (cell.last) classes.push("is-last");
  if (given.lit?.has(key)) classes.push("is-lit");
  if (given.picked?.has(key)) classes.push("is-picked");
  if (given.shaded?.has(key)) classes.push("is-shaded");
  const said = [place, cell.marks.map((mark) => names.get(mark.text) ?? mark.text).join(" and ") || "empty"];
  if (given.picked?.has(key)) said.push("picked up");
  if (given.lit?.has(key)) said.push("can be played");
  if (given.shaded?.has(key)) said.push(`in ${given.shade}`);
  if (cell.last) said.push("last move");
  if (value) said.push(value.words);
  return { classes, said, value };
}

function drawCell(cell, spot, board, names, given) {
  if (cell === null) return h("span", { role: given.isSmall ? null : "gridcell", class: "hole", "aria-hidden": "true" });
  const key = spotKey(spot);
  const { classes, said, value } = seen(cell, key, placeWords(cell, spot, board), names, given);
  return h(
    "span",
    {
      class: ["cell", ...classes].join(" "),
      role: given.isSmall ? null : "gridcell",
      tabindex: given.isSmall ? null : given.focus === key ? "0" : "-1",
      data: cell.place === null ? { spot: key } : { spot: key, place: cell.place },
      "aria-label": given.isSmall ? null : [...said, ...(value ? [badge(value)] : [])].join(", "),
      "aria-selected": given.picked?.has(key) ? "true" : null,
    },
    drawMarks(cell.marks),
    value ? h("span", { class: `badge is-${value.kind}` }, badge(value)) : null,
  );
}

// Points, and lines between them. A line that nobody has is thin, and one that somebody has has the
// pattern of its owner and a letter, so that nothing is told by colour alone.

const UNIT = 100;
const POINT = 17;
const REACH = 13;

function drawFigure(figure, at, picture, given) {
  const names = new Map(picture.legend.map((each) => [each.mark, each.words]));
  const place = ([x, y]) => [x * UNIT, y * UNIT];
  const [xs, ys] = [0, 1].map((axis) => figure.points.map((each) => each.at[axis] * UNIT));
  const [left, top] = [Math.min(...xs) - 46, Math.min(...ys) - 46];
  const [wide, high] = [Math.max(...xs) + 46 - left, Math.max(...ys) + 46 - top];
  const part = (className, cell, row, column, words, inside) => {
    const key = spotKey([at, row, column]);
    const { classes, said, value } = seen(cell, key, words, names, given);
    const about = given.isSmall ? {} : { role: "button", tabindex: given.focus === key ? "0" : "-1", "aria-label": said.join(", "), "aria-pressed": given.picked?.has(key) ? "true" : null };
    return h("svg:g", { class: [className, ...classes].join(" "), data: { spot: key, place: cell.place }, ...about }, inside(value));
  };
  // A small sign beside a line: whose it is, or what the move there is worth.
  const sign = ([x, y], className, words) => [h("svg:rect", { class: `ground ${className}`, x: String(x - 7 - 3.5 * words.length), y: String(y - 11), width: String(14 + 7 * words.length), height: "22", rx: "11" }), h("svg:text", { class: className, x: String(x), y: String(y + 5) }, words)];
  const edges = figure.edges.map(({ ends, name, cell }, number) => {
    const [[x1, y1], [x2, y2]] = ends.map((end) => place(figure.points[end].at));
    const line = (className) => h("svg:line", { class: className, x1: String(x1), y1: String(y1), x2: String(x2), y2: String(y2) });
    // What one points at is as wide as a finger, and shorter than the line, which ends at a point.
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [along, across] = [[(x2 - x1) / length, (y2 - y1) / length], [(y1 - y2) / length, (x2 - x1) / length]];
    const corner = (from, sign, side) => [0, 1].map((axis) => from[axis] + sign * POINT * along[axis] + side * REACH * across[axis]).join(",");
    const reach = h("svg:polygon", { class: "reach", points: [corner([x1, y1], 1, 1), corner([x2, y2], -1, 1), corner([x2, y2], -1, -1), corner([x1, y1], 1, -1)].join(" ") });
    // Not in the middle, where lines cross.
    const [x, y] = [x1 + 0.36 * (x2 - x1), y1 + 0.36 * (y2 - y1)];
    const tone = cell.marks.length ? (cell.marks[0].tone ?? 5) % TONES : null;
    const mark = cell.marks.map((each) => each.text).join(" ");
    return part("edge", cell, 1, number, `line ${name}`, (value) => [reach, line(tone === null ? "stroke" : `stroke is-owned tone-${tone}`), h("svg:circle", { class: "handle", cx: String(x), cy: String(y), r: "9" }), mark ? sign([x, y], `owner tone-${tone}`, mark) : null, value ? sign([x, y], `is-${value.kind}`, badge(value)) : null]);
  });
  const points = figure.points.map(({ at: spot, name, cell }, number) => {
    const [x, y] = place(spot);
    const said = cell.marks.map((mark) => mark.text).join(" ");
    const tone = cell.marks.length ? (cell.marks[0].tone ?? 5) % TONES : null;
    return part("point", cell, 0, number, `point ${name}`, (value) => [h("svg:circle", { class: tone === null ? "dot" : `dot is-owned tone-${tone}`, cx: String(x), cy: String(y), r: String(POINT) }), h("svg:text", { x: String(x), y: String(y + 5) }, said || name), value ? sign([x + 20, y + 20], `is-${value.kind}`, badge(value)) : null]);
  });
  return h(
    "svg:svg",
    { class: `figure${given.isSmall ? " is-small" : ""}`, viewBox: `${left} ${top} ${wide} ${high}`, role: given.isSmall ? "img" : "group", "aria-label": given.isSmall ? `A position of ${given.title}` : `Figure ${figure.name}, ${figure.points.length} points and ${figure.edges.length} lines`, vars: { wide: `${wide}`, high: `${high}` } },
    edges,
    points,
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
