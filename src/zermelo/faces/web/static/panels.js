// What can be seen beside the board; each panel shows what the server says of the present position.

import { drawAround } from "./around.js";
import { drawDiagnostic, showDocument } from "./document.js";
import { button, h, lines } from "./dom.js";
import { virtualRows } from "./rows.js";
import { showHandOut } from "./handout.js";
import * as server from "./server.js";

const FEW = 24;
const MOST_SHOWN = 2000; // as many as the server sends

export const PANELS = {
  moves: { title: "Moves", show: showMoves },
  values: { title: "Values", show: showValues },
  rules: { title: "Rules", show: showRules },
  trace: { title: "Trace", show: showTrace },
  graph: { title: "Graph", show: showGraph },
  findings: { title: "Findings", show: showFindings },
  readings: { title: "Readings", show: showReadings },
  document: { title: "Document", show: showDocument },
  handout: { title: "Hand out", show: showHandOut },
};

const heading = (words) => h("h2", {}, words);
const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
const soft = (words) => h("p", { class: "soft" }, words);

// Work that takes long: how far it is, and a way to give it up.
async function working(panel, signal, name, question) {
  const words = h("span", {}, "working …");
  const giveUp = new AbortController();
  signal.addEventListener("abort", () => giveUp.abort(), { once: true });
  const place = h("p", { class: "progress", role: "status" }, h("span", { class: "busy" }), words, button("Stop", () => giveUp.abort(), { class: "quiet small" }));
  panel.append(place);
  try {
    return await server.work(name, question, {
      signal: giveUp.signal,
      onProgress: ({ phase, states, seconds, left }) => {
        words.textContent = `${phase}: ${states.toLocaleString("en")} states in ${seconds.toFixed(1)} s${left ? `, at most ${Math.ceil(left)} s more` : ""}`;
      },
    });
  } catch (error) {
    if (giveUp.signal.aborted && !signal.aborted) throw new server.Refused("Stopped.");
    throw error;
  } finally {
    place.remove();
  }
}

// Moves: those that can be made, one typed, and the lines that were tried

function showMoves(game, panel, signal) {
  if (!game.now) return;
  const { legal, count } = game.now;
  const typed = h("input", { id: "typed", type: "text", autocomplete: "off", spellcheck: "false", placeholder: legal[0]?.text ?? "" });
  const list = h("div", { class: "moves", role: "list", "aria-label": "Moves" });
  const fill = () => {
    const wanted = typed.value.trim().toLowerCase();
    const matching = legal.filter((move) => move.text.toLowerCase().includes(wanted));
    const found = matching.length ? matching : legal;
    list.replaceChildren();
    list.scrollTop = 0;
    const row = (move) => h("span", { role: "listitem" }, button(move.text, () => game.make(move.move), { class: "move" }));
    virtualRows(list, found.length, (first, size) => found.slice(first, first + size).map(row), { scroller: list, rowHeight: 12, signal });
  };
  const form = h(
    "form",
    {
      class: "type",
      onsubmit: (event) => {
        event.preventDefault();
        if (typed.value.trim()) game.make(typed.value.trim());
      },
    },
    h("label", { for: "typed" }, "Type a move"),
    typed,
    h("button", { class: "quiet" }, "Make it"),
  );
  if (count > FEW) typed.addEventListener("input", fill);
  fill();
  panel.replaceChildren(
    ...(game.tree.root.children.length ? [heading("Lines that were tried"), drawTree(game)] : []),
    ...(game.now.over ? [] : [heading(`${count.toLocaleString("en")} ${game.now.noun}${count === 1 ? "" : "s"} possible`), form, list]),
    count > MOST_SHOWN ? soft(`The first ${MOST_SHOWN} are listed; type to find others.`) : "",
    ...(game.info.aim.length ? [heading("How one wins"), h("div", {}, lines(game.info.aim))] : []),
    soft("Keys: arrows and Enter on the board, Esc lets go, U undo, R redo, N restart, L copy a link, B to the board."),
  );
}

function drawTree(game) {
  const name = (node) =>
    h(
      "button",
      { type: "button", class: `ply${node === game.tree.here ? " is-here" : ""}`, "aria-current": node === game.tree.here ? "step" : null, onclick: () => game.goTo(node) },
      node.text,
    );
  // The line one is on, with what else was tried in brackets behind each move, as in a book of chess.
  const line = (node, number) => {
    const found = [];
    for (let at = node, count = number; at; at = at.children[at.best] ?? null, count += 1) {
      found.push(h("li", { value: count }, name(at), at.parent.children.filter((each) => each !== at && at === at.parent.children[at.parent.best]).map((each) => h("ol", { class: "branch", start: String(count) }, line(each, count)))));
    }
    return found;
  };
  const first = game.tree.root.children[game.tree.root.best];
  return h("ol", { class: "tree" }, line(first, 1));
}

