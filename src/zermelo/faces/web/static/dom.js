// Elements made from data: nothing that a document says ever becomes markup.

export function h(tag, given = {}, ...children) {
  const [space, name] = tag.startsWith("svg:") ? ["http://www.w3.org/2000/svg", tag.slice(4)] : [null, tag];
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "vars") for (const [each, is] of Object.entries(value)) element.style.setProperty(`--${each}`, is);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "value" || (key in element && !space && typeof value !== "string")) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

const PATHS = {
  undo: "M9 6l-5 5 5 5M4 11h10a5 5 0 0 1 0 10h-3",
  redo: "M15 6l5 5-5 5M20 11H10a5 5 0 0 0 0 10h3",
  restart: "M6 8a8 8 0 1 1-1.600 6M6 3.500v5h5",
  close: "M6 6l12 12M18 6L6 18",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
  copy: "M9 9h10v11H9zM5 15V4h10",
};

export const icon = (name) => h("svg:svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("svg:path", { d: PATHS[name] }));

export const button = (words, onclick, given = {}) => h("button", { type: "button", onclick, ...given }, words);

// Lines as a prompt shows them: pieces of text, each with a tone.
export function lines(given) {
  return given.map(({ indent, pieces }) =>
    h(
      "p",
      { class: pieces.length ? "said" : "said blank", vars: { indent: String(indent) } },
      pieces.map(([text, tone]) => (tone === "plain" ? text : h("span", { class: `is-${tone}` }, text))),
    ),
  );
}

// Messages put what they quote between backquotes.
export const quoted = (words) => words.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));

export const plain = (given) => given.map(({ pieces }) => pieces.map(([text]) => text).join("")).join(" ");

// Said once to whoever listens and does not look.
export function speak(words) {
  const place = document.getElementById("spoken");
  if (place.textContent === words) place.textContent = "";
  place.textContent = words;
}

// What is kept in this browser: for always, or with *isHere* for this tab until it is closed.
const shelf = (isHere) => (isHere ? sessionStorage : localStorage);

export function keep(name, value, { isHere = false } = {}) {
  try {
    if (value === null) shelf(isHere).removeItem(`zermelo.${name}`);
    else shelf(isHere).setItem(`zermelo.${name}`, value);
  } catch {
    // A browser may forbid it, or have no room; then it holds for this page.
  }
}

export function kept(name, { isHere = false } = {}) {
  try {
    return shelf(isHere).getItem(`zermelo.${name}`);
  } catch {
    return null;
  }
}
