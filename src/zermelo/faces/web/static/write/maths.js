// The document as mathematics. Elements are made one by one from the tree that the server gives:
// no text of a document is ever read as markup.

const MATHML = "http://www.w3.org/1998/Math/MathML";
const TAGS = new Set(["mi", "mn", "mo", "mtext", "mrow", "msup", "msub", "munder", "mtable", "mtr", "mtd"]);
const FORMS = new Set(["prefix", "infix", "postfix"]);
const DEEPEST = 400;
const PATIENCE = 120;

const withSpan = (made, span) => {
  if (Array.isArray(span)) {
    made.dataset.start = String(span[0]);
    made.dataset.end = String(span[1]);
  }
  return made;
};

const mathNode = (tree, depth = 0) => {
  if (!TAGS.has(tree.tag) || depth > DEEPEST) return document.createElementNS(MATHML, "mrow");
  const made = document.createElementNS(MATHML, tree.tag);
  if (FORMS.has(tree.form)) made.setAttribute("form", tree.form);
  if (tree.children) made.append(...tree.children.map((child) => mathNode(child, depth + 1)));
  else {
    made.textContent = tree.text;
    if (tree.tag === "mi" && [...tree.text].length > 1) made.classList.add("long");
  }
  return withSpan(made, tree.span);
};

const plain = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
};

const LEVELS = ["", "level-1", "level-2", "level-3"];

const blockNode = (block) => {
  const level = LEVELS[Math.min(block.level, LEVELS.length - 1)];
  if (block.kind === "title") return withSpan(plain("h1", "", block.text), block.span);
  if (block.kind === "heading") return withSpan(plain("h2", "", block.text), block.span);
  if (block.kind === "prose") return withSpan(plain("p", level, block.text), block.span);
  const made = document.createElement("div");
  made.className = `${block.kind} ${level}`.trim();
  if (block.kind === "formula" && block.math) {
    const math = document.createElementNS(MATHML, "math");
    math.setAttribute("display", "block");
    math.append(mathNode(block.math));
    made.append(math);
  } else if (block.kind === "source") {
    made.append(plain("pre", "", block.text));
    made.title = "not understood";
  } else made.append(plain("span", "", block.text));
  if (block.note) made.append(plain("small", "", block.note));
  return withSpan(made, block.span);
};

const spanOf = (node) => (node ? [Number(node.dataset.start), Number(node.dataset.end)] : null);
const spanned = (node) => (node instanceof Element ? node.closest("[data-start]") : null);

/**
 * Shows a document as mathematics in the element.
 *
 *   label              what a screen reader calls it
 *   onHover(span)      gives, or promises, {text, value, note} or null: what stands there
 *   onClick(span)      somebody wants to go to the source
 */
export const mountMaths = (place, { label = "Mathematics", onHover, onClick } = {}) => {
  const page = document.createElement("div");
  page.className = "write-maths";
  page.setAttribute("role", "region");
  page.setAttribute("aria-label", label);
  page.tabIndex = 0;
  const tip = document.createElement("div");
  tip.className = "write-value";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  place.append(page, tip);

  let under = null;
  let asked = 0;
  let timer = 0;

  const hide = () => {
    clearTimeout(timer);
    asked += 1;
    tip.hidden = true;
    under?.classList.remove("is-under");
    under = null;
  };

  const showAt = (node, found) => {
    tip.replaceChildren(plain("p", "what", found.text));
    if (found.value !== null) tip.append(plain("p", "is", found.value));
    if (found.note) tip.append(plain("p", "note", found.note));
    tip.hidden = false;
    const box = node.getBoundingClientRect();
    const around = place.getBoundingClientRect();
    const left = Math.max(0, Math.min(box.left - around.left, around.width - tip.offsetWidth));
    const isRoomBelow = box.bottom + tip.offsetHeight + 8 < window.innerHeight;
    const top = isRoomBelow ? box.bottom - around.top + 6 : box.top - around.top - tip.offsetHeight - 6;
    tip.style.left = `${left}px`;
    tip.style.top = `${top}px`;
  };

  const point = (node, patience = PATIENCE) => {
    if (node === under) return;
    hide();
    if (!node || !node.namespaceURI.endsWith("MathML")) return;
    under = node;
    node.classList.add("is-under");
    const turn = asked;
    timer = setTimeout(async () => {
      const found = await onHover?.(spanOf(node));
      if (found && turn === asked) showAt(node, found);
    }, patience);
  };

  page.addEventListener("pointerover", (event) => point(spanned(event.target)));
  page.addEventListener("pointerleave", hide);
  page.addEventListener("click", (event) => {
    const node = spanned(event.target);
    if (node) onClick?.(spanOf(node));
  });

  // By keyboard: up and down go from formula to formula, left and right through its parts.
  const formulas = () => [...page.querySelectorAll(".formula")];
  const parts = (formula) => [...formula.querySelectorAll("math [data-start]")];
  const step = (list, from, by) => list[Math.max(0, Math.min(list.length - 1, from + by))];
  page.addEventListener("keydown", (event) => {
    const formula = under?.closest(".formula");
    const all = formulas();
    let next = null;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const to = formula ? step(all, all.indexOf(formula), event.key === "ArrowDown" ? 1 : -1) : all[0];
      next = to && parts(to)[0];
    } else if ((event.key === "ArrowRight" || event.key === "ArrowLeft") && formula) {
      const list = parts(formula);
      next = step(list, list.indexOf(under), event.key === "ArrowRight" ? 1 : -1);
    } else if (event.key === "Enter" && under) onClick?.(spanOf(under));
    else if (event.key === "Escape") hide();
    else return;
    event.preventDefault();
    if (next) {
      next.scrollIntoView({ block: "nearest" });
      point(next, 0);
    }
  });
  page.addEventListener("blur", hide);

  return {
    show(blocks) {
      hide();
      page.replaceChildren(...blocks.map(blockNode));
      page.classList.remove("is-stale");
    },
    // The last good one stays, greyed, while the text is broken.
    setStale(isStale) {
      page.classList.toggle("is-stale", isStale);
    },
    highlight(span) {
      for (const each of page.querySelectorAll(".is-shown")) each.classList.remove("is-shown");
      if (!span) return;
      const [start, end] = span;
      let best = null;
      let least = Infinity;
      for (const each of page.querySelectorAll("[data-start]")) {
        const [from, to] = spanOf(each);
        if (from <= start && end <= to && to - from <= least) {
          best = each;
          least = to - from;
        }
      }
      best?.classList.add("is-shown");
      best?.scrollIntoView({ block: "nearest" });
    },
    destroy() {
      hide();
      page.remove();
      tip.remove();
    },
  };
};