// Values: what each move leads to under perfect play

async function showValues(game, panel, signal) {
  if (!game.now) return;
  if (game.info.noSolution) {
    panel.replaceChildren(heading("Values"), soft(game.info.noSolution));
    return;
  }
  panel.replaceChildren(heading("What the position is worth"));
  const judged = await working(panel, signal, "judge", game.place);
  game.judged = judged;
  game.draw();
  const rows = judged.moves.map((each) =>
    h(
      "tr",
      {},
      h("td", {}, button(each.text, () => game.make(each.move), { class: "move" })),
      h("td", {}, h("span", { class: `verdict is-${each.kind}` }, each.words)),
      h("td", { class: "proof" }, each.proved ? h("span", { title: "proved" }, "✓ proved") : "not proved"),
    ),
  );
  const reviewing = h("div", { class: "reviewing" });
  // Going on with the first moves of the line leads to the position after the one that is clicked.
  const best = (judged.line ?? []).map((each, at) => h("li", {}, button(each.text, () => game.goToPlay([...game.tree.moves, ...judged.line.slice(0, at + 1).map(({ move }) => move)]), { class: "ply" })));
  panel.replaceChildren(
    heading("What the position is worth"),
    h("p", { class: `worth is-${judged.kind}` }, judged.value, " ", judged.proved ? h("span", { class: "proof" }, "proved") : null),
    ...(best.length ? [h("h3", {}, "Without a mistake from here"), h("ol", { class: "tree line" }, best)] : []),
    ...(rows.length
      ? [
          h("table", { class: "values" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "move"), h("th", { scope: "col" }, "for who makes it"), h("th", { scope: "col" }, ""))), h("tbody", {}, rows)),
          soft(`${judged.leftOut ? `${judged.leftOut.toLocaleString("en")} more moves did no better. ` : ""}Soonest win first, then draws, then the latest loss; distances are in plies.`),
          soft(sentence(judged.basis)),
        ]
      : []),
    ...(game.tree.here.parent ? [button("Review my game", () => review(game, reviewing, signal).catch((error) => error.name === "AbortError" || reviewing.replaceChildren(h("p", { class: "fault" }, error.message))), { class: "button" }), reviewing] : []),
  );
}

async function review(game, place, signal) {
  place.replaceChildren(heading("Your game"));
  const { moves, basis } = await working(place, signal, "review", game.place);
  const mistakes = moves.filter((each) => each.mistake).length;
  const nodes = game.tree.path(game.tree.here);
  place.replaceChildren(
    heading("Your game"),
    soft(mistakes ? `${mistakes} of ${moves.length} moves gave something away.` : "No move gave anything away."),
    h(
      "ol",
      { class: "review" },
      moves.map((each, at) =>
        h(
          "li",
          { class: each.mistake ? "is-mistake" : "" },
          h("p", {}, button(each.text, () => game.goTo(nodes[at].parent), { class: "move", title: "To the position before it" }), " ", each.player ? `${each.player}: ` : "", each.made ?? "not known"),
          each.mistake ? h("p", { class: "better" }, "Better: ", button(each.best.text, () => game.goTo(nodes[at].parent).then(() => game.make(each.best.move)), { class: "move" }), ` ${each.best.words}`) : null,
        ),
      ),
    ),
    soft(sentence(basis)),
  );
}

// Rules: what the last move tried

async function showRules(game, panel, signal) {
  if (!game.now) return;
  if (!game.tree.here.parent) {
    panel.replaceChildren(heading("Rules"), soft("No move has been made yet. After each, every rule that was tried stands here: which part of its guard held, and with what values."));
    return;
  }
  const { head, stages, foot } = await server.ask("rules", game.place, signal);
  // Pointing at a rule shows the board as it was when that rule was done.
  const stage = ({ lines: said, picture, changed }) => {
    if (!said.length) return null;
    if (!picture) return h("div", {}, lines(said));
    const look = () => game.preview(picture, changed ? "The board after this rule" : "The board after this rule, which changed nothing");
    return h("div", { class: `stage-of-turn${changed ? " has-changed" : ""}`, tabindex: "0", onpointerenter: look, onfocus: look, onpointerleave: () => game.preview(null), onblur: () => game.preview(null) }, lines(said));
  };
  panel.replaceChildren(
    soft("Point at a rule to see the board after it."),
    h("div", { class: "log" }, lines(head), stages.map(stage), lines(foot)),
  );
}

