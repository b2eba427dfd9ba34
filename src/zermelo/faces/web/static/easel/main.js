// The page of an Easel program: the engine runs in Python, this shows it and tells it what is done.

import { Connection } from "./connection.js";
import { Held } from "./keys.js";
import { HEIGHT, Picture, WIDTH } from "./picture.js";
import { Sound } from "./sound.js";
import { Timeline } from "./timeline.js";
import { kept as keptTheme } from "../dom.js";

const RATE = 30; // frames in a second of the program
const READING = 6000; // milliseconds that a fault of a single frame can be read

const part = (id) => document.getElementById(id);
const canvas = part("canvas");
const picture = new Picture(canvas, part("shown"));
const sound = new Sound();
const timeline = new Timeline({
  slider: part("slider"),
  marks: part("marks"),
  frame: part("frame"),
});
if (keptTheme("theme")) document.documentElement.dataset.theme = keptTheme("theme");
let isPlaying = true;
let waiting = 0;

const connection = new Connection({ onMessage: receive, onChange: connected });
const send = (message) => connection.send(message);
const held = new Held(send);

// Who was let in before may open the address again; its token is for nobody to see. Over a page of
// a program that has ended it is the way into the one that runs now.
if (location.hash) hideToken();
window.addEventListener("hashchange", () => (connection.isOpen ? hideToken() : location.reload()));

function hideToken() {
  history.replaceState(null, "", location.pathname);
}

// What the engine says

function receive(message) {
  if (message.title !== undefined) {
    part("title").textContent = message.title;
    document.title = `${message.title} · Easel`;
  }
  if (message.playing !== undefined) isPlaying = message.playing;
  if (message.waiting !== undefined) waiting = message.waiting;
  if (message.speed !== undefined) part("speed").value = String(message.speed);
  if (message.drawing !== undefined) picture.show(message.drawing);
  if (message.state !== undefined) showState(message.state);
  if (message.input !== undefined) showInput(message.input);
  if (message.busy !== undefined) showBusy(message.busy);
  if (message.sounds !== undefined) sound.play(message.sounds);
  timeline.update(message);
  if (message.faults !== undefined) showFaults(message.faults);
  picture.showTime(timeline.now.frame / RATE);
  showMode();
  speak();
  if (message.refused !== undefined) part("link").textContent = `the program did not take this: ${message.refused}`;
  // What tests and other programs read: the frame that this page shows.
  if (message.frame !== undefined) canvas.dataset.frame = timeline.now.frame;
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
  document.body.classList.toggle("is-paused", !isPlaying);
  document.body.classList.toggle("is-past", timeline.isPast);
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

function showBusy(isBusy) {
  if (!connection.isOpen) return;
  part("link").textContent = isBusy ? "this frame takes long" : "connected";
}

// Those who listen hear the texts when they change, and not more than once a second.
let spoken = "";
let speaking = 0;
function speak() {
  if (speaking) return;
  const words = [...part("shown").children].map((item) => item.textContent).join(", ");
  if (words === spoken) return;
  spoken = words;
  part("spoken").textContent = words;
  speaking = setTimeout(() => {
    speaking = 0;
    speak();
  }, 1000);
}

function connected(how, isNew = false, reason = "") {
  const isOpen = how === "open";
  part("link").className = isOpen ? "is-open" : "is-lost";
  part("link").textContent = isOpen ? "connected" : "not connected";
  part("veil").hidden = isOpen;
  part("veil-text").textContent = isOpen
    ? ""
    : reason || "The connection with the program was lost. Trying again …";
  for (const each of document.querySelectorAll(".controls button, .controls select, #slider")) {
    each.disabled = !isOpen;
  }
  part("sound").disabled = false;
  if (!isOpen) held.names.clear();
  if (isNew) part("link").textContent = "connected again, to a server that was started anew: the game begins anew too";
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
window.addEventListener("blur", () => held.releaseAll());

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
  sound: () => hush(!sound.isOn),
};
for (const [id, action] of Object.entries(act)) part(id).addEventListener("click", action);
part("slider").addEventListener("input", ({ target }) => send({ do: "go", frame: Number(target.value) }));
part("speed").addEventListener("change", ({ target }) => send({ do: "speed", speed: Number(target.value) }));

const SHORTCUTS = { p: "pause", ".": "step", ",": "back", "[": "before", "]": "after", r: "restart", m: "sound" };
document.addEventListener("keydown", (event) => {
  const isElsewhere = event.target.closest?.("#canvas, select, pre");
  if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || !part("shortcuts").checked) return;
  const id = SHORTCUTS[event.key.toLowerCase()];
  if (id === undefined || part(id).disabled) return;
  event.preventDefault();
  sound.wake();
  act[id]();
});

// What a person chose stays chosen.

function hush(isOn) {
  sound.isOn = isOn;
  part("sound").setAttribute("aria-pressed", String(isOn));
  keep("sound", isOn);
}

function keep(name, value) {
  try {
    localStorage.setItem(`zermelo.${name}`, String(value));
  } catch {
    // A browser may forbid it; then the choice holds for this page.
  }
}

function kept(name) {
  try {
    return localStorage.getItem(`zermelo.${name}`);
  } catch {
    return null;
  }
}

if (kept("sound") === "false") hush(false);
if (kept("shortcuts") === "false") part("shortcuts").checked = false;
part("shortcuts").addEventListener("change", ({ target }) => keep("shortcuts", target.checked));
