// Why a sentence reads as it does: who changed it, what for, what else was tried, and what to look at.

import { html, useEffect } from "./vendor/preact-htm.js";
import { numbered } from "./card.js";
import { ConcernText, concernsOf } from "./concerns.js";
import { desk, reviewOf } from "./desk.js";
import { loadNodes } from "./running.js";
import { useStore } from "./store.js";
import { compareWords, trimmed } from "./words.js";
import { Words } from "./passages.js";

const BY = {
  compression: "a rule that cuts",
  drop: "a rule that leaves out",
  merge: "a rule that joins sentences",
  split: "a rule that splits sentences",
  correction: "a correction",
  replacement: "a replacement that was asked for",
  restored: "a rule that brings your words back",
  editor: "the trained editor",
  rules: "a rule",
  writer: "you",
  person: "you",
};
const RULES = ["edge", "forms", "keyword", "marks", "opening", "repair"];

/** Who did something, in words; a model goes by its spec. */
const whoever = (by) => BY[by] || (RULES.includes(by) ? `a rule (${by})` : by);

const plain = (text) => text.split(/\s+/).join(" ").trim();
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const isOf = (before, passage) => {
  const one = plain(before);
  const other = plain(passage.before);
  return Boolean(one && other) && (one.includes(other) || other.includes(one));
};

/** The changes that a run recorded for a passage. */
function changesOf(passage, result) {
  const found = (result.changes || []).filter((one) => (one.before ? isOf(one.before, passage) : plain(passage.after).includes(plain(one.after))));
  return passage.same ? [] : found;
}

/** What else was tried for a passage, over all texts of the search: the best value of each. */
function triedFor(passage, nodes) {
  const found = new Map();
  for (const node of nodes || []) {
    for (const one of node.changes || []) {
      if (!one.before || !isOf(one.before, passage)) continue;
      const value = node.reward?.total ?? null;
      const known = found.get(one.after);
      if (!known || (value ?? -1) > (known.value ?? -1)) found.set(one.after, { ...one, value, met: (node.findings || []).every((finding) => finding.met) });
    }
  }
  return [...found.values()].sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
}

/** What planners advised for a passage. */
function adviceFor(passage, nodes) {
  const said = (nodes || []).flatMap((node) => (node.plan || []).filter((one) => one.advice && isOf(one.text, passage)).map((one) => one.advice));
  return [...new Set(said)];
}

const round = (value, digits = 2) => (typeof value === "number" ? value.toFixed(digits) : "–");

export function Why() {
  const state = useStore(desk);
  const review = reviewOf(state);
  useEffect(() => void loadNodes().catch(() => {}), [review?.result]);
  if (!review) return null;
  const passage = state.selected === null ? null : review.passages[state.selected];
  return passage ? html`<${OfPassage} key=${state.selected} passage=${passage} review=${review} index=${state.selected} />` : html`<${OfAll} review=${review} />`;
}

function OfPassage({ passage, review, index }) {
  const state = useStore(desk);
  const changes = changesOf(passage, review.result);
  const concerns = concernsOf(state).filter((one) => one.index === index);
  const tried = triedFor(passage, review.nodes);
  const advice = adviceFor(passage, review.nodes);
  return html`
    <div class="why">
      <h3>${numbered(passage)}</h3>
      ${passage.same && html`<p>It stands as you wrote it.</p>`}
      ${changes.map(
        (one, place) => html`<dl key=${place}>
          <div><dt>Changed by</dt><dd>${whoever(one.by)}</dd></div>
          ${one.why && html`<div><dt>Why</dt><dd dir="auto">${capital(one.why)}</dd></div>`}
        </dl>`,
      )}
      ${!passage.same && !changes.length && html`<p class="hint">The run recorded no reason of its own for this passage.</p>`}
      ${!passage.same && html`<p class="quoted" dir="auto"><${Words} parts=${trimmed(passage.words)} /></p>`}
      ${advice.length > 0 && html`<h4>The plan</h4><ul>${advice.map((one) => html`<li key=${one} dir="auto">${capital(one)}</li>`)}</ul>`}
      ${concerns.length > 0 && html`<h4>Worth a look</h4><ul>${concerns.map((one, place) => html`<li key=${place}><${ConcernText} concern=${one} /></li>`)}</ul>`}
      ${tried.length > 0 &&
      html`<h4>What was tried</h4>
        <ol class="tried">
          ${tried.map(
            (one) => html`<li key=${one.after} class=${plain(passage.after).includes(plain(one.after)) && one.after ? "taken" : ""}>
              <p dir="auto">${one.after ? html`<${Words} parts=${trimmed(compareWords(one.before, one.after))} />` : html`<em>left out</em>`}</p>
              <p class="about"><span>${whoever(one.by)}</span> <span>the text with it: ${round(one.value)} of 2${one.met ? ", all met" : ""}</span></p>
            </li>`,
          )}
        </ol>`}
    </div>`;
}

function OfAll({ review }) {
  const { result } = review;
  const { before, after } = result.quality || {};
  const usage = result.usage || {};
  const rows = [
    ["Fluency (perplexity; lower reads easier)", before?.perplexity, after?.perplexity, 1],
    ["Grammar errors found, per sentence", before?.grammar, after?.grammar, 2],
    ["Same meaning as the original", before?.meaning?.similarity, after?.meaning?.similarity, 2],
    ["Names, dates and numbers kept", before?.entities, after?.entities, 2],
  ].filter(([, , now]) => typeof now === "number");
  return html`
    <div class="why">
      <h3>This revision</h3>
      <p class="hint">Choose a sentence to see why it reads as it does.</p>
      ${rows.length > 0 &&
      html`<table>
        <thead><tr><th scope="col">Measure</th><th scope="col">Before</th><th scope="col">Revised</th></tr></thead>
        <tbody>${rows.map(([name, was, now, digits]) => html`<tr key=${name}><th scope="row">${name}</th><td>${round(was, digits)}</td><td>${round(now, digits)}</td></tr>`)}</tbody>
      </table>`}
      <dl>
        ${result.stopped && html`<div><dt>It ended because</dt><dd>${result.stopped}</dd></div>`}
        ${result.nodes && html`<div><dt>Texts tried</dt><dd>${result.nodes}</dd></div>`}
        ${usage.calls !== undefined && html`<div><dt>Model calls</dt><dd>${usage.calls} in ${Math.round(usage.seconds || 0)} s</dd></div>`}
        ${result.scored_by && html`<div><dt>Scored by</dt><dd>${result.scored_by}</dd></div>`}
      </dl>
      ${result.english_only?.length > 0 && html`<p class="problem">This text is not English; these are made for English alone: ${result.english_only.join(", ")}</p>`}
    </div>`;
}
