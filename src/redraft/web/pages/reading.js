// Reads the instruction as it is written, looks for conflicts, and checks the text as it stands.

import { debounced, get, latest, post, told } from "./api.js";
import { choiceOf, chosen, constraintsOf, currentText, desk, formatOf, isRunning, originalText, reviewOf } from "./desk.js";
import { createStore } from "./store.js";
import { placesIn } from "./words.js";

/** The kinds of constraint that there are, for the menu. */
export const kinds = createStore({ kinds: null, problem: "" });

export async function loadKinds() {
  if (kinds.get().kinds) return;
  try {
    kinds.set({ kinds: await get("/v1/kinds"), problem: "" });
  } catch (error) {
    kinds.set({ problem: told(error) });
  }
}

/** The sentences of a text, with their places in it. */
export async function sentencesIn(text, format) {
  const place = placesIn(text);
  const found = await post("/v1/sentences", { text, format: formatOf(format) });
  return found.map((one) => ({ ...one, start: place(one.start), end: place(one.end) }));
}

/** The text to revise, and the numbers in it of the sentences that stay: a passage left as it is stands there already. */
export async function basis(state) {
  const review = reviewOf(state);
  if (!review) return { text: originalText(state), locked: [] };
  const spans = [];
  let text = "";
  review.passages.forEach((passage, index) => {
    const choice = choiceOf(state.work.choices, index);
    const part = choice.locked ? chosen(passage, choice) : passage.before;
    if (choice.locked) spans.push([text.length, text.length + part.length]);
    text += part;
  });
  if (!spans.length) return { text, locked: [] };
  const sentences = await sentencesIn(text, state.work.format);
  const locked = sentences.filter((one) => spans.some(([start, end]) => one.start >= start && one.start < end));
  return { text, locked: locked.map((one) => one.number).filter(Boolean) };
}

const NOTHING = Object.freeze({ constraints: [], wishes: [], not_understood: [] });

const askParse = latest((signal, instruction) => post("/v1/parse", { instruction }, { signal }));
const askConflicts = latest((signal, body) => post("/v1/conflicts", body, { signal }));
const askCheck = latest((signal, body) => post("/v1/check", body, { signal }));

const parse = debounced(async (instruction) => {
  if (!instruction.trim()) return desk.set({ parsed: NOTHING, parsing: false, reading: "" });
  try {
    const parsed = await askParse(instruction);
    if (parsed && desk.get().work.instruction === instruction) desk.set({ parsed, parsing: false, reading: "" });
  } catch (error) {
    desk.set({ parsing: false, reading: told(error) });
  }
}, 300);

const lookForConflicts = debounced(async () => {
  const state = desk.get();
  const calls = constraintsOf(state).map((one) => one.call);
  if (!calls.length || !originalText(state).trim()) return desk.set({ conflicts: [] });
  try {
    const { text, locked } = await basis(state);
    const found = await askConflicts({ text, calls, locked, format: formatOf(state.work.format) });
    if (found) desk.set({ conflicts: found.infeasible });
  } catch (error) {
    desk.set({ reading: told(error) });
  }
}, 450);

const check = debounced(async () => {
  const state = desk.get();
  const calls = constraintsOf(state).map((one) => one.call);
  const text = currentText(state);
  if (!calls.length || !text.trim()) return desk.set({ findings: null });
  try {
    const found = await askCheck({ text, original: originalText(state), calls, format: formatOf(state.work.format), house: true });
    if (found) desk.set({ findings: found, reading: "" });
  } catch (error) {
    desk.set({ findings: null, reading: told(error) });
  }
}, 350);

/** The words for a constraint: as the parser says it, or as checking it did. */
export function saysOf(constraint, findings) {
  if (constraint.says) return constraint.says;
  return findings?.findings.find((one) => one.call === constraint.call)?.says || constraint.call;
}

/** Whether a call can be read; what is wrong with it, or nothing. */
export async function faultOf(call) {
  try {
    const found = await post("/v1/check", { text: "A text.", original: "A text.", calls: [call] });
    return found.findings.length ? "" : "this call is not known";
  } catch (error) {
    return told(error);
  }
}

const seen = { instruction: null, constraints: null, original: null, text: null, choices: null };

desk.watch(() => {
  const state = desk.get();
  const { instruction, choices } = state.work;
  if (instruction !== seen.instruction) {
    seen.instruction = instruction;
    desk.set({ parsing: Boolean(instruction.trim()) });
    parse(instruction);
  }
  if (isRunning(state)) return;
  const constraints = constraintsOf(state);
  const original = originalText(state);
  const text = currentText(state);
  const isOther = constraints !== seen.constraints;
  if (isOther || original !== seen.original || choices !== seen.choices) lookForConflicts();
  if (isOther || original !== seen.original || text !== seen.text) check();
  Object.assign(seen, { constraints, original, text, choices });
});
