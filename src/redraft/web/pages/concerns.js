// What a reader of the revision should know though it may obey: as far as it still holds of the text as it stands.

import { html } from "./vendor/preact-htm.js";
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

/** The passage that a concern is about, or -1. */
function placeOf(concern, passages) {
  const words = plain(concern.text);
  if (concern.kind === "left out") {
    const found = passages.findIndex((one) => plain(one.before).includes(words));
    if (found >= 0) return found;
  }
  const numbered = passages.findIndex((one) => concern.sentence && one.number_after.includes(concern.sentence));
  return numbered >= 0 ? numbered : passages.findIndex((one) => plain(one.after).includes(words) || plain(one.before).includes(words));
}

const ALIKE = 0.8;

/** Whether two concerns of a passage say the same, in nearly the same words. */
function isRepeated(one, other) {
  if (one.kind !== other.kind || one.index !== other.index) return false;
  const words = new Set(plain(one.text).toLowerCase().split(" "));
  const others = plain(other.text).toLowerCase().split(" ");
  const shared = others.filter((word) => words.has(word)).length;
  return shared >= ALIKE * Math.min(words.size, others.length);
}

const known = new WeakMap(); // by the result, its concerns with their passages: a long text has many of both

function concernsIn({ result, passages }) {
  if (!known.has(result)) {
    const found = (result.concerns || []).map((concern) => ({ ...concern, index: placeOf(concern, passages) }));
    known.set(result, found.filter((concern, place) => !found.slice(0, place).some((other) => isRepeated(other, concern))));
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
  const text = plain(currentText(state));
  const found = concernsIn(review).filter((concern) => {
    if (concern.kind === "left out") return !text.includes(plain(concern.text));
    if (concern.index < 0) return text.includes(plain(concern.text));
    const passage = review.passages[concern.index];
    return chosen(passage, choiceOf(choices, concern.index)) === passage.after;
  });
  Object.assign(last, { review, choices, found });
  return found;
}

export function ConcernText({ concern }) {
  return html`<strong>${SAYS[concern.kind] || concern.kind}</strong>: <q dir="auto">${concern.text}</q>
    ${concern.why && html`<small dir="auto"> ${concern.why}</small>`}`;
}

export function Concerns() {
  const state = useStore(desk);
  const concerns = concernsOf(state);
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
        ${objections.map((one) => html`<li key=${one}><${Icon} name="conflict" /><span dir="auto">${one}</span></li>`)}
      </ul>
    </section>`;
}
