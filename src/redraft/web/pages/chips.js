// What was read in the instruction, in plain words: to be corrected, removed, or added to.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { change, constraintsOf, desk, isRunning, wishesOf } from "./desk.js";
import { CallDialog } from "./call.js";
import { Icon } from "./icons.js";
import { loadKinds, saysOf } from "./reading.js";
import { useStore } from "./store.js";

export function dropConstraint(constraint) {
  const { work } = desk.get();
  if (constraint.origin === "added") change({ extra: work.extra.filter((call) => call !== constraint.call) }, { note: "Removed a constraint" });
  else change({ dropped: [...work.dropped, constraint.read || constraint.call] }, { note: "Removed a constraint" });
}

export function addConstraint(call) {
  const { work } = desk.get();
  if (!work.extra.includes(call)) change({ extra: [...work.extra, call] }, { note: "Added a constraint" });
}

function correct(constraint, call) {
  const { work } = desk.get();
  if (constraint.origin === "added") change({ extra: work.extra.map((one) => (one === constraint.call ? call : one)) }, { note: "Corrected a constraint" });
  else change({ edits: { ...work.edits, [constraint.read || constraint.call]: call } }, { note: "Corrected a constraint" });
}

const dropWish = (wish) => change({ dropped: [...desk.get().work.dropped, wish] }, { note: "Removed advice" });

/** Say what is understood in the place of what is not. */
function useNearest(words, nearest) {
  const { instruction } = desk.get().work;
  change({ instruction: instruction.replace(words, nearest) }, { note: "Said it in words that are understood" });
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

const STATES = {
  met: { icon: "accept", words: "met" },
  unmet: { icon: "unmet", words: "not met" },
  open: { icon: "wait", words: "not checked yet" },
};

function stateOf(finding) {
  if (!finding) return "open";
  return finding.met ? "met" : "unmet";
}

function Chip({ constraint, findings, isConflicting, isFixed, onEdit }) {
  const finding = findings?.findings.find((one) => one.call === constraint.call);
  const state = stateOf(finding);
  const says = capital(saysOf(constraint, findings));
  return html`
    <li class="chip ${state} ${isConflicting ? "conflicting" : ""}" data-call=${constraint.call}>
      <span class="mark" title=${STATES[state].words}><${Icon} name=${STATES[state].icon} /><span class="visually-hidden">${STATES[state].words}: </span></span>
      <button type="button" class="says" disabled=${isFixed} onClick=${onEdit} title="Change this constraint">
        <span dir="auto">${says}</span>
        ${constraint.origin !== "read" && html`<small>${constraint.origin}</small>`}
        ${finding && !finding.met && html`<small class="message" dir="auto">${finding.message}</small>`}
      </button>
      <button type="button" class="drop" disabled=${isFixed} aria-label=${`Remove: ${says}`} onClick=${() => dropConstraint(constraint)}>
        <${Icon} name="reject" />
      </button>
    </li>`;
}

/** What holds for every text; it is changed in the house style's file, and not here. */
function HouseChip({ finding }) {
  const state = stateOf(finding);
  return html`
    <li class="chip ${state}">
      <span class="mark" title=${STATES[state].words}><${Icon} name=${STATES[state].icon} /><span class="visually-hidden">${STATES[state].words}: </span></span>
      <span class="says"><span dir="auto">${capital(finding.says)}</span>${!finding.met && html`<small class="message" dir="auto">${finding.message}</small>`}</span>
    </li>`;
}

export function Chips() {
  const state = useStore(desk);
  const [dialog, show] = useState(null);
  useEffect(() => void loadKinds(), []);
  const constraints = constraintsOf(state);
  const wishes = wishesOf(state);
  const unknown = state.parsed?.not_understood || [];
  const isFixed = isRunning(state);
  const findings = isFixed ? state.job.findings : state.findings;
  const conflicting = new Set(state.conflicts.flatMap((one) => one.calls));
  const own = new Set(constraints.map((one) => one.call));
  const house = (findings?.findings || []).filter((one) => one.house && !own.has(one.call));
  const isNothing = !constraints.length && !wishes.length && !unknown.length;
  const dropped = (state.parsed ? [...state.parsed.constraints.map((one) => one.call), ...state.parsed.wishes] : []).filter((one) =>
    state.work.dropped.includes(one),
  );
  return html`
    <div class="chips">
      <div class="chips-head">
        <h3>What will hold</h3>
        ${state.parsing && html`<span class="hint" role="status">reading …</span>`}
        <span class="spring"></span>
        <button type="button" class="quiet" disabled=${isFixed} onClick=${() => show({ kind: "add" })}><${Icon} name="plus" /> Add</button>
      </div>
      ${isNothing && !state.parsing && html`<p class="hint">Constraints that can be checked appear here as you write, such as a length, words to keep, or sentences to leave alone.</p>`}
      ${constraints.length > 0 &&
      html`<ul class="constraints" aria-label="Constraints">
        ${constraints.map(
          (one) => html`<${Chip}
            key=${one.read || one.call}
            constraint=${one}
            findings=${findings}
            isConflicting=${conflicting.has(one.call)}
            isFixed=${isFixed}
            onEdit=${() => show({ kind: "edit", constraint: one })}
          />`,
        )}
      </ul>`}
      ${house.length > 0 &&
      html`<h3>House style</h3>
        <ul aria-label="House style">${house.map((one) => html`<${HouseChip} key=${one.call} finding=${one} />`)}</ul>`}
      ${wishes.length > 0 &&
      html`<h3>Passed on as advice</h3>
        <ul class="wishes" aria-label="Advice">
          ${wishes.map(
            (wish) => html`<li class="chip wish" key=${wish}>
              <span class="mark"><${Icon} name="advice" /></span>
              <span class="says" dir="auto">${wish}</span>
              <button type="button" class="drop" disabled=${isFixed} aria-label=${`Remove: ${wish}`} onClick=${() => dropWish(wish)}><${Icon} name="reject" /></button>
            </li>`,
          )}
        </ul>`}
      ${unknown.length > 0 &&
      html`<h3>Not understood</h3>
        <ul class="unknown" aria-label="Not understood">
          ${unknown.map(
            (one) => html`<li class="chip not-understood" key=${one.words}>
              <span class="mark"><${Icon} name="unknown" /></span>
              <span class="says"
                ><q dir="auto">${one.words}</q> <small>nothing acts on it</small>
                ${one.nearest &&
                html`<button type="button" class="link" disabled=${isFixed} onClick=${() => useNearest(one.words, one.nearest)}>Did you mean “${one.nearest}”?</button>`}
              </span>
            </li>`,
          )}
        </ul>`}
      ${dropped.length > 0 &&
      html`<button type="button" class="link" disabled=${isFixed} onClick=${() => change({ dropped: [] }, { note: "Took all constraints back" })}>
        Take back ${dropped.length === 1 ? "the one" : `the ${dropped.length}`} you removed
      </button>`}
      ${dialog?.kind === "add" && html`<${CallDialog} title="Add a constraint" onDone=${addConstraint} onClose=${() => show(null)} />`}
      ${dialog?.kind === "edit" &&
      html`<${CallDialog} title="Change this constraint" constraint=${dialog.constraint} onDone=${(call) => correct(dialog.constraint, call)} onClose=${() => show(null)} />`}
    </div>`;
}
