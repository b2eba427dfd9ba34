// Hand out: a link, the position and the play as pictures, and the document to be printed.

import { button, h } from "./dom.js";
import * as server from "./server.js";

const PICTURES = [
  ["svg", "SVG"],
  ["png", "PNG"],
  ["pdf", "PDF"],
  ["latex", "LaTeX"],
];
const TEXTS = [
  ["latex", "LaTeX article"],
  ["html", "Page to print"],
];

export function showHandOut(game, panel) {
  const said = h("p", { class: "soft", role: "status" });
  const coordinates = h("input", { type: "checkbox", id: "coordinates", checked: true });
  const preview = h("div", { class: "handout-look" });
  const ask = (what, format) => server.ask("handout", { ...game.place, what, format, coordinates: coordinates.checked ? "with" : "without" }, game.closing.signal);

  async function get(what, format) {
    try {
      said.textContent = "…";
      const { name, type, data, remark } = await ask(what, format);
      const address = URL.createObjectURL(new Blob([bytes(data)], { type }));
      h("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      said.textContent = `${name} is made.${remark ? ` ${remark}` : ""}`;
    } catch (error) {
      if (error.name !== "AbortError") said.textContent = error.message;
    }
  }

  // What would be handed out, as it looks.
  async function look(what) {
    try {
      const { data } = await ask(what, "png");
      const address = URL.createObjectURL(new Blob([bytes(data)], { type: "image/png" }));
      preview.replaceChildren(h("img", { src: address, onload: () => URL.revokeObjectURL(address), alt: what === "strip" ? "The play as a strip" : "The position as a picture" }));
    } catch (error) {
      if (error.name !== "AbortError") preview.replaceChildren(h("p", { class: "soft" }, error.message));
    }
  }

  const row = (words, what, formats) =>
    h("div", { class: "handout", role: "group", "aria-label": words }, h("span", { class: "handout-name" }, words), formats.map(([format, shown]) => button(shown, () => get(what, format), { class: "quiet small" })), what === "document" ? "" : button("Look", () => look(what), { class: "quiet small", "aria-label": `Look at: ${words}` }));

  panel.replaceChildren(
    h("h2", {}, "A link"),
    h("p", { class: "soft" }, "The address of this page leads to this position. A document that is not of the library is packed into the link."),
    button("Copy a link to this position", () => game.copyLink(), { class: "button" }),
    h("h2", {}, "Files"),
    ...(game.now ? [row("The position", "position", PICTURES), row("The play, move by move", "strip", PICTURES), h("label", { class: "handout-choice" }, coordinates, " with coordinates")] : []),
    row("The document", "document", TEXTS),
    said,
    preview,
  );
}

function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
