// Which key of a keyboard has which name in a program.

const NAMES = {
  ArrowLeft: "LEFT",
  ArrowRight: "RIGHT",
  ArrowUp: "UP",
  ArrowDown: "DOWN",
  " ": "SPACE",
  Enter: "ENTER",
  Escape: "ESCAPE",
};

// The name of the key of *event*; none for keys that programs do not see.
export function keyName(event) {
  if (Object.hasOwn(NAMES, event.key)) return NAMES[event.key];
  return [...event.key].length === 1 ? event.key.toUpperCase() : null;
}

// Keys that are held, by the key's place on the keyboard: Shift may change its name meanwhile.
export class Held {
  constructor(send) {
    this.send = send;
    this.names = new Map();
  }

  down(event) {
    const name = keyName(event);
    if (name === null) return false;
    if (!event.repeat && !this.names.has(event.code)) {
      this.names.set(event.code, name);
      this.send({ do: "press", key: name });
    }
    return true;
  }

  up(event) {
    const name = this.names.get(event.code);
    if (name === undefined) return false;
    this.names.delete(event.code);
    this.send({ do: "release", key: name });
    return true;
  }

  // Who looks elsewhere holds nothing.
  releaseAll() {
    for (const name of this.names.values()) this.send({ do: "release", key: name });
    this.names.clear();
  }
}
