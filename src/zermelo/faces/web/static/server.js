// What is asked of the server. A question that did not arrive is asked again, so that a server that
// was started anew finds the page where it was; what was refused comes with a sentence.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 4000;

export class Refused extends Error {}

const texts = new Map(); // documents that this page brought, in case the server has forgotten them
let onLink = () => {};

export function watchLink(listener) {
  onLink = listener;
}

async function request(path, given = {}) {
  let wait = FIRST_WAIT;
  for (;;) {
    given.signal?.throwIfAborted();
    try {
      const answer = await fetch(path, given);
      onLink("");
      if (answer.status === 403) {
        onLink("The program was started anew. Open the address that the terminal shows now; this page then goes on by itself.");
      } else {
        return answer;
      }
    } catch (error) {
      if (error.name === "AbortError") throw error;
      onLink("The program does not answer. Trying again …");
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 1.6, LONGEST_WAIT);
  }
}

async function json(path, given) {
  const answer = await request(path, given);
  if (answer.ok) return answer.json();
  // Who has no room for a question says so in plain words.
  const words = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  throw Object.assign(new Refused(isJson ? JSON.parse(words).refused : words.trim()), { status: answer.status });
}

const posted = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

export const library = (signal) => json("api/library", { signal });
export const play = (document, readings) => json(`api/plays/${encodeURIComponent(document)}?readings=${encodeURIComponent(JSON.stringify(readings))}`);
export const keepPlay = (question) => json("api/plays", posted(question));
export const forget = (document) => request(`api/documents/${encodeURIComponent(document)}`, { method: "DELETE" });
export const save = (document, text, was) => json("api/files", posted({ document, text, was }));

export async function documentText(document, signal) {
  const found = await again(document, () => json(`api/documents/${encodeURIComponent(document)}`, { signal }));
  if (!texts.has(document)) texts.set(document, { name: found.name, text: found.text });
  return found;
}

export async function addDocument(name, text, { replaces = "", signal } = {}) {
  const { document } = await json("api/documents", { ...posted({ name, text, replaces }), signal });
  texts.set(document, { name, text });
  return document;
}

export const ask = (name, question, signal) =>
  again(question.document, () => json(`api/ask/${name}`, { ...posted(question), signal }));

// A document that the server does not know any more is brought again.
async function again(document, asking) {
  try {
    return await asking();
  } catch (error) {
    if (error.status !== 404 || !texts.has(document)) throw error;
    const { name, text } = texts.get(document);
    await json("api/documents", posted({ name, text }));
    return asking();
  }
}

// A question that may take long: *onProgress* hears how far it is, *signal* gives it up.
export function work(name, question, { onProgress = () => {}, signal } = {}) {
  return new Promise((resolve, reject) => {
    const address = new URL(`api/work/${name}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    const stop = () => {
      socket.close();
      reject(new DOMException("given up", "AbortError"));
    };
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    socket.onopen = () => socket.send(JSON.stringify(question));
    socket.onmessage = ({ data }) => {
      const said = JSON.parse(data);
      if (said.progress) return onProgress(said.progress);
      signal?.removeEventListener("abort", stop);
      if (said.refused !== undefined) reject(new Refused(said.refused));
      else resolve(said.answer);
    };
    socket.onclose = () => reject(new Refused("The connection with the program was lost. Ask again."));
  });
}
