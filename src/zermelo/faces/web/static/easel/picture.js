// The picture: shapes on a canvas, and points of the canvas as points of the program.
//
// The point (x, y) of a program is the middle of a pixel: column x, row 800 - y from the top. What
// is drawn at a point is therefore where a click gives that point, at every size of the canvas.

export const WIDTH = 1000;
export const HEIGHT = 800;
const LINE_HEIGHT = 1.2; // from one line of a text to the next, in heights of the text
const BASELINE = 0.35; // how far below the middle of a line its letters stand
const MOST_PICTURES = 200; // in a file that moves

export class Picture {
  constructor(canvas, list) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.list = list;
    this.shapes = [];
    this.texts = "";
    this.pointer = null;
    this.edges = [];
    this.files = new Map();
    this.seconds = 0;
    this.isDue = false;
    new ResizeObserver((entries) => this.#fit(entries[0])).observe(canvas);
  }

  // Shapes are drawn when the browser next shows something, however often they change before.
  show(shapes) {
    this.shapes = shapes;
    this.#describe();
    this.redraw();
  }

  redraw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.#draw();
    });
  }

  // Moving pictures move with the program's time, so that they stand still and go back with it.
  showTime(seconds) {
    if (seconds === this.seconds) return;
    this.seconds = seconds;
    if (this.shapes.some(({ file }) => file && this.files.get(file)?.film)) this.redraw();
  }

  // The point of the program at a place of the window; the edges belong to the picture.
  at(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor(((clientX - box.left) / box.width) * WIDTH);
    const row = Math.floor(((clientY - box.top) / box.height) * HEIGHT);
    return {
      x: Math.min(Math.max(column, 0), WIDTH - 1),
      y: HEIGHT - Math.min(Math.max(row, 0), HEIGHT - 1),
    };
  }

  #fit(entry) {
    // The browser's own count of pixels is exact, but not of a screen that it only imitates.
    const ratio = window.devicePixelRatio || 1;
    const exact = entry.devicePixelContentBoxSize?.[0];
    const guess = { wide: entry.contentRect.width * ratio, high: entry.contentRect.height * ratio };
    const isExact = exact && Math.abs(exact.inlineSize - guess.wide) < 2;
    this.canvas.width = isExact ? exact.inlineSize : Math.round(guess.wide);
    this.canvas.height = isExact ? exact.blockSize : Math.round(guess.high);
    this.isDue = false;
    this.#draw();
  }

  // What the picture says, for those who do not see it.
  #describe() {
    const items = this.shapes.filter((shape) => shape.kind === "text");
    const key = JSON.stringify(items);
    if (key === this.texts) return;
    this.texts = key;
    this.list.replaceChildren(
      ...items.map((shape) => {
        const item = document.createElement("li");
        item.textContent = shape.text;
        item.dataset.at = shape.center.join(" ");
        item.dataset.height = shape.height;
        item.dataset.color = shape.color.join(" ");
        return item;
      }),
    );
  }

  #draw() {
    const { context, canvas } = this;
    this.sx = canvas.width / WIDTH;
    this.sy = canvas.height / HEIGHT;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (const shape of this.shapes) this.#shape(shape);
    if (this.edges.length) this.#outline();
    if (this.pointer) this.#cross(this.pointer);
  }

  // Around the regions that do something: light below dark, so that it is seen on every colour.
  #outline() {
    const { context } = this;
    context.save();
    context.lineCap = "butt";
    for (const [color, wide, dash] of [["#fff", 4, []], ["#2f5573", 2, [8, 5]]]) {
      context.strokeStyle = color;
      context.lineWidth = Math.max(wide * this.sx, wide / 1.5);
      context.setLineDash(dash.map((each) => each * Math.max(this.sx, 0.7)));
      context.beginPath();
      for (const [x1, y1, x2, y2] of this.edges) {
        context.moveTo(x1 * this.sx, (HEIGHT - y1) * this.sy);
        context.lineTo(x2 * this.sx, (HEIGHT - y2) * this.sy);
      }
      context.stroke();
    }
    context.restore();
  }

  #x(x) {
    return (x + 0.5) * this.sx;
  }

  #y(y) {
    return (HEIGHT + 0.5 - y) * this.sy;
  }

  // Lines are one pixel of the program wide and never thinner than one of the screen.
  #thickness() {
    return Math.max(1, Math.round(this.sx));
  }

  #shape(shape) {
    const { context } = this;
    const color = shape.color ? `rgb(${shape.color.join(" ")})` : "#000";
    context.fillStyle = color;
    context.strokeStyle = color;
    context.lineWidth = this.#thickness();
    context.lineCap = "square";
    context.beginPath();
    switch (shape.kind) {
      case "segment":
        this.#segment(shape.points);
        break;
      case "circle":
        this.#round(shape);
        context.stroke();
        break;
      case "disc":
        this.#round(shape);
        context.fill();
        break;
      case "fTri":
        for (const [x, y] of shape.points) context.lineTo(this.#x(x), this.#y(y));
        context.closePath();
        context.fill();
        break;
      case "text":
        this.#text(shape);
        break;
      case "graphic":
        this.#graphic(shape);
        break;
    }
  }

  // A line along the screen's pixels covers whole ones, so that it is sharp at every size.
  #segment([[x1, y1], [x2, y2]]) {
    const snap = (place) => {
      const wide = this.#thickness();
      return Math.round(place - wide / 2) + wide / 2;
    };
    const upright = x1 === x2;
    const level = y1 === y2;
    const place = (x, y) => [
      upright || level ? snap(this.#x(x)) : this.#x(x),
      upright || level ? snap(this.#y(y)) : this.#y(y),
    ];
    this.context.moveTo(...place(x1, y1));
    this.context.lineTo(...place(x2, y2));
    this.context.stroke();
  }

  #round({ center, radius }) {
    const [x, y] = center;
    this.context.ellipse(this.#x(x), this.#y(y), radius * this.sx, radius * this.sy, 0, 0, 7);
  }

  #text({ text, center, height }) {
    const { context } = this;
    const lines = text.split(/\r\n|[\n\r]/);
    context.font = `${height * this.sy}px monospace`;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    lines.forEach((line, at) => {
      const below = (LINE_HEIGHT * (at - (lines.length - 1) / 2) + BASELINE) * height;
      context.fillText(line, this.#x(center[0]), this.#y(center[1]) + below * this.sy);
    });
  }

  #graphic({ file, center, width, height }) {
    const { image, film } = this.#file(file);
    const wide = (width || image.naturalWidth || 64) * this.sx;
    const high = (height || image.naturalHeight || 64) * this.sy;
    const left = this.#x(center[0]) - wide / 2;
    const top = this.#y(center[1]) - high / 2;
    if (image.complete && image.naturalWidth) {
      this.context.drawImage(film ? film.at(this.seconds) : image, left, top, wide, high);
    } else if (image.complete) {
      this.#missing(file, left, top, wide, high);
    }
  }

  #file(name) {
    let file = this.files.get(name);
    if (!file) {
      file = { image: new Image(), film: null };
      file.image.onload = file.image.onerror = () => this.redraw();
      file.image.src = address(name);
      this.files.set(name, file);
      if (/\.(gif|webp)$/i.test(name)) {
        filmOf(address(name)).then((film) => {
          file.film = film;
          this.redraw();
        });
      }
    }
    return file;
  }

  // Where a picture should be that could not be had: its frame and its name.
  #missing(name, left, top, wide, high) {
    const { context } = this;
    context.save();
    context.strokeStyle = context.fillStyle = "#97341f";
    context.setLineDash([4 * this.sx, 4 * this.sx]);
    context.strokeRect(left, top, wide, high);
    context.font = `${13 * this.sy}px monospace`;
    context.textAlign = "center";
    context.fillText(name, left + wide / 2, top + high / 2, Math.max(wide, 120));
    context.restore();
  }

  // The pointer that the keyboard moves.
  #cross({ x, y }) {
    const { context } = this;
    const [cx, cy, arm] = [this.#x(x), this.#y(y), 14 * this.sx];
    for (const [color, wide] of [["#fff", 5], ["#2f5573", 2]]) {
      context.strokeStyle = color;
      context.lineWidth = wide * this.sx;
      context.beginPath();
      context.moveTo(cx - arm, cy);
      context.lineTo(cx + arm, cy);
      context.moveTo(cx, cy - arm);
      context.lineTo(cx, cy + arm);
      context.stroke();
    }
  }
}

