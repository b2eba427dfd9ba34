// A program on its canvas: the engine runs in Python, this shows it and tells it what is done.

import { button, h, keep, kept } from "../dom.js";
import * as server from "../server.js";
import { pack } from "../share.js";
import { Connection } from "./connection.js";
import { Held } from "./keys.js";
import { HEIGHT, Picture, WIDTH, useFilesOf } from "./picture.js";
import { ProgramText } from "./program.js";
import { Seats } from "./seats.js";
import { Sound } from "./sound.js";
import { Timeline } from "./timeline.js";

const RATE = 30; // frames in a second of the program
const READING = 6000; // milliseconds that a fault of a single frame can be read
const FEW = 6; // names that are watched at first
const MOST_LINK = 12000;
const IS_OWN = /^(?:[0-9a-f]{16}$|file-)/; // what is not of the library

const part = (id) => document.getElementById(id);

export function showRun(view, { document: name, values, go, nav }) {
  view.replaceChildren(part("run").content.cloneNode(true));
  nav.replaceChildren(h("a", { href: "#/" }, "Library"), h("a", { href: `#/run/${encodeURIComponent(name)}`, "aria-current": "page" }, "Canvas"), h("a", { href: `#/play/${encodeURIComponent(name)}?tab=values` }, "Moves"));
  const closing = new AbortController();
  const { signal } = closing;
  useFilesOf(name);

  const canvas = part("canvas");
  const picture = new Picture(canvas, part("shown"));
  const sound = new Sound();
  const timeline = new Timeline({ slider: part("slider"), marks: part("marks"), frame: part("frame") });
  let isPlaying = true;
  let waiting = 0;
  let source = null; // the state as a program writes it
  let wanted = values.get("state"); // a state that a link asks for
  let watched = null;
  let connection = null;

  const send = (message) => connection?.send(message) ?? false;
  const held = new Held(send);
  const text = new ProgramText(name, { send, reconnect: connect });
  const seats = new Seats(part("seats"), name, { send, refuse: (words) => said(words, "lost") });

  function connect(program) {
    connection?.close();
    connection = new Connection(program, { onMessage: receive, onChange: connected });
  }

  // What the engine says

  function receive(message) {
    if (message.broken !== undefined) return broken(message.broken);
    if (message.title !== undefined) entitle(message.title);
    if (message.names !== undefined) offer(message.names);
    if (message.playing !== undefined) isPlaying = message.playing;
    if (message.waiting !== undefined) waiting = message.waiting;
    if (message.speed !== undefined) part("speed").value = String(message.speed);
    if (message.drawing !== undefined) picture.show(message.drawing);
    if (message.state !== undefined) showState(message.state);
    if (message.source !== undefined) source = message.source;
    if (message.input !== undefined) showInput(message.input);
    if (message.watched !== undefined) showWatched(message.watched);
    if (message.outlined !== undefined) showOutlined(message.outlined);
    if (message.answers !== undefined) message.answers.forEach(showAnswer);
    if (message.lines !== undefined) showLines(message.lines);
    if (message.busy !== undefined) said(message.busy ? "this frame takes long" : "connected", "open");
    if (message.sounds !== undefined) sound.play(message.sounds);
    timeline.update(message);
    if (message.faults !== undefined) showFaults(message.faults);
    picture.showTime(timeline.now.frame / RATE);
    showMode();
    tell();
    if (message.program !== undefined) readAgain(message.program);
    if (message.refused !== undefined) said(`the program did not take this: ${message.refused}`, "open");
    if (message.source !== undefined || message.playing !== undefined || message.frame !== undefined) seats.look(source, isPlaying && !timeline.isPast && !waiting);
    // What tests and other programs read: the frame that this page shows.
    if (message.frame !== undefined) canvas.dataset.frame = timeline.now.frame;
  }

  function said(words, how) {
    part("engine").className = `is-${how}`;
    part("engine").textContent = words;
  }

  function entitle(title) {
    part("title").textContent = title;
    document.title = `${title} · Zermelo`;
  }

  function readAgain(about) {
    if (about.resumed) said("connected; the game goes on where it was", "open");
    else text.readAgain(about);
  }

  // There is nothing to run yet: the text is beside it, to be mended.
  function broken(words) {
    canvas.dataset.frame = "-1";
    entitle(text.title ?? "A program");
    part("veil").hidden = false;
    part("veil-text").textContent = words;
    turnTo("program");
  }

  // Lines break between short tuples rather than inside them.
  function showState(text) {
    const pieces = text.length > 5000 ? [text] : text.split(/(\([^(){}]{1,32}\)[,)}]*)/);
    part("state").replaceChildren(
      ...pieces.map((piece) => {
        if (!/^\([^(){}]*\)[,)}]*$/.test(piece)) return piece;
        const together = document.createElement("span");
        together.textContent = piece;
        return together;
      }),
    );
  }

  function showMode() {
    view.firstElementChild?.classList.toggle("is-paused", !isPlaying);
    const words = isPlaying ? "Pause" : timeline.isPast ? "Continue from here" : "Play";
    const button = part("pause");
    if (button.getAttribute("aria-label") !== words) {
      button.setAttribute("aria-label", words);
      button.title = `${words} (P)`;
    }
    let mode = isPlaying ? "" : timeline.isPast ? "in the past" : "paused";
    if (waiting) mode += `${mode ? " · " : ""}${waiting} ${waiting === 1 ? "click waits" : "clicks wait"}`;
    if (part("mode").textContent !== mode) part("mode").textContent = mode;
    part("back").disabled = part("before").disabled = timeline.now.frame <= timeline.now.first;
    part("after").disabled = !timeline.isPast;
  }

  function showInput({ clicked, x, y, keys }) {
    const rows = [
      ["mouseClicked", clicked ? "true" : "false", clicked],
      ["mouseX", x, false],
      ["mouseY", y, false],
      ["keys", keys, keys !== "{}"],
    ];
    part("input").replaceChildren(
      ...rows.map(([name, value, isOn]) => {
        const row = document.createElement("div");
        const term = document.createElement("dt");
        const said = document.createElement("dd");
        term.textContent = name;
        said.textContent = value;
        said.classList.toggle("is-on", isOn);
        row.append(term, said);
        return row;
      }),
    );
  }

  // What is watched

  function offer(names) {
    part("watch-names").replaceChildren(...names.map((each) => h("option", { value: each })));
    watched ??= names.slice(0, FEW);
    send({ do: "watch", texts: watched });
  }

  function watch(texts) {
    watched = texts;
    showWatched(watched.map(() => "…"));
    send({ do: "watch", texts });
  }

  function showWatched(shown) {
    part("watched").replaceChildren(
      ...shown.map((value, at) =>
        h("div", {}, h("dt", {}, watched[at]), h("dd", {}, h("span", {}, value), button("×", () => watch(watched.filter((_, other) => other !== at)), { class: "quiet small", "aria-label": `Do not watch ${watched[at]}` }))),
      ),
    );
  }

  part("watch").addEventListener("submit", (event) => {
    event.preventDefault();
    const asked = part("watch-text").value.trim();
    if (!asked || watched?.includes(asked)) return;
    watch([...(watched ?? []), asked].slice(-12));
    part("watch-text").value = "";
  });

  // What does something

  function showOutlined(outlined) {
    part("outlined").hidden = outlined === null;
    picture.edges = outlined?.inputs.flatMap(({ edges }) => edges) ?? [];
    picture.redraw();
    if (outlined === null) return;
    part("outlined-words").textContent = outlined.words || "The same can be done by pressing here.";
    part("outlined-list").replaceChildren(...outlined.inputs.map(({ move, words }) => h("li", {}, button(words, () => send({ do: "make", move }), { class: "move" }))));
  }

  // Questions and answers

  const asked = [];
  let recalled = 0;
  function showAnswer({ typed, answer }) {
    part("transcript").append(h("p", { class: "typed" }, h("code", {}, "cmd:>"), ` ${typed}`), h("pre", {}, answer));
    while (part("transcript").childElementCount > 400) part("transcript").firstElementChild.remove();
    part("transcript").scrollTop = part("transcript").scrollHeight;
  }

  part("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = part("ask-text").value.trim();
    if (!typed || !send({ do: "ask", text: typed.slice(0, 1000) })) return;
    asked.push(typed);
    recalled = asked.length;
    part("ask-text").value = "";
  });
  part("ask-text").addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !asked.length) return;
    event.preventDefault();
    recalled = Math.min(Math.max(recalled + step, 0), asked.length);
    event.target.value = asked[recalled] ?? "";
  });

  // Lines that were left when somebody went on from the past

  function showLines(lines) {
    part("lines").hidden = !lines.length;
    part("lines").replaceChildren(
      h("span", { class: "soft" }, lines.length === 1 ? "A line that was left:" : "Lines that were left:"),
      ...lines.map(({ number, fork, last, changes }) =>
        button(`from frame ${fork.toLocaleString("en")} to ${last.toLocaleString("en")}, ${changes} ${changes === 1 ? "change" : "changes"}`, () => send({ do: "line", number }), { class: "move" }),
      ),
    );
  }

  // A fault may be gone with the next frame, or be another one in each; one can read it all the same.
  let hiding = 0;
  let writing = 0;
  let faultsAt = 0;
  function showFaults(faults) {
    clearTimeout(hiding);
    if (faults.length === 0) {
      if (isPlaying) hiding = setTimeout(hideFaults, READING);
      else hideFaults();
      return;
    }
    clearTimeout(writing);
    const wait = isPlaying ? Math.max(faultsAt - performance.now(), 0) : 0;
    if (wait > 0) writing = setTimeout(() => writeFaults(faults), wait);
    else writeFaults(faults);
  }

  function writeFaults(faults) {
    faultsAt = performance.now() + 1000;
    part("faults").hidden = false;
    part("faults-frame").textContent = `frame ${timeline.now.frame.toLocaleString("en")}`;
    part("faults-text").replaceChildren(
      ...faults.map((fault) => {
        const [headline, ...rest] = fault.split("\n");
        const block = document.createElement("pre");
        const head = document.createElement("span");
        head.className = "headline";
        head.textContent = headline;
        block.append(head, rest.join("\n"));
        return block;
      }),
    );
  }

  function hideFaults() {
    clearTimeout(writing);
    part("faults").hidden = true;
    part("faults-text").replaceChildren();
  }
  part("faults-hide").addEventListener("click", hideFaults);

  // Those who listen hear the texts when they change, and not more than once a second.
  let spoken = "";
  let speaking = 0;
  function tell() {
    if (speaking || signal.aborted) return;
    const words = [...part("shown").children].map((item) => item.textContent).join(", ");
    if (words === spoken) return;
    spoken = words;
    part("said").textContent = words;
    speaking = setTimeout(() => {
      speaking = 0;
      tell();
    }, 1000);
  }

  function connected(how, isNew = false, reason = "") {
    if (how === "broken") {
      // A server that was started anew may have forgotten the text, which is still here.
      if (reason.startsWith("There is no such program")) text.bring().then((program) => (program ? connect(program) : broken(reason)));
      return;
    }
    const isOpen = how === "open";
    said(isOpen ? "connected" : "not connected", how);
    part("veil").hidden = isOpen;
    part("veil-text").textContent = isOpen ? "" : reason || "The connection with the program was lost. Trying again …";
    for (const each of view.querySelectorAll(".run-controls button, .run-controls select, #slider")) each.disabled = !isOpen;
    part("sound").disabled = false;
    if (!isOpen) return held.names.clear();
    if (isNew) said("connected again, to a server that was started anew", how);
    text.goOn(isNew);
    const before = isNew ? source : wanted;
    wanted = null;
    if (before) send({ do: "resume", state: before });
    if (part("outline").getAttribute("aria-pressed") === "true") send({ do: "outline", on: true });
  }

  // What is done with the mouse

  canvas.addEventListener("pointerdown", (event) => {
    sound.wake();
    if (event.button !== 0 || !event.isPrimary) return;
    send({ do: "click", ...picture.at(event.clientX, event.clientY) });
  });

  // A finger counts as a touch when it is lifted.
  canvas.addEventListener("pointerup", () => sound.wake());

  // The cursor is told once for each picture of the browser, which is as often as it can matter.
  let cursor = null;
  canvas.addEventListener("pointermove", (event) => {
    if (cursor === null) {
      requestAnimationFrame(() => {
        send({ do: "cursor", ...cursor });
        cursor = null;
      });
    }
    cursor = picture.at(event.clientX, event.clientY);
  });

  // What is done with the keyboard

  const POINTING = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

  canvas.addEventListener("keydown", (event) => {
    sound.wake();
    if (event.ctrlKey || event.metaKey || event.key === "Tab") return;
    if (event.altKey ? point(event) : held.down(event)) event.preventDefault();
  });
  canvas.addEventListener("keyup", (event) => {
    if (held.up(event)) event.preventDefault();
  });
  canvas.addEventListener("blur", () => {
    held.releaseAll();
    picture.pointer = null;
    picture.redraw();
  });
  window.addEventListener("blur", () => held.releaseAll(), { signal });

  // Alt and the arrows move a pointer, Alt and Enter click there.
  function point(event) {
    const [dx, dy] = POINTING[event.key] ?? [0, 0];
    if (event.key !== "Enter" && !dx && !dy) return false;
    const { x, y } = picture.pointer ?? { x: WIDTH / 2, y: HEIGHT / 2 };
    const far = event.shiftKey ? 5 : 50;
    picture.pointer = {
      x: Math.min(Math.max(x + dx * far, 0), WIDTH - 1),
      y: Math.min(Math.max(y + dy * far, 1), HEIGHT),
    };
    send({ do: event.key === "Enter" ? "click" : "cursor", ...picture.pointer });
    picture.redraw();
    return true;
  }

  // Controls

  const act = {
    pause: () => send({ do: isPlaying ? "pause" : "play" }),
    step: () => send({ do: "step" }),
    back: () => send({ do: "go", frame: Math.max(timeline.now.frame - 1, timeline.now.first) }),
    before: () => send({ do: "go", frame: timeline.before() }),
    after: () => send({ do: "go", frame: timeline.after() }),
    restart: () => {
      hideFaults();
      send({ do: "restart" });
    },
    outline: () => {
      const on = part("outline").getAttribute("aria-pressed") !== "true";
      part("outline").setAttribute("aria-pressed", String(on));
      if (on) turnTo("state");
      send({ do: "outline", on });
    },
    "link-here": () => copyLink(),
    sound: () => hush(!sound.isOn),
  };
  for (const [id, action] of Object.entries(act)) part(id).addEventListener("click", action);
  part("slider").addEventListener("input", ({ target }) => send({ do: "go", frame: Number(target.value) }));
  part("speed").addEventListener("change", ({ target }) => send({ do: "speed", speed: Number(target.value) }));

  const SHORTCUTS = { p: "pause", ".": "step", ",": "back", "[": "before", "]": "after", r: "restart", m: "sound", o: "outline", l: "link-here" };
  document.addEventListener(
    "keydown",
    (event) => {
      const isElsewhere = event.target.closest?.("#canvas, select, pre, input, textarea, .write-editor");
      if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || !part("shortcuts").checked) return;
      const id = SHORTCUTS[event.key.toLowerCase()];
      if (id === undefined || part(id).disabled) return;
      event.preventDefault();
      sound.wake();
      act[id]();
    },
    { signal },
  );

  // A link to the state that is shown; what is not of the library is packed into it.
  async function copyLink() {
    const asks = new URLSearchParams();
    let where = `run/${encodeURIComponent(text.program)}`;
    if (source !== null && source.length <= MOST_LINK) asks.set("state", source);
    if (IS_OWN.test(text.program)) {
      const found = await server.documentText(text.program);
      const packed = await pack(found.text);
      if (packed === null) return said("this program is too long for a link; download it, and hand on the file", "open");
      where = "open";
      asks.set("view", "run");
      asks.set("name", found.name);
      asks.set("text", packed);
    }
    const link = `${location.origin}${location.pathname}#/${where}?${asks}`;
    try {
      await navigator.clipboard.writeText(link);
      said("the link is copied: it leads to this state", "open");
    } catch {
      said(link, "open");
    }
    return null;
  }

  // Panels

  function turnTo(tab) {
    for (const each of part("run-tabs").children) {
      const isIt = each.dataset.tab === tab;
      each.setAttribute("aria-selected", String(isIt));
      each.tabIndex = isIt ? 0 : -1;
      part(`panel-${each.dataset.tab}`).hidden = !isIt;
    }
    if (tab === "program") text.show();
    if (tab === "prompt") part("ask-text").focus({ preventScroll: true });
  }
  for (const each of part("run-tabs").children) each.addEventListener("click", () => turnTo(each.dataset.tab));
  part("run-tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...part("run-tabs").children];
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    event.preventDefault();
    event.stopPropagation();
    turnTo(next.dataset.tab);
    next.focus();
  });

  // What a person chose stays chosen.

  function hush(isOn) {
    sound.isOn = isOn;
    part("sound").setAttribute("aria-pressed", String(isOn));
    keep("sound", isOn);
  }
  if (kept("sound") === "false") hush(false);
  if (kept("shortcuts") === "false") part("shortcuts").checked = false;
  part("shortcuts").addEventListener("change", ({ target }) => keep("shortcuts", target.checked));

  turnTo(values.get("tab") && part(`panel-${values.get("tab")}`) ? values.get("tab") : "state");
  connect(name);
  return () => {
    closing.abort();
    connection.close();
    seats.close();
    text.close();
  };
}