// Trace: the states of the play, with pinned expressions

async function showTrace(game, panel, signal) {
  if (!game.now) return;
  game.pinned ??= [];
  game.isFull ??= false;
  const ask = (first, pinned = game.pinned) => server.ask("trace", { ...game.place, pinned, first }, signal);
  // The end is where one is; the beginning comes when somebody scrolls up to it.
  const known = await ask(0);
  const nodes = [game.tree.root, ...game.tree.path(game.tree.here)];
  const pin = h("input", { id: "pin", type: "text", autocomplete: "off", spellcheck: "false", placeholder: `|${known.names[0] ?? "A"}|` });
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const form = h(
    "form",
    {
      class: "type",
      onsubmit: async (event) => {
        event.preventDefault();
        const text = pin.value.trim();
        if (!text) return;
        try {
          await ask(0, [...game.pinned, text]);
          game.pinned.push(text);
          await game.panel();
        } catch (error) {
          if (error.name === "AbortError") return;
          fault.textContent = error.message;
          fault.hidden = false;
        }
      },
    },
    h("label", { for: "pin" }, "Pin an expression"),
    pin,
    h("button", { class: "quiet" }, "Pin"),
  );
  const isFull = game.isFull;
  const changes = ({ values, changed }, at) => (at === 0 ? h("span", { class: "soft" }, "the first state") : changed.length ? changed.map((name) => h("div", {}, h("span", { class: "name" }, name), ` = ${values[name]}`)) : h("span", { class: "soft" }, "nothing changed"));
  const head = [...["", "move"], ...game.pinned, ...(isFull ? known.names : ["what changed"])];
  const row = (each, at) =>
    h(
      "tr",
      { class: at === known.count - 1 ? "is-here" : "" },
      h("td", { class: "number" }, String(at)),
      h("td", {}, button(each.move || "start", () => game.goTo(nodes[at]), { class: "move" })),
      each.pinned.map((value) => h("td", { class: "value" }, value)),
      isFull ? known.names.map((name) => h("td", { class: `value${each.changed.includes(name) ? " is-changed" : ""}` }, each.values[name] ?? "")) : h("td", { class: "value" }, changes(each, at)),
    );
  const rows = async (first, size) => {
    const isKnown = first + size <= known.rows.length;
    const told = isKnown ? known.rows.slice(first, first + size) : (await ask(first)).rows.slice(0, size);
    return told.map((each, at) => row(each, first + at));
  };
  const table = h("table", { class: "trace" }, h("thead", {}, h("tr", {}, head.map((each, at) => h("th", { scope: "col" }, each, at > 1 && at < 2 + game.pinned.length ? button("×", () => {
    game.pinned.splice(at - 2, 1);
    game.panel();
  }, { class: "quiet small", "aria-label": `Unpin ${each}` }) : null)))));
  const frame = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The states of the play" }, table);
  panel.replaceChildren(
    heading("Trace"),
    h("div", { class: "bar" }, form, button(isFull ? "Show what changed" : "Show full states", () => {
      game.isFull = !isFull;
      game.panel();
    }, { class: "quiet" })),
    fault,
    frame,
  );
  await virtualRows(table, known.count, rows, { tag: "tbody", scroller: frame, signal });
}

// Graph: what can come next, ply by ply

async function showGraph(game, panel, signal) {
  if (!game.now) return;
  game.plies ??= game.now.count > 6 ? 1 : 2;
  const isWhole = game.plies === "all";
  const found = await server.ask("around", { ...game.place, ...(isWhole ? { extent: "all" } : { plies: game.plies }) }, signal);
  const choose = ({ target }) => {
    game.plies = target.value === "all" ? "all" : Number(target.value);
    game.panel();
  };
  const option = (value, words) => h("option", { value: String(value), selected: value === game.plies }, words);
  const depth = h("select", { id: "plies", onchange: choose }, [1, 2, 3, 4, 5, 6].map((each) => option(each, each === 1 ? "1 ply" : `${each} plies`)), found.small || isWhole ? option("all", "the whole graph") : null);
  const counted = found.cut ? `the first ${found.most} states; there are more` : `${found.nodes.length} ${found.nodes.length === 1 ? "state" : "states"}${isWhole ? ", all that can be reached" : ""}`;
  panel.replaceChildren(
    heading(isWhole ? "All states" : "What can come next"),
    h("div", { class: "bar" }, h("label", { for: "plies" }, "show"), depth, soft(counted)),
    drawAround(found, (moves) => game.goToPlay(isWhole ? moves : [...game.tree.moves, ...moves])),
  );
}

