// Time: where we are, what there is to go back to, and where something changed.

const MOST_MARKS = 20000;

export class Timeline {
  constructor({ slider, marks, frame }) {
    this.slider = slider;
    this.marks = marks;
    this.frame = frame;
    this.now = { frame: 0, first: 0, last: 0 };
    this.changes = [];
    this.isDue = false;
    new ResizeObserver(() => this.#draw()).observe(marks);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
  }

  // Take what the engine says of time; what lay after *last* has not happened any more.
  update({ frame, first, last, changed, changes }) {
    if (changes) this.changes = changes;
    const { now } = this;
    if (frame !== undefined) now.frame = frame;
    if (first !== undefined) now.first = first;
    if (last !== undefined) {
      now.last = last;
      while (this.changes.length && this.changes.at(-1) > last) this.changes.pop();
    }
    if (changed) this.changes.push(...changed);
    if (this.changes.length > MOST_MARKS) this.changes.splice(0, MOST_MARKS / 4);
    this.#show();
  }

  get isPast() {
    return this.now.frame < this.now.last;
  }

  // The frame in which the state before the one shown began; the first frame if none is known.
  before() {
    const { frame, first } = this.now;
    const began = this.changes.findLastIndex((at) => at <= frame);
    return Math.max(this.changes[began - 1] ?? first, first);
  }

  // The frame in which the state after the one shown began; the last frame if there is none.
  after() {
    const { frame, last } = this.now;
    return this.changes.find((at) => at > frame) ?? last;
  }

  #show() {
    const { frame, first, last } = this.now;
    const { slider } = this;
    slider.min = first;
    slider.max = Math.max(last, first + 1);
    slider.value = frame;
    slider.setAttribute("aria-valuetext", `frame ${frame} of ${last}`);
    const all = this.isPast ? ` of ${last.toLocaleString("en")}` : "";
    this.frame.textContent = `frame ${frame.toLocaleString("en")}${all}`;
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => this.#draw());
  }

  // A tick for each change, over the slider, whose thumb keeps half its width from the ends.
  #draw() {
    this.isDue = false;
    const { marks } = this;
    const ratio = window.devicePixelRatio || 1;
    const wide = Math.round(marks.clientWidth * ratio);
    const high = Math.round(marks.clientHeight * ratio);
    if (marks.width !== wide || marks.height !== high) [marks.width, marks.height] = [wide, high];
    const context = marks.getContext("2d");
    context.clearRect(0, 0, wide, high);
    const { first, last } = this.now;
    const span = Math.max(last - first, 1);
    const edge = 8 * ratio;
    context.fillStyle = getComputedStyle(marks).getPropertyValue("--accent");
    let drawn = -1;
    for (const at of this.changes) {
      if (at < first) continue;
      const x = Math.round(edge + ((at - first) / span) * (wide - 2 * edge) - ratio);
      if (x === drawn) continue;
      drawn = x;
      context.fillRect(x, high * 0.25, Math.round(1.5 * ratio), high * 0.75);
    }
  }
}
