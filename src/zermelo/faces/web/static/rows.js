// Long lists: only the rows near what one sees are in the page. They come in blocks; a block that is
// far away is one empty element as high as it was, or as its rows usually are.

import { h } from "./dom.js";

const BLOCK = 50;

// Fill *parent* with *count* rows. *make(first, count)* gives the rows of a block, or promises them;
// *tag* is the element around a block, and *scroller* what is scrolled, if it is not the window.
export function virtualRows(parent, count, make, { tag = "div", rowHeight = 34, scroller = null, signal } = {}) {
  const blocks = [];
  for (let first = 0; first < count; first += BLOCK) {
    const size = Math.min(BLOCK, count - first);
    blocks.push({ first, size, high: size * rowHeight, place: h(tag, { class: "block" }) });
  }
  const watcher = new IntersectionObserver((seen) => seen.forEach((each) => (each.isIntersecting ? fill : empty)(blocks.find(({ place }) => place === each.target))), { root: scroller, rootMargin: "600px 0px" });

  async function fill(block) {
    if (block.isFull) return;
    block.isFull = true;
    const rows = await make(block.first, block.size);
    if (!block.isFull) return;
    block.place.replaceChildren(...rows);
    block.place.style.removeProperty("height");
  }

  function empty(block) {
    if (block.isFull) block.high = block.place.getBoundingClientRect().height || block.high;
    block.isFull = false;
    // A row in a table stands for what is not there; elsewhere the block itself does.
    const gap = tag === "tbody" ? h("tr", { "aria-hidden": "true" }, h("td", {})) : null;
    (gap ?? block.place).style.setProperty("height", `${block.high}px`);
    block.place.replaceChildren(...(gap ? [gap] : []));
  }

  // The first is there at once, so that a short list needs no second look.
  blocks.forEach((block, at) => at && empty(block));
  parent.append(...blocks.map(({ place }) => place));
  if (!blocks.length) return null;
  if (blocks.length === 1) return fill(blocks[0]);
  blocks.forEach(({ place }) => watcher.observe(place));
  signal?.addEventListener("abort", () => watcher.disconnect(), { once: true });
  return fill(blocks[0]);
}
