// Sounds: five that are made here, and files of the program.

import { address } from "./picture.js";

const LOUDNESS = 0.35;
const MOST_AT_ONCE = 12;

export class Sound {
  constructor() {
    this.isOn = true;
    this.context = null;
    this.files = new Map();
    this.sounding = 0;
  }

  // A browser lets a page make sounds only after somebody has touched it.
  wake() {
    if (!window.AudioContext) return;
    if (!this.context) {
      this.context = new AudioContext();
      this.out = this.context.createGain();
      this.out.gain.value = LOUDNESS;
      this.out.connect(this.context.destination);
    }
    if (this.context.state === "suspended") this.context.resume().catch(() => {});
  }

  play(names) {
    if (!this.isOn || !this.context || this.context.state === "closed") return;
    for (const name of names) {
      if (this.sounding >= MOST_AT_ONCE) return;
      if (Object.hasOwn(MADE, name)) MADE[name](this.context, this.#voice(1.2));
      else this.#file(name);
    }
  }

  // A way out that closes by itself after some seconds.
  #voice(seconds) {
    const gain = this.context.createGain();
    gain.connect(this.out);
    this.sounding += 1;
    setTimeout(() => {
      gain.disconnect();
      this.sounding -= 1;
    }, seconds * 1000);
    return gain;
  }

  async #file(name) {
    if (!this.files.has(name)) this.files.set(name, this.#load(name));
    const buffer = await this.files.get(name);
    if (!buffer || !this.isOn) return;
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#voice(buffer.duration + 0.1));
    source.start();
  }

  async #load(name) {
    try {
      const answer = await fetch(address(name));
      if (!answer.ok) return null;
      return await this.context.decodeAudioData(await answer.arrayBuffer());
    } catch {
      return null; // a sound that cannot be had is silent
    }
  }
}

const MADE = {
  // A small bell: partials of a struck bar, the higher the sooner gone.
  ding(context, out) {
    for (const [ratio, loud, seconds] of [[1, 0.6, 1.0], [2.76, 0.25, 0.5], [5.4, 0.12, 0.25]]) {
      tone(context, out, { from: 1046 * ratio, loud, seconds });
    }
  },
  bang(context, out) {
    noise(context, out, { filter: "lowpass", from: 1800, to: 90, loud: 1.3, seconds: 0.5 });
    tone(context, out, { from: 140, to: 40, loud: 0.9, seconds: 0.3 });
  },
  // A spring: a tone that falls while it trembles.
  boing(context, out) {
    const pitch = tone(context, out, { from: 320, to: 110, loud: 0.7, seconds: 0.7, wave: "triangle" });
    const tremble = context.createOscillator();
    const depth = context.createGain();
    tremble.frequency.setValueAtTime(28, context.currentTime);
    tremble.frequency.exponentialRampToValueAtTime(9, context.currentTime + 0.7);
    depth.gain.value = 60;
    tremble.connect(depth).connect(pitch.frequency);
    tremble.start();
    tremble.stop(context.currentTime + 0.7);
  },
  clap(context, out) {
    for (const later of [0, 0.012, 0.026]) {
      const seconds = later ? 0.16 : 0.04;
      noise(context, out, { filter: "bandpass", from: 1300, to: 1100, loud: 1.1, seconds, later });
    }
  },
  click(context, out) {
    tone(context, out, { from: 2100, to: 900, loud: 0.5, seconds: 0.03, wave: "square" });
  },
};

function tone(context, out, { from, to = from, loud, seconds, wave = "sine" }) {
  const now = context.currentTime;
  const source = context.createOscillator();
  source.type = wave;
  source.frequency.setValueAtTime(from, now);
  source.frequency.exponentialRampToValueAtTime(to, now + seconds);
  source.connect(envelope(context, out, { loud, seconds, now }));
  source.start(now);
  source.stop(now + seconds);
  return source;
}

function noise(context, out, { filter, from, to, loud, seconds, later = 0 }) {
  const now = context.currentTime + later;
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * seconds), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const sieve = context.createBiquadFilter();
  sieve.type = filter;
  sieve.frequency.setValueAtTime(from, now);
  sieve.frequency.exponentialRampToValueAtTime(to, now + seconds);
  source.connect(sieve).connect(envelope(context, out, { loud, seconds, now }));
  source.start(now);
}

// At once loud, then fading: the ear hears a stroke.
function envelope(context, out, { loud, seconds, now }) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, now);
  gain.gain.exponentialRampToValueAtTime(loud, now + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + seconds);
  gain.connect(out);
  return gain;
}
