// The desk: the document that is open, what a person has done to it, and what is known of it.
//
// `work` is what the person decides and can take back; everything else is what the server says. Other modules watch
// the desk: saving.js keeps the work, reading.js reads the instruction and checks the text, running.js follows jobs.

import { createHistory, createStore } from "./store.js";

export const BLANK = Object.freeze({
  title: "",
  titled: false, // whether the person gave the title
  format: "auto",
  file: null, // what it was opened from, where that is kept for its formatting
  phase: "draft", // draft: the text is written; review: a revision is looked through
  original: "",
  text: "", // of a draft
  instruction: "",
  dropped: [], // what was read in the instruction, and the person does not want: calls and pieces of advice
  edits: {}, // calls that the person corrected: {as read: as wanted}
  extra: [], // calls from the menu
  effort: "medium",
  bestEffort: false,
  sound: false,
  job: null, // the revision that is looked through
  choices: {}, // {passage: {take: "new" | "old" | "own", text, decided, locked}}
});

const EMPTY = Object.freeze({
  document: null,
  work: BLANK,
  savedWork: BLANK,
  note: "",
  saving: "saved", // saved | waiting | saving | failed
  remote: null, // the document as another window left it, where that conflicts with the work here
  seen: null, // the last job whose result was laid on the desk
  parsed: null,
  parsing: false,
  conflicts: [],
  findings: null,
  reading: "", // what went wrong while reading or checking
  job: null,
  reviews: {}, // {job: {result, passages, nodes}}
  selected: null,
  editing: false,
  panel: "brief", // brief | why | search: what stands beside the text
  asked: {}, // {passage: alternatives as they stand}
  notice: "",
});

export const desk = createStore(EMPTY);
export const history = createHistory();

let hand = () => {};

/** How what is being typed, and is handed on after a pause, is handed over at once. */
export function whenHandedOver(act) {
  hand = act;
}

export const handOver = () => hand();

/** A clean desk. */
export function clear() {
  history.clear();
  desk.set(() => EMPTY);
}

/** Something the person did: it can be undone, is kept, and is checked. */
export function change(patch, { key = null, note = "" } = {}) {
  desk.set((state) => {
    history.keep(state.work, key);
    return { ...state, work: { ...state.work, ...patch }, note: note || state.note };
  });
}

/** Lay another state of the work on the desk without a step of its own. */
export function lay(work, note) {
  desk.set((state) => ({ ...state, work, note, editing: false }));
}

export function undo() {
  handOver();
  const before = history.undo(desk.get().work);
  if (before) lay(before, "Undone");
  return before !== null;
}

export function redo() {
  handOver();
  const next = history.redo(desk.get().work);
  if (next) lay(next, "Done again");
  return next !== null;
}

/** Tell the person something in passing; a screen reader says it. */
export function tell(notice) {
  desk.set({ notice: "" });
  desk.set({ notice });
}

/* ---- what follows from the work ---- */

export const reviewOf = (state) => (state.work.phase === "review" ? state.reviews[state.work.job] || null : null);

export const UNDECIDED = Object.freeze({ take: "new", decided: false, locked: false });

export const choiceOf = (choices, index) => choices[index] || UNDECIDED;

/** The text of a passage as it is chosen. */
export function chosen(passage, choice) {
  if (choice.take === "own") return choice.text;
  return choice.take === "old" ? passage.before : passage.after;
}

export const mix = (passages, choices) =>
  passages.map((passage, index) => chosen(passage, choiceOf(choices, index))).join("");

const lastMix = { passages: null, choices: null, text: "" };

/** The text as it stands. */
export function currentText(state) {
  const { work } = state;
  if (work.phase === "draft") return work.text;
  const review = reviewOf(state);
  if (!review) return state.document?.text ?? work.text;
  if (lastMix.passages !== review.passages || lastMix.choices !== work.choices) {
    Object.assign(lastMix, { passages: review.passages, choices: work.choices });
    lastMix.text = mix(review.passages, work.choices);
  }
  return lastMix.text;
}

/** The writer's own text. */
export const originalText = (state) => (state.work.phase === "draft" ? state.work.text : state.work.original);

const lastConstraints = { of: [], found: [] };

/** The constraints that are in force, as read, as corrected and as added. */
export function constraintsOf({ parsed, work }) {
  const of = [parsed, work.dropped, work.edits, work.extra];
  if (of.every((one, index) => one === lastConstraints.of[index])) return lastConstraints.found;
  const read = (parsed?.constraints || [])
    .filter((one) => !work.dropped.includes(one.call))
    .map((one) => {
      const wanted = work.edits[one.call];
      return wanted ? { call: wanted, kind: one.kind, read: one.call, origin: "corrected" } : { ...one, origin: "read" };
    });
  const added = work.extra.map((call) => ({ call, kind: call.split("(")[0], origin: "added" }));
  const all = [...read, ...added];
  const found = all.filter((one, index) => all.findIndex((other) => other.call === one.call) === index);
  Object.assign(lastConstraints, { of, found });
  return found;
}

export const wishesOf = ({ parsed, work }) => (parsed?.wishes || []).filter((wish) => !work.dropped.includes(wish));

/** What to ask for: the instruction as it stands, or, where its reading was corrected, what is left of it. */
export function demandOf(state) {
  const { parsed, work } = state;
  const read = [...(parsed?.constraints || []).map((one) => one.call), ...(parsed?.wishes || [])];
  const isCorrected = read.some((one) => work.dropped.includes(one) || work.edits[one]);
  if (!isCorrected) return { instruction: work.instruction, calls: work.extra };
  return { instruction: wishesOf(state).join(". "), calls: constraintsOf(state).map((one) => one.call) };
}

export const isRunning = (state) => state.job !== null && ["queued", "running"].includes(state.job.state);

/** A format as the server takes it: it finds out for itself where nobody has said. */
export const formatOf = (format) => (format === "auto" ? undefined : format);