// Findings: what check says, and the plays that show it

async function showFindings(game, panel, signal) {
  const key = `${game.name} ${JSON.stringify(game.readings)}`;
  if (game.checked?.key !== key) {
    panel.replaceChildren(heading("Findings"), soft("The document is read and played for a while."));
    const answer = await working(panel, signal, "check", { document: game.name, readings: game.readings });
    game.checked = { key, answer };
  }
  const { diagnostics, plays, seen, cut, complete } = game.checked.answer;
  panel.replaceChildren(
    heading("What playing showed"),
    h("div", { class: "log" }, lines(seen)),
    complete || !cut ? "" : soft(`Not everything was looked at: ${cut}.`),
    h("ul", { class: "plays" }, plays.map((each) => h("li", {}, button(each.text, () => game.goToPlay(each.moves), { class: "move" }), h("span", { class: "soft" }, ` after ${each.moves.length} ${each.moves.length === 1 ? "move" : "moves"}`)))),
    heading(diagnostics.length ? "What there is to say" : "There is nothing to say about the document"),
    h("ul", { class: "diagnostics" }, diagnostics.map((each) => h("li", { class: `is-${each.severity}` }, drawDiagnostic(each), each.play && game.now ? button(each.play.length ? `See it after ${each.play.length} ${each.play.length === 1 ? "move" : "moves"}` : "See it at the beginning", () => game.goToPlay(each.play), { class: "quiet small see-it" }) : null))),
  );
}

// Readings: what the document leaves open

async function showReadings(game, panel, signal) {
  const change = (name, choice) => {
    const values = new URLSearchParams();
    for (const [key, value] of Object.entries({ ...game.readings, [name]: choice })) values.set(`reading.${key}`, value);
    if (game.tree.here.parent) values.set("moves", JSON.stringify(game.tree.moves));
    values.set("tab", "readings");
    // What it was before is compared with what it is now.
    game.leaveWord({ readings: game.readings, name, choice });
    game.go(`play/${encodeURIComponent(game.name)}?${values}`);
  };
  const decided = Object.keys(game.readings);
  const told = h("div", { class: "matters", role: "status" });
  panel.replaceChildren(
    heading("What the document leaves open"),
    game.info?.readings.length ? "" : soft("Nothing."),
    told,
    h(
      "dl",
      { class: "readings" },
      (game.info?.readings ?? []).map((each) =>
        h(
          "div",
          {},
          h("dt", {}, each.name),
          h("dd", {}, h("select", { "aria-label": each.name, onchange: ({ target }) => change(each.name, target.value) }, each.choices.map((choice) => h("option", { value: choice, selected: choice === each.choice }, choice))), h("p", { class: "soft" }, each.reason)),
        ),
      ),
    ),
    ...(decided.length ? [button("As the document has it", () => game.go(`play/${encodeURIComponent(game.name)}?tab=readings`), { class: "quiet at-start" })] : []),
  );
  if (game.before && game.info?.loaded) await sayWhereItMatters(game, told, signal);
}

// The first play in which the reading that was just chosen differs from the one before.
async function sayWhereItMatters(game, place, signal) {
  const { readings, name, choice } = game.before;
  place.replaceChildren(soft(`${name} is now read ${choice}. Looking for the first play where that matters …`));
  const found = await working(place, signal, "compare", { document: game.name, readings: game.readings, others: readings });
  const moves = found.moves.length;
  const when = moves ? `after ${moves} ${moves === 1 ? "move" : "moves"}` : "at the beginning";
  if (found.equal !== false) {
    place.replaceChildren(h("p", {}, found.equal ? `${name} read ${choice}: no play is different.` : `${found.verdict}.`));
    return;
  }
  place.replaceChildren(
    h("p", {}, `${name} read ${choice} matters first ${when}: ${found.how}.`),
    h("dl", { class: "contrast" }, h("dt", {}, "before"), h("dd", {}, found.before), h("dt", {}, "now"), h("dd", {}, found.after)),
    button("Show that play", () => game.goToPlay(found.moves), { class: "button" }),
  );
}
