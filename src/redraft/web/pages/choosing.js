// What a person decides, passage by passage.

import { change, choiceOf, chosen, currentText, desk, reviewOf } from "./desk.js";

const place = (index) => {
  const passage = reviewOf(desk.get()).passages[index];
  const [number] = passage.number_before.length ? passage.number_before : passage.number_after;
  return number ? `sentence ${number}` : "a passage";
};

function choose(index, patch, note, key = null) {
  const { work } = desk.get();
  const choice = { ...choiceOf(work.choices, index), ...patch };
  change({ choices: { ...work.choices, [index]: choice } }, { note: `${note} ${place(index)}`, key });
}

export const accept = (index) => choose(index, { take: "new", text: undefined, decided: true }, "Accepted");
export const reject = (index) => choose(index, { take: "old", text: undefined, decided: true }, "Rejected");

export function rewrite(index, text) {
  choose(index, { take: "own", text, decided: true }, "Edited", `own ${index}`);
}

export function lock(index) {
  const { work } = desk.get();
  const isLocked = choiceOf(work.choices, index).locked;
  choose(index, { locked: !isLocked }, isLocked ? "No longer left as it is:" : "Left as it is:");
}

/** Nothing is left as it is any more. */
export function unlockAll() {
  const { work } = desk.get();
  const choices = Object.fromEntries(Object.entries(work.choices).map(([index, choice]) => [index, { ...choice, locked: false }]));
  change({ choices }, { note: "Nothing is left as it is" });
}

/** Put another sentence in the place of one of a passage. */
export function replaceSentence(index, sentence, text) {
  const state = desk.get();
  const own = chosen(reviewOf(state).passages[index], choiceOf(state.work.choices, index));
  rewrite(index, own.slice(0, sentence.from) + text + own.slice(sentence.to));
}

/** Accept or reject all that is open; what was decided stays. */
export function decideAll(take) {
  const state = desk.get();
  const choices = { ...state.work.choices };
  let count = 0;
  reviewOf(state).passages.forEach((passage, index) => {
    const choice = choiceOf(choices, index);
    if (passage.same || choice.decided || choice.locked) return;
    choices[index] = { ...choice, take, decided: true };
    count += 1;
  });
  if (count) change({ choices }, { note: take === "new" ? "Accepted the rest" : "Rejected the rest" });
}

/** The text as it stands becomes the text to work on. */
export function goOn() {
  const text = currentText(desk.get());
  change({ phase: "draft", text, original: text, job: null, choices: {} }, { note: "Went on from here" });
  desk.set({ selected: null, panel: "brief" });
}

/** Back to the text that was there before. */
export function startOver() {
  const { original } = desk.get().work;
  change({ phase: "draft", text: original, job: null, choices: {} }, { note: "Went back to the original" });
  desk.set({ selected: null, panel: "brief" });
}

/** The next or previous passage that was changed, or any. */
export function neighbour(index, step, isChanged = true) {
  const { passages } = reviewOf(desk.get());
  const from = index ?? (step > 0 ? -1 : passages.length);
  for (let next = from + step; next >= 0 && next < passages.length; next += step) {
    const passage = passages[next];
    if (!(passage.before + passage.after).trim()) continue;
    if (!isChanged || !passage.same || desk.get().work.choices[next]) return next;
  }
  return index;
}
