// Signs to pick: a toolbar that is one stop of the Tab key, with arrows inside.

export const mountPalette = (symbols, onPick) => {
  const bar = document.createElement("div");
  bar.className = "write-palette";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Symbols");

  const buttons = () => [...bar.children];
  const go = (to) => {
    const all = buttons();
    const next = all[(to + all.length) % all.length];
    if (!next) return;
    for (const each of all) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  };

  const show = (list) => {
    bar.replaceChildren(
      ...list.map((symbol, at) => {
        const button = document.createElement("button");
        const how = symbol.commands.length ? `\\${symbol.commands[0]}` : "";
        button.type = "button";
        button.tabIndex = at === 0 ? 0 : -1;
        button.textContent = symbol.text;
        button.title = how;
        button.setAttribute("aria-label", `${symbol.text} ${how.slice(1)}`);
        button.addEventListener("click", () => onPick(symbol.text));
        return button;
      }),
    );
    bar.hidden = list.length === 0;
  };

  bar.addEventListener("keydown", (event) => {
    const at = buttons().indexOf(event.target);
    if (at < 0) return;
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    go(steps[event.key]);
  });

  show(symbols);
  return { element: bar, show };
};
