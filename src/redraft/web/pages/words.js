// Two versions of a passage, word by word.

/** The words and marks of a text, each with the white space behind it. */
const cut = (text) => text.match(/\s+|[\p{L}\p{M}\p{N}'’-]+\s*|[^\s\p{L}\p{M}\p{N}]\s*/gu) || [];

const MOST = 400_000; // cells of the table; past that, the whole passage is one difference

/** [{op: "same" | "cut" | "new", text}], from the longest common run of words. */
export function compareWords(before, after) {
  const a = cut(before);
  const b = cut(after);
  if (a.length * b.length > MOST) return joined([{ op: "cut", text: before }, { op: "new", text: after }]);
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const isSame = a[i].trim() === b[j].trim();
      lengths[i][j] = isSame ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const found = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i].trim() === b[j].trim()) {
      found.push({ op: "same", text: b[j] });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || lengths[i + 1][j] >= lengths[i][j + 1])) {
      found.push({ op: "cut", text: a[i] });
      i += 1;
    } else {
      found.push({ op: "new", text: b[j] });
      j += 1;
    }
  }
  return joined(found);
}

function joined(parts) {
  const found = [];
  for (const part of parts) {
    const last = found[found.length - 1];
    if (last?.op === part.op) last.text += part.text;
    else if (part.text) found.push({ ...part });
  }
  return found;
}

/** The parts without the white space around them, which is a matter of the page's layout. */
export function trimmed(parts, { start = true, end = true } = {}) {
  const found = parts.map((part) => ({ ...part }));
  while (end && found.length) {
    const last = found[found.length - 1];
    last.text = last.text.trimEnd();
    if (last.text) break;
    found.pop();
  }
  while (start && found.length) {
    found[0].text = found[0].text.trimStart();
    if (found[0].text) break;
    found.shift();
  }
  return found;
}

/** The server counts characters as Python does; a string here counts some of them, such as emoji, twice. */
export function placesIn(text) {
  if (!/[\ud800-\udbff]/.test(text)) return (place) => place;
  const places = [];
  let at = 0;
  for (const character of text) {
    places.push(at);
    at += character.length;
  }
  places.push(at);
  return (place) => places[Math.min(place, places.length - 1)];
}

/** The white space before a text and behind it. */
export function aroundOf(text) {
  const start = text.length - text.trimStart().length;
  return { lead: text.slice(0, start), tail: text.slice(Math.max(start, text.trimEnd().length)) };
}
