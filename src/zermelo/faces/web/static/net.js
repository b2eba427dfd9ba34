// A net as it is drawn: tokens in places, and transitions that fire when they are clicked.

import { button, h } from "./dom.js";

const MOST_DOTS = 6;
const RADIUS = 17;

// *fire* makes a move; *explain* says why a transition does not fire.
export function drawNet(found, { fire, explain }) {
  if (!found.boxes.length) return found.words ? [h("p", { class: "soft" }, found.words)] : [];
  const choices = h("div", { class: "ways", hidden: true, role: "group" });
  const choose = (box) => {
    if (!box.moves.length) return explain(box.name);
    if (box.moves.length === 1) return fire(box.moves[0].move);
    choices.hidden = false;
    choices.setAttribute("aria-label", `Ways to fire ${box.name}`);
    choices.replaceChildren(h("span", { class: "name" }, box.name), ...box.moves.map(({ move, text }) => button(text, () => fire(move), { class: "move" })));
    choices.querySelector("button").focus();
    return null;
  };
  const head = (id, turned) => h("svg:marker", { id, viewBox: "0 0 8 8", refX: turned ? "1" : "7", refY: "4", markerWidth: "7", markerHeight: "7", orient: "auto" }, h("svg:path", { d: turned ? "M7,1 L0,4 L7,7 z" : "M0,1 L7,4 L0,7 z" }));
  const drawing = h(
    "svg:svg",
    { class: "net", viewBox: `0 50 ${found.width} ${found.height - 50}`, width: String(found.width), height: String(found.height - 50), role: "group", "aria-label": "The net" },
    h("svg:defs", {}, head("net-head", false), head("net-tail", true)),
    found.arcs.map(arc),
    found.boxes.map((box) => (box.round ? place(box) : transition(box, choose))),
  );
  return [h("div", { class: "net-place", tabindex: "0", role: "region", "aria-label": "The net, which can be scrolled" }, drawing), choices];
}

function arc({ points, label, at, both, title }) {
  const [first, ...rest] = points.map(([x, y]) => `${x},${y}`);
  return h(
    "svg:g",
    { class: "net-arc" },
    h("svg:path", { d: `M${first} C${rest.join(" ")}`, "marker-end": "url(#net-head)", "marker-start": both ? "url(#net-tail)" : null }),
    label && at ? h("svg:text", { x: String(at[0]), y: String(at[1] + 3.5) }, label) : null,
    h("svg:title", {}, title),
  );
}

function words(box, x, y) {
  return [...box.lines.map((line) => [line, "line"]), ...box.notes.map((line) => [line, "note"])].map(([line, kind], at) => h("svg:text", { class: kind, x: String(x), y: String(y + 15 * at) }, line));
}

function place(box) {
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const dots = [];
  if (box.tokens > MOST_DOTS) dots.push(h("svg:text", { class: "count", x: String(x), y: String(y + 4) }, String(box.tokens)));
  else {
    const ring = box.tokens === 1 ? 0 : RADIUS * 0.5;
    for (let at = 0; at < box.tokens; at += 1) {
      const turn = (2 * Math.PI * at) / box.tokens - Math.PI / 2;
      dots.push(h("svg:circle", { class: "token", cx: String(x + ring * Math.cos(turn)), cy: String(y + ring * Math.sin(turn)), r: "3.6" }));
    }
  }
  const about = `${box.title}${box.tokens ? "" : " (empty)"}`;
  return h("svg:g", { class: "net-node", role: "img", "aria-label": about, data: { place: box.name.split(":")[0] } }, h("svg:title", {}, box.title), outline(box, RADIUS), dots, words(box, box.left + box.width + 4, y + 4));
}

function transition(box, choose) {
  const can = box.moves.length > 0;
  const ways = box.moves.length > 1 ? `, ${box.moves.length} ways` : "";
  const press = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(box);
  };
  return h(
    "svg:g",
    { class: `net-node is-transition${can ? " can-fire" : ""}`, role: "button", tabindex: "0", "aria-label": `${box.name}: ${can ? `can fire${ways}` : "cannot fire"}`, data: { transition: box.name }, onclick: press, onkeydown: press },
    h("svg:title", {}, box.title),
    outline(box, 6),
    words(box, box.left + box.width / 2, box.top + 17),
  );
}

const outline = (box, round) => h("svg:rect", { x: String(box.left), y: String(box.top), width: String(box.width), height: String(box.height), rx: String(round) });
