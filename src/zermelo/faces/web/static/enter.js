// The way in: the address carries a token behind the #, which is shown to the server once. What it
// gives for it is kept by the browser as a cookie that no script can read.

const part = (id) => document.getElementById(id);
const home = new URL("./", location.href).pathname;
// Behind the token, and a slash, stands where one wants to go.
const behind = location.hash.slice(1);
const slash = behind.includes("/") ? behind.indexOf("/") : behind.length;
const shown = behind.slice(0, slash);
const where = behind.slice(slash + 1);

// Whoever looks at the screen or at the history need not see it.
if (shown) history.replaceState(null, "", home);
// Somebody may put the right address over this page, which only changes what is behind the #.
window.addEventListener("hashchange", () => location.reload());

comeIn();

async function comeIn() {
  try {
    if (shown) {
      const answer = await fetch("enter", { method: "POST", body: shown });
      if (!answer.ok) return refuse(await answer.text());
    }
    const known = await fetch("enter");
    if (known.ok) return goOn();
    refuse(shown ? "This browser keeps no cookie for this address. Allow it, and open the address again." : "");
  } catch {
    refuse("The program does not answer. It may have ended.");
  }
}

function goOn() {
  history.replaceState(null, "", where ? `${home}#/${where}` : home);
  location.reload();
}

// Say how one comes in, and why it was not so just now.
function refuse(reason) {
  part("answer").textContent = reason;
  part("example").textContent = `${location.origin}/#…`;
  part("how").hidden = false;
}
