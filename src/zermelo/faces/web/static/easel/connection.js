// The connection with the engine: messages both ways, and a new attempt when it was lost.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const NO_PROGRAM = 4004; // there is nothing to wait for
const LEFT = "left"; // where a page that goes writes which game it had

export class Connection {
  // *onMessage* gets what the engine of *program* says; *onChange* gets "open" or "lost".
  constructor(program, { onMessage, onChange }) {
    this.program = program;
    this.isClosed = false;
    this.onMessage = onMessage;
    this.onChange = onChange;
    this.session = "";
    // A page that is loaded again begins anew, in the place that it had. Only while no page is shown
    // is it written down, so that a copy of the tab does not take the place of the first.
    this.instead = takeLeft();
    this.ending = new AbortController();
    const { signal } = this.ending;
    addEventListener("pagehide", () => keepLeft(this.session || this.instead), { signal });
    addEventListener("pageshow", takeLeft, { signal });
    this.wait = FIRST_WAIT;
    this.since = Infinity; // when the connection was made
    this.#open();
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  // Whether *message* was sent; without a connection nothing is kept for later.
  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  // Whoever looks at something else needs no connection.
  close() {
    this.isClosed = true;
    this.ending.abort();
    this.socket.close();
  }

  // The same game goes on after an interruption, as long as the server remembers it.
  #open() {
    const address = new URL(`easel/${encodeURIComponent(this.program)}/engine`, document.baseURI.split("#")[0]);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.session) address.searchParams.set("session", this.session);
    else if (this.instead) address.searchParams.set("instead", this.instead);
    this.socket = new WebSocket(address);
    this.socket.onmessage = ({ data }) => {
      if (this.isClosed) return;
      const message = JSON.parse(data);
      if (message.session) {
        const before = this.session;
        this.session = message.session;
        this.since = performance.now();
        this.onChange("open", before !== "" && before !== message.session);
      }
      this.onMessage(message);
    };
    this.socket.onclose = async ({ code, reason }) => {
      if (this.isClosed) return;
      if (code === NO_PROGRAM) return this.onChange("broken", false, reason);
      this.onChange("lost", false, reason);
      if (performance.now() - this.since > LONGEST_WAIT) this.wait = FIRST_WAIT;
      this.since = Infinity;
      const refusal = reason || (await refused());
      if (this.isClosed) return;
      if (refusal) this.onChange("lost", false, refusal);
      setTimeout(() => this.isClosed || this.#open(), this.wait);
      this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
    };
  }
}

// A browser may forbid pages to keep anything; then one that is loaded again is like any other.
function keepLeft(session) {
  try {
    sessionStorage.setItem(LEFT, session);
  } catch {
    return;
  }
}

function takeLeft() {
  try {
    const session = sessionStorage.getItem(LEFT) ?? "";
    sessionStorage.removeItem(LEFT);
    return session;
  } catch {
    return "";
  }
}

// Why the server does not let this page in; nothing if it does, or does not answer. A browser does
// not tell a page why a connection was not made.
async function refused() {
  try {
    const answer = await fetch("enter");
    if (answer.status !== 403) return "";
    return "The program was started anew. Open the address that the terminal shows now; this page then goes on by itself.";
  } catch {
    return "";
  }
}
