// What is asked for: the instruction, what was read in it, what conflicts, and the start; then how far it is.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { Chips, addConstraint, dropConstraint } from "./chips.js";
import { Concerns } from "./concerns.js";
import { change, constraintsOf, desk, isRunning, originalText, reviewOf } from "./desk.js";
import { unlockAll } from "./choosing.js";
import { Icon } from "./icons.js";
import { saysOf } from "./reading.js";
import { start, stop } from "./running.js";
import { useStore } from "./store.js";

const EFFORTS = [
  ["low", "Quick", "one try"],
  ["medium", "Usual", "a few tries"],
  ["high", "Thorough", "as long as it gets better"],
];

export function Brief() {
  const state = useStore(desk);
  const { work } = state;
  const isBusy = isRunning(state) || state.job?.state === "starting";
  return html`
    <div class="brief">
      <label for="instruction"><h2>Instruction</h2></label>
      <textarea
        id="instruction"
        rows="3"
        dir="auto"
        placeholder="Say what you want: under 95 words, keep sentence 2, friendlier …"
        value=${work.instruction}
        disabled=${isBusy}
        onInput=${(event) => change({ instruction: event.target.value }, { key: "instruction", note: "Changed the instruction" })}
      ></textarea>
      <${Chips} />
      ${state.reading && html`<p class="problem" role="alert">${state.reading}</p>`}
      ${!isBusy && html`<${Conflicts} />`}
      ${isBusy ? html`<${Progress} />` : html`<${Start} />`}
      ${state.job?.problem && html`<p class="problem" role="alert">${state.job.problem}</p>`}
      ${!isBusy && reviewOf(state) && html`<${Perhaps} /><${Concerns} />`}
    </div>`;
}

function Conflicts() {
  const state = useStore(desk);
  if (!state.conflicts.length) return null;
  const constraints = constraintsOf(state);
  return html`
    <section class="conflicts" aria-label="Conflicts" role="alert">
      <h3><${Icon} name="conflict" /> ${state.conflicts.length === 1 ? "These cannot all hold" : "These cannot all hold together"}</h3>
      ${state.conflicts.map(
        (one) => html`<div key=${one.reason}>
          <p dir="auto">${one.reason.charAt(0).toUpperCase() + one.reason.slice(1)}.</p>
          <ul>
            ${one.calls.map((call) => {
              const constraint = constraints.find((other) => other.call === call);
              if (!constraint) return html`<li key=${call}><span>What you left as it is</span><button type="button" class="link" onClick=${unlockAll}>Let go</button></li>`;
              const says = saysOf(constraint, state.findings);
              return html`<li key=${call}>
                <span dir="auto">${says}</span>
                <button type="button" class="link" onClick=${() => dropConstraint(constraint)} aria-label=${`Remove: ${says}`}>Remove</button>
              </li>`;
            })}
          </ul>
        </div>`,
      )}
    </section>`;
}

function Start() {
  const state = useStore(desk);
  const { work } = state;
  const [isMore, more] = useState(false);
  const hasText = Boolean(originalText(state).trim());
  const isConflict = state.conflicts.length > 0 && !work.bestEffort;
  const isSecond = work.phase === "review";
  const what = isConflict ? "Resolve the conflict first" : isSecond ? "Run again" : "Start";
  const go = (event) => {
    event.preventDefault();
    start();
  };
  return html`
    <form class="start" onSubmit=${go}>
      <fieldset class="effort">
        <legend>Effort</legend>
        ${EFFORTS.map(
          ([value, label, hint]) => html`<label key=${value} title=${hint}>
            <input type="radio" name="effort" value=${value} checked=${work.effort === value} onChange=${() => change({ effort: value }, { note: "Changed the effort" })} />
            <span>${label}</span>
          </label>`,
        )}
      </fieldset>
      ${(state.conflicts.length > 0 || isMore || work.bestEffort || work.sound) &&
      html`<div class="options">
        <label><input type="checkbox" checked=${work.bestEffort} onChange=${(event) => change({ bestEffort: event.target.checked })} /> Where constraints conflict, meet as many as can be</label>
        <label><input type="checkbox" checked=${work.sound} onChange=${(event) => change({ sound: event.target.checked })} /> Rather keep my sentence than break it</label>
      </div>`}
      <div class="row">
        <button type="submit" class="primary big" disabled=${!hasText || isConflict} aria-keyshortcuts="Control+Enter"><${Icon} name="start" /> ${what}</button>
        ${!isMore && !work.bestEffort && !work.sound && !state.conflicts.length && html`<button type="button" class="link" onClick=${() => more(true)}>More options</button>`}
      </div>
      ${isSecond && html`<p class="hint">From your original again; what you left as it is stays so.</p>`}
    </form>`;
}

const money = (cost) => (cost > 0 ? `$${cost.toFixed(cost < 0.1 ? 4 : 2)}` : "free");

function Progress() {
  const job = useStore(desk, (state) => state.job);
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const { progress = {} } = job;
  const seconds = Math.max(0, Math.round((now - (job.since || now)) / 1000));
  const settled = Object.keys(job.sentences || {}).length;
  const all = job.spans?.length || 0;
  const findings = job.findings?.findings || [];
  const met = findings.filter((one) => one.met).length;
  const what =
    job.state === "queued" ? (job.place > 1 ? `Waiting: ${job.place - 1} before this` : "Waiting to begin") : job.isStopping ? "Stopping; the best so far is kept" : "Revising";
  return html`
    <section class="progress" aria-label="Progress">
      <div class="working" aria-hidden="true"><span></span></div>
      <p class="what">${what} …</p>
      ${job.message && html`<p class="hint">${job.message}</p>`}
      <dl>
        <div><dt>Constraints met</dt><dd>${findings.length ? `${met} of ${findings.length}` : "–"}</dd></div>
        ${settled > 0
          ? html`<div><dt>Sentences settled</dt><dd>${settled} of ${all || settled}</dd></div>`
          : html`<div><dt>Texts tried</dt><dd>${job.tried || "–"}</dd></div>`}
        <div><dt>Model calls</dt><dd>${(progress.calls ?? 0).toLocaleString("en")}</dd></div>
        <div><dt>Time</dt><dd>${seconds} s</dd></div>
        <div><dt>Cost</dt><dd>${money(progress.cost || 0)}</dd></div>
      </dl>
      <button type="button" class="big" onClick=${stop} disabled=${job.isStopping || !job.id}><${Icon} name="stop" /> Stop and keep the best</button>
      <p class="visually-hidden" role="status">${what}. ${findings.length ? `${met} of ${findings.length} constraints met.` : ""}</p>
    </section>`;
}

/** Calls that only a model read in the instruction: the person may add them. */
function Perhaps() {
  const state = useStore(desk);
  const known = new Set(constraintsOf(state).map((one) => one.call));
  const calls = (reviewOf(state).result.perhaps || []).filter((call) => !known.has(call));
  if (!calls.length) return null;
  return html`
    <section class="perhaps">
      <h3>Perhaps you also meant</h3>
      <ul>
        ${calls.map((call) => html`<li key=${call}><code>${call}</code> <button type="button" class="link" onClick=${() => addConstraint(call)}>Add</button></li>`)}
      </ul>
    </section>`;
}
