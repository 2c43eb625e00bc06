// The revision beside the original, passage by passage.

import { html, useMemo, useRef } from "./vendor/preact-htm.js";
import { Card } from "./card.js";
import { neighbour } from "./choosing.js";
import { choiceOf, chosen, desk } from "./desk.js";
import { Icon } from "./icons.js";
import { select } from "./selecting.js";
import { memo, useStore } from "./store.js";
import { aroundOf, compareWords, trimmed } from "./words.js";

/** Passages by paragraph, each with the places of its passages; a gap stands before its passage, or after it. */
export function paragraphs(passages) {
  const groups = [];
  let isNew = true;
  passages.forEach((passage, index) => {
    const text = passage.before || passage.after;
    if (isNew || /^\s*\n/.test(text)) groups.push({ places: [], isLine: /^[ \t]*\n[ \t]*\S/.test(text) });
    groups[groups.length - 1].places.push(index);
    isNew = /\n\s*$/.test(text);
  });
  return groups;
}

export const STATES = {
  open: { words: "undecided", icon: "why" },
  accepted: { words: "accepted", icon: "accept" },
  rejected: { words: "rejected", icon: "reject" },
  edited: { words: "edited", icon: "edit" },
};

export function stateOf(passage, choice) {
  if (choice.take === "own") return "edited";
  if (passage.same) return "same";
  if (!choice.decided) return "open";
  return choice.take === "old" ? "rejected" : "accepted";
}

const partsOf = (passage, choice) => {
  if (choice.take === "own") return compareWords(passage.before, choice.text);
  if (passage.same || choice.take === "old") return [{ op: "same", text: chosen(passage, choice) }];
  return passage.words;
};

export function Words({ parts, without = null }) {
  return parts
    .filter((part) => part.op !== without)
    .map((part, place) => {
      if (part.op === "same") return part.text;
      if (part.op === "cut") return html`<del key=${place}>${part.text}</del>`;
      const { lead, tail } = aroundOf(part.text);
      return html`${lead}<ins key=${place}>${part.text.trim()}</ins>${tail}`;
    });
}

function Badge({ state, isLocked }) {
  return html`${STATES[state] && state !== "open" && html`<span class="badge ${state}"><${Icon} name=${STATES[state].icon} /><span class="visually-hidden">${STATES[state].words}</span></span>`}
  ${isLocked && html`<span class="badge locked"><${Icon} name="lock" /><span class="visually-hidden">left as it is</span></span>`}`;
}

const attributes = (index, state, isSelected, choice) => ({
  "data-index": index,
  tabIndex: isSelected ? 0 : -1,
  class: `passage ${state} ${isSelected ? "selected" : ""} ${choice.locked ? "kept" : ""}`,
  ...(state === "same" && !isSelected ? {} : { role: "button", "aria-expanded": isSelected ? "true" : "false" }),
});

const Inline = memo(({ group, passages, choices, selected }) => {
  const { places } = group;
  const last = places[places.length - 1];
  return html`
    <div class="paragraph ${group.isLine ? "line" : ""}">
      <p dir="auto">
        ${places.map((index, place) => {
          const passage = passages[index];
          const choice = choices[place];
          const state = stateOf(passage, choice);
          const isFinal = state === "accepted" || state === "edited";
          const parts = partsOf(passage, choice);
          const shown = trimmed(parts, { end: index === last });
          if (!shown.length) return null;
          const gap = index === places[0] ? "" : aroundOf(passage.before || passage.after).lead;
          return html`${gap}<span key=${index} ...${attributes(index, state, selected === index, choice)}
            ><${Words} parts=${shown} without=${isFinal ? "cut" : null} /><${Badge} state=${state} isLocked=${choice.locked} /></span
          >`;
        })}
      </p>
      ${places.includes(selected) && html`<${Card} key=${selected} index=${selected} />`}
    </div>`;
});

const Pair = memo(({ group, passages, choices, selected }) => html`
  <div class="paragraph pairs ${group.isLine ? "line" : ""}">
    ${group.places.map((index, place) => {
      const passage = passages[index];
      if (!(passage.before + passage.after).trim()) return null;
      const choice = choices[place];
      const state = stateOf(passage, choice);
      const parts = trimmed(choice.take === "own" ? compareWords(passage.before, choice.text) : passage.words || [{ op: "same", text: passage.before }]);
      const now = choice.take === "old" ? [{ op: "same", text: passage.before.trim() }] : parts;
      return html`<div key=${index} class="pair ${state}">
        <p class="old" dir="auto">${passage.same ? passage.before.trim() : html`<${Words} parts=${parts} without="new" />`}</p>
        <p class="now" dir="auto">
          <span ...${attributes(index, state, selected === index, choice)}>
            ${passage.same && choice.take !== "own" ? passage.after.trim() : html`<${Words} parts=${now} without="cut" />`}
            ${!chosen(passage, choice).trim() && html`<em class="gone">left out</em>`}
            <${Badge} state=${state} isLocked=${choice.locked} />
          </span>
        </p>
        ${selected === index && html`<${Card} key=${index} index=${index} />`}
      </div>`;
    })}
  </div>`);

/** The same list as before where each of its items is the same: what is drawn depends on it. */
function useStable() {
  const kept = useRef(new Map());
  return (key, list) => {
    const before = kept.current.get(key);
    if (before?.length === list.length && before.every((one, place) => one === list[place])) return before;
    kept.current.set(key, list);
    return list;
  };
}

export function Passages({ review, view }) {
  const choices = useStore(desk, (state) => state.work.choices);
  const selected = useStore(desk, (state) => state.selected);
  const groups = useMemo(() => paragraphs(review.passages), [review]);
  const stable = useStable();
  const first = useMemo(() => neighbour(null, 1), [review]);
  const onClick = (event) => {
    const element = event.target.closest?.("[data-index]");
    if (!element || getSelection().toString()) return;
    select(Number(element.dataset.index), { isFocused: false });
    element.focus({ preventScroll: true });
  };
  const Paragraph = view === "inline" ? Inline : Pair;
  return html`
    <div class="passages ${view}" id="passages" onClick=${onClick}>
      ${view === "pairs" && html`<div class="pair heads" aria-hidden="true"><p>Before</p><p>Now</p></div>`}
      ${selected === null && first !== null && html`<button type="button" class="visually-hidden focusable" onClick=${() => select(first, { isFocused: true })}>Go to the first change</button>`}
      ${groups.map(
        (group) => html`<${Paragraph}
          key=${group.places[0]}
          group=${group}
          passages=${review.passages}
          choices=${stable(group.places[0], group.places.map((index) => choiceOf(choices, index)))}
          selected=${group.places.includes(selected) ? selected : null}
        />`,
      )}
    </div>`;
}
