// What can be done with the passage that is looked at.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { accept, lock, reject, replaceSentence, rewrite } from "./choosing.js";
import { ConcernText, concernsOf } from "./concerns.js";
import { choiceOf, chosen, currentText, desk, reviewOf } from "./desk.js";
import { Icon } from "./icons.js";
import { Words } from "./passages.js";
import { ask, forget, sentencesOf } from "./running.js";
import { select } from "./selecting.js";
import { useStore } from "./store.js";
import { aroundOf, compareWords, placesIn, trimmed } from "./words.js";

export function numbered({ number_before: before, number_after: after }) {
  const numbers = before.length ? before : after;
  if (!numbers.length) return "Passage";
  if (numbers.length === 1) return `${before.length ? "Sentence" : "New sentence"} ${numbers[0]}`;
  return `Sentences ${numbers[0]}–${numbers[numbers.length - 1]}`;
}

const narrow = matchMedia("(max-width: 52rem)");

/** What the desk says next to the text: why, or what is asked for. */
export function showWhy() {
  desk.set((state) => ({ ...state, panel: state.panel === "why" ? "brief" : "why" }));
  // In a narrow window it stands below the text.
  if (desk.get().panel === "why" && narrow.matches) requestAnimationFrame(() => document.getElementById("panel")?.scrollIntoView());
}

export function Card({ index }) {
  const state = useStore(desk);
  const review = reviewOf(state);
  const passage = review?.passages[index];
  if (!passage) return null;
  const choice = choiceOf(state.work.choices, index);
  const asked = state.asked[index];
  const concerns = concernsOf(state).filter((one) => one.index === index);
  const messages = messagesAt(state, index);
  const act = (name, icon, label, key, run, isOn = null) => html`<button
    type="button"
    class=${isOn ? "on" : ""}
    aria-pressed=${isOn === null ? null : String(isOn)}
    aria-keyshortcuts=${key}
    title=${`${label} (${key})`}
    data-act=${name}
    onClick=${run}
  >
    <${Icon} name=${icon} /> ${label}
  </button>`;
  return html`
    <div class="card" role="group" aria-label=${numbered(passage)}>
      <div class="actions">
        ${!passage.same && act("accept", "accept", "Accept", "a", () => accept(index), choice.decided && choice.take === "new")}
        ${(!passage.same || choice.take === "own") && act("reject", "reject", passage.same ? "As it was" : "Reject", "r", () => reject(index), choice.decided && choice.take === "old")}
        ${act("edit", "edit", "Edit", "e", () => select(index, { isEdited: !state.editing }), state.editing)}
        ${act("lock", "lock", "Leave this one", "l", () => lock(index), choice.locked)}
        ${act("ask", "again", "Ask again", "g", () => (asked ? forget(index) : desk.set((now) => ({ ...now, asked: { ...now.asked, [index]: { state: "open" } } }))), Boolean(asked))}
        ${act("why", "why", "Why", "w", showWhy, state.panel === "why")}
        <span class="spring"></span>
        <span class="hint number">${numbered(passage)}</span>
      </div>
      ${state.editing && html`<${Editor} index=${index} passage=${passage} choice=${choice} />`}
      ${asked && html`<${Ask} index=${index} asked=${asked} text=${chosen(passage, choice)} />`}
      ${(messages.length > 0 || concerns.length > 0) &&
      html`<ul class="remarks">
        ${messages.map((one) => html`<li key=${one}><${Icon} name="unmet" /> <span dir="auto">${one}</span></li>`)}
        ${concerns.map((one, place) => html`<li key=${place}><${Icon} name="conflict" /> <span><${ConcernText} concern=${one} /></span></li>`)}
      </ul>`}
    </div>`;
}

/** What constraints that are not met say of this place. */
function messagesAt(state, index) {
  const { passages } = reviewOf(state);
  const { choices } = state.work;
  let start = 0;
  for (let place = 0; place < index; place += 1) start += chosen(passages[place], choiceOf(choices, place)).length;
  const end = start + chosen(passages[index], choiceOf(choices, index)).length;
  const at = placesIn(currentText(state));
  return (state.findings?.findings || [])
    .filter((one) => !one.met && one.spans.some((span) => at(span.start) < end && at(span.end) > start))
    .map((one) => one.message);
}

