// The connection with the engine: messages both ways, and a new attempt when it was lost.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

export class Connection {
  // *onMessage* gets what the engine says; *onChange* gets "open" or "lost".
  constructor({ onMessage, onChange }) {
    this.onMessage = onMessage;
    this.onChange = onChange;
    this.session = "";
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

  // The same game goes on after an interruption, as long as the server remembers it.
  #open() {
    const address = new URL("engine", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.session) address.searchParams.set("session", this.session);
    this.socket = new WebSocket(address);
    this.socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.session) {
        const before = this.session;
        this.session = message.session;
        this.since = performance.now();
        this.onChange("open", before !== "" && before !== message.session);
      }
      this.onMessage(message);
    };
    this.socket.onclose = async ({ reason }) => {
      this.onChange("lost", false, reason);
      if (performance.now() - this.since > LONGEST_WAIT) this.wait = FIRST_WAIT;
      this.since = Infinity;
      const refusal = reason || (await refused());
      if (refusal) this.onChange("lost", false, refusal);
      setTimeout(() => this.#open(), this.wait);
      this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
    };
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