// Where the server has a file that the program names.
export function address(name) {
  return folder + name.split("/").map(encodeURIComponent).join("/");
}

let folder = "files/";

// The program whose files they are.
export function useFilesOf(program) {
  folder = `easel/${encodeURIComponent(program)}/files/`;
}

// The pictures of a file that moves, with the seconds at which each ends; none for one that stands
// still, or in a browser that cannot take it apart: then its first picture is shown.
async function filmOf(source) {
  if (!("ImageDecoder" in window)) return null;
  try {
    const answer = await fetch(source);
    const type = answer.headers.get("content-type");
    const decoder = new ImageDecoder({ data: await answer.arrayBuffer(), type });
    await decoder.tracks.ready;
    const count = decoder.tracks.selectedTrack.frameCount;
    if (count < 2 || count > MOST_PICTURES) return null;
    const pictures = [];
    let end = 0;
    for (let frameIndex = 0; frameIndex < count; frameIndex += 1) {
      const { image } = await decoder.decode({ frameIndex });
      end += (image.duration || 100000) / 1e6;
      pictures.push({ end, bitmap: await createImageBitmap(image) });
      image.close();
    }
    decoder.close();
    return { at: (seconds) => pictures.find((each) => seconds % end < each.end).bitmap };
  } catch {
    return null;
  }
}
