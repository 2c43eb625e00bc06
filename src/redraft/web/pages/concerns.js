// What a reader of the revision should know though it may obey: as far as it still holds of the text as it stands.

import { html, useState } from "./vendor/preact-htm.js";
import { choiceOf, chosen, currentText, desk, reviewOf } from "./desk.js";
import { Icon } from "./icons.js";
import { useStore } from "./store.js";
import { select } from "./selecting.js";

const SAYS = {
  "reads badly": "reads badly",
  "changed meaning": "may say something else",
  "left out": "left out",
  new: "says something new",
  kept: "stays as it was",
  "points back": "may point back to nothing",
};

const plain = (text) => text.split(/\s+/).join(" ").trim();

/** How to find the passage that a concern is about, or -1: a long text has thousands of both. */
function finder(passages) {
  const before = passages.map((one) => plain(one.before));
  const after = passages.map((one) => plain(one.after));
  const byNumber = new Map(passages.flatMap((one, index) => one.number_after.map((number) => [number, index])));
  return (concern) => {
    const words = plain(concern.text);
    const cut = concern.kind === "left out" ? before.findIndex((text) => text.includes(words)) : -1;
    if (cut >= 0) return cut;
    if (byNumber.has(concern.sentence)) return byNumber.get(concern.sentence);
    const here = after.findIndex((text) => text.includes(words));
    return here >= 0 ? here : before.findIndex((text) => text.includes(words));
  };
}

const ALIKE = 0.8;

/** Whether two concerns of a passage say the same, in nearly the same words. */
function isRepeated(one, other) {
  const words = new Set(plain(one.text).toLowerCase().split(" "));
  const others = plain(other.text).toLowerCase().split(" ");
  const shared = others.filter((word) => words.has(word)).length;
  return shared >= ALIKE * Math.min(words.size, others.length);
}

const known = new WeakMap(); // by the result, its concerns with their passages

function concernsIn({ result, passages }) {
  if (!known.has(result)) {
    const placeOf = finder(passages);
    const told = new Map(); // by passage and kind
    for (const concern of result.concerns || []) {
      const index = placeOf(concern);
      const key = `${index} ${concern.kind}`;
      const before = told.get(key) || [];
      if (index < 0 || !before.some((other) => isRepeated(other, concern))) told.set(key, [...before, { ...concern, index }]);
    }
    known.set(result, [...told.values()].flat());
  }
  return known.get(result);
}

const last = { review: null, choices: null, found: [] };

/** Concerns with their passages, without those that the person has dealt with. */
export function concernsOf(state) {
  const review = reviewOf(state);
  if (!review) return [];
  const { choices } = state.work;
  if (last.review === review && last.choices === choices) return last.found;
  const whole = plain(currentText(state));
  const found = concernsIn(review).filter((concern) => {
    const isCut = concern.kind === "left out";
    if (concern.index < 0) return whole.includes(plain(concern.text)) !== isCut;
    const passage = review.passages[concern.index];
    const text = chosen(passage, choiceOf(choices, concern.index));
    return isCut ? !plain(text).includes(plain(concern.text)) : text === passage.after;
  });
  Object.assign(last, { review, choices, found });
  return found;
}

export function ConcernText({ concern }) {
  return html`<strong>${SAYS[concern.kind] || concern.kind}</strong>: <q dir="auto">${concern.text}</q>
    ${concern.why && html`<small dir="auto"> ${concern.why}</small>`}`;
}

const FIRST = 8;

export function Concerns() {
  const state = useStore(desk);
  const [isAll, showAll] = useState(false);
  const all = concernsOf(state);
  const concerns = isAll ? all : all.slice(0, FIRST);
  const objections = reviewOf(state).result.objections || [];
  if (!concerns.length && !objections.length) return null;
  return html`
    <section class="concerns" aria-label="Worth a look">
      <h3>Worth a look</h3>
      <ul>
        ${concerns.map(
          (one, place) => html`<li key=${place}>
            <${Icon} name="conflict" />
            <span>
              <${ConcernText} concern=${one} />
              ${one.index >= 0 && html` <button type="button" class="link" onClick=${() => select(one.index, { isFocused: true })}>Show</button>`}
            </span>
          </li>`,
        )}
        ${all.length > concerns.length && html`<li><button type="button" class="link" onClick=${() => showAll(true)}>All ${all.length}</button></li>`}
        ${objections.map((one) => html`<li key=${one}><${Icon} name="conflict" /><span dir="auto">${one}</span></li>`)}
      </ul>
    </section>`;
}
