// A link that holds the document itself: packed, behind the #, which no browser sends anywhere.

const MOST_TEXT = 1_000_000; // characters that a link may unfold to
const MOST_LINK = 12_000;

export async function pack(text) {
  const packed = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  const letters = Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte)).join("");
  const link = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return link.length <= MOST_LINK ? link : null;
}

// The text in a link; one that would unfold to more than a document can be is refused on the way.
export async function unpack(link) {
  const bytes = Uint8Array.from(atob(link.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST_TEXT) {
      await reader.cancel();
      throw new Error("The document in this link is larger than a document can be.");
    }
  }
}