function Editor({ index, passage, choice }) {
  const field = useRef(null);
  const text = chosen(passage, choice);
  // Taken once: a space that is typed at the end belongs to the sentence until the next word comes.
  const { lead, tail } = useMemo(() => aroundOf(text.trim() ? text : passage.before), []);
  const own = text.slice(text.startsWith(lead) ? lead.length : 0, text.endsWith(tail) ? text.length - tail.length : undefined);
  useEffect(() => {
    const { current } = field;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const onKey = (event) => {
    if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      event.stopPropagation();
      select(index, { isFocused: true });
    }
  };
  return html`
    <label class="editor">
      <span class="visually-hidden">Edit ${numbered(passage)}</span>
      <textarea ref=${field} class="paper" dir="auto" rows="3" value=${text.trim() ? own : ""} onInput=${(event) => rewrite(index, lead + event.target.value + tail)} onKeyDown=${onKey}></textarea>
      <small class="hint">It is checked as you type. Escape when you are done.</small>
    </label>`;
}

const percent = (share) => `${Math.round(share * 100)} %`;

function Ask({ index, asked, text }) {
  const [advice, setAdvice] = useState("");
  const [sentences, setSentences] = useState([]);
  const [place, setPlace] = useState(0);
  const field = useRef(null);
  useEffect(() => {
    field.current?.focus();
    sentencesOf(index).then(setSentences).catch(() => {});
  }, []);
  const isAsking = asked.state === "asking";
  const go = (event) => {
    event.preventDefault();
    ask(index, advice.trim(), sentences[place] || null);
  };
  return html`
    <form class="ask" onSubmit=${go}>
      ${sentences.length > 1 &&
      html`<label><span>Which</span>
        <select value=${place} onChange=${(event) => setPlace(Number(event.target.value))}>
          ${sentences.map((one, number) => html`<option key=${one.number} value=${number}>${one.text.slice(0, 60)}</option>`)}
        </select>
      </label>`}
      <label><span>A word of advice, if you like</span><input ref=${field} type="text" dir="auto" placeholder="shorter · warmer · without the passive" value=${advice} onInput=${(event) => setAdvice(event.target.value)} /></label>
      <button type="submit" disabled=${isAsking}>${isAsking ? "Asking …" : advice.trim() ? "Ask again" : "Three alternatives"}</button>
    </form>
    ${asked.problem && html`<p class="problem" role="alert">${asked.problem}</p>`}
    ${asked.answers?.length === 0 && html`<p class="hint">Nothing else was found for this sentence. A word of advice may help.</p>`}
    ${asked.answers?.length > 0 &&
    html`<ol class="alternatives" aria-label="Alternatives">
      ${asked.answers.map(
        (one) => html`<li key=${one.text}>
          <p dir="auto"><${Words} parts=${trimmed(compareWords(asked.sentence.text, one.text))} /></p>
          <p class="about">
            ${one.met && html`<span class="good"><${Icon} name="accept" /> all constraints met</span>`}
            ${[...(one.findings || []), ...(one.unfollowed || [])].map((finding) => html`<span class="warn" dir="auto" key=${finding.call}><${Icon} name="unmet" /> ${finding.message}</span>`)}
            ${one.broken && html`<span class="warn"><${Icon} name="conflict" /> reads badly, or says something else</span>`}
            ${typeof one.sound === "number" && html`<span>reads well: ${percent(one.sound)}</span>`}
            ${typeof one.same === "number" && html`<span>same meaning: ${percent(one.same)}</span>`}
            ${one.why && html`<span dir="auto">${one.why}</span>`}
          </p>
          <button type="button" onClick=${() => (replaceSentence(index, asked.sentence, one.text), forget(index), select(index, { isFocused: true }))}>Use this</button>
        </li>`,
      )}
    </ol>`}`;
}
