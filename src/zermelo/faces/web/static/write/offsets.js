// The server counts characters, the browser counts units of UTF-16: a letter such as 𝒫 is one
// of the former and two of the latter.

const WIDE = /[\ud800-\udbff][\udc00-\udfff]/g;

// The number of members of the sorted list that are below the bound.
const below = (sorted, bound) => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const offsetsOf = (text) => {
  const units = Array.from(text.matchAll(WIDE), (found) => found.index);
  const characters = units.map((unit, before) => unit - before);
  return {
    toUnits: (at) => at + below(characters, at),
    toCharacters: (at) => at - below(units, at),
  };
};
