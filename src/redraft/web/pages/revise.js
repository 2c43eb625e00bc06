// The page on which a text is revised.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { told } from "./api.js";
import { Brief } from "./brief.js";
import { showWhy } from "./card.js";
import { accept, decideAll, goOn, lock, neighbour, reject, startOver } from "./choosing.js";
import { change, clear, choiceOf, desk, history, isRunning, redo, reviewOf, tell, undo } from "./desk.js";
import { Menu } from "./dialog.js";
import { Draft } from "./draft.js";
import { ExportMenu, HistoryDialog } from "./export.js";
import { Icon } from "./icons.js";
import { Passages, stateOf } from "./passages.js";
import { IN_VAIN, start } from "./running.js";
import { keep, keepMine, newDocument, openDocument, takeTheirs, titleOf } from "./saving.js";
import { select } from "./selecting.js";
import { Settling } from "./settling.js";
import { Shelf, goToNew } from "./shelf.js";
import { useStore } from "./store.js";
import { Tree } from "./tree.js";
import { Why } from "./why.js";

const VIEW = "redraft.view";

function lastView() {
  try {
    return localStorage.getItem(VIEW) === "pairs" ? "pairs" : "inline";
  } catch {
    return "inline";
  }
}

const isTyping = (element) => element.matches?.("input, textarea, select, [contenteditable]") && !element.matches("[type=radio], [type=checkbox]");

export function Revise({ id, onHelp }) {
  const [view, setView] = useState(lastView);
  const [isShelfOpen, openShelf] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setProblem("");
    const { document: open, work } = desk.get();
    if (id && id !== open?.id) openDocument(id).catch((error) => (clear(), setProblem(told(error))));
    else if (!id && open) newDocument();
    else if (!id && !work.text) requestAnimationFrame(() => document.getElementById("draft")?.focus());
  }, [id]);
  const look = (next) => {
    setView(next);
    try {
      localStorage.setItem(VIEW, next);
    } catch {
      // It is forgotten with the tab, then.
    }
  };
  useEffect(() => {
    const onKey = (event) => press(event, { look: () => look(view === "inline" ? "pairs" : "inline"), onHelp });
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [view]);
  return html`
    <div class="revise">
      <${Shelf} isOpen=${isShelfOpen} onPick=${() => openShelf(false)} />
      ${isShelfOpen && html`<div class="veil" onClick=${() => openShelf(false)}></div>`}
      <main id="main" class="sheet" tabindex="-1">
        <h1 class="visually-hidden">Revise a text</h1>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        <${Head} isShelfOpen=${isShelfOpen} onShelf=${() => openShelf(!isShelfOpen)} />
        <${Theirs} />
        <${Sheet} view=${view} look=${look} />
      </main>
      <${Side} />
    </div>`;
}

const SAVING = { saved: "kept", waiting: "writing …", saving: "keeping …", failed: "not kept yet" };

function Head({ isShelfOpen, onShelf }) {
  const { work, document, saving, remote } = useStore(desk);
  const [isHistory, showHistory] = useState(false);
  const title = work.titled ? work.title : titleOf(work.phase === "draft" ? work.text : work.original);
  const { past, future } = history.depth;
  return html`
    <div class="head">
      <button type="button" class="quiet icon-only shelf-switch" aria-label="Documents" aria-expanded=${String(isShelfOpen)} aria-controls="shelf" onClick=${onShelf}><${Icon} name="menu" /></button>
      <input
        class="title"
        aria-label="Title"
        dir="auto"
        placeholder="Untitled"
        value=${title}
        onInput=${(event) => change({ title: event.target.value, titled: true }, { key: "title", note: "Changed the title" })}
      />
      <span class="saving ${saving}" role="status">${remote ? "two versions" : document || saving !== "saved" ? SAVING[saving] : ""}</span>
      <div class="row tools">
        <button type="button" class="quiet icon-only" aria-label="Undo" title="Undo (Ctrl+Z)" disabled=${!past} onClick=${undo}><${Icon} name="undo" /></button>
        <button type="button" class="quiet icon-only" aria-label="Redo" title="Redo (Ctrl+Shift+Z)" disabled=${!future} onClick=${redo}><${Icon} name="redo" /></button>
        <button type="button" class="quiet icon-only" aria-label="History" title="History" disabled=${!document} onClick=${() => showHistory(true)}><${Icon} name="history" /></button>
        <${ExportMenu} />
      </div>
      ${isHistory && html`<${HistoryDialog} onClose=${() => showHistory(false)} />`}
    </div>`;
}

/** Another window has kept something else. */
function Theirs() {
  const remote = useStore(desk, (state) => state.remote);
  if (!remote) return null;
  return html`
    <section class="theirs" role="alert">
      <p><strong>This document was changed in another window</strong> while you were writing here. Nothing of yours is lost; which one goes on?</p>
      <details><summary>Read theirs</summary><p class="quoted" dir="auto">${remote.text}</p></details>
      <div class="row">
        <button type="button" class="primary" onClick=${keepMine}>Keep mine</button>
        <button type="button" onClick=${takeTheirs}>Take theirs</button>
        <span class="hint">Either is kept in the history.</span>
      </div>
    </section>`;
}

function Sheet({ view, look }) {
  const state = useStore(desk);
  if (isRunning(state) || state.job?.state === "starting") return html`<${Settling} />`;
  if (state.work.phase === "draft") return html`<${Draft} />`;
  const review = reviewOf(state);
  if (!review) return html`<p class="wait" role="status">The revision is being opened …</p>`;
  return html`<${Review} review=${review} view=${view} look=${look} />`;
}

function Review({ review, view, look }) {
  const choices = useStore(desk, (state) => state.work.choices);
  const changed = review.passages.filter((one) => !one.same);
  const open = review.passages.filter((one, index) => stateOf(one, choiceOf(choices, index)) === "open").length;
  const move = (step) => select(neighbour(desk.get().selected, step), { isFocused: true });
  return html`
    <section class="review" aria-labelledby="result-heading">
      <div class="bar">
        <h2 id="result-heading" tabindex="-1">${changed.length === 0 ? "Nothing was changed" : changed.length === 1 ? "1 change" : `${changed.length} changes`}</h2>
        ${review.state === "stopped" && html`<span class="hint">stopped early: the best so far</span>`}
        ${changed.length > 0 && html`<span class="hint">${open ? `${open} to decide` : "all decided"}</span>`}
        <span class="spring"></span>
        ${changed.length > 0 &&
        html`<div class="row joined" role="group" aria-label="Go through the changes">
          <button type="button" class="icon-only" aria-label="Previous change" title="Previous change (k)" onClick=${() => move(-1)}><${Icon} name="previous" /></button>
          <button type="button" class="icon-only" aria-label="Next change" title="Next change (j)" onClick=${() => move(1)}><${Icon} name="next" /></button>
        </div>`}
        <div class="row joined" role="group" aria-label="How to show them">
          <button type="button" aria-pressed=${String(view === "inline")} onClick=${() => look("inline")}>Inline</button>
          <button type="button" aria-pressed=${String(view === "pairs")} onClick=${() => look("pairs")}>Side by side</button>
        </div>
        <${Menu}
          label="All"
          icon="more"
          items=${[
            { label: "Accept the rest", act: () => decideAll("new") },
            { label: "Reject the rest", act: () => decideAll("old") },
            { label: "Go on from here", hint: "this text becomes the one to work on", act: goOn },
            { label: "Back to my original", act: startOver },
          ]}
        />
      </div>
      ${review.result.in_vain && html`<p class="problem">${IN_VAIN}</p>`}
      <div class="paper"><${Passages} review=${review} view=${view} /></div>
    </section>`;
}

const PANELS = [
  ["brief", "Brief"],
  ["why", "Why"],
  ["search", "Search"],
];

/** What stands beside the text. */
function Side() {
  const state = useStore(desk);
  const hasReview = reviewOf(state) !== null && !isRunning(state);
  const panel = hasReview ? state.panel : "brief";
  const onKey = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const place = (PANELS.findIndex(([name]) => name === panel) + step + PANELS.length) % PANELS.length;
    desk.set({ panel: PANELS[place][0] });
    requestAnimationFrame(() => document.getElementById(`tab-${PANELS[place][0]}`)?.focus());
  };
  return html`
    <aside class="side" aria-label="Instruction and reasons">
      ${hasReview &&
      html`<div class="tabs" role="tablist" aria-label="Beside the text" onKeyDown=${onKey}>
        ${PANELS.map(
          ([name, label]) => html`<button
            key=${name}
            type="button"
            role="tab"
            id=${`tab-${name}`}
            aria-selected=${String(panel === name)}
            aria-controls="panel"
            tabindex=${panel === name ? 0 : -1}
            onClick=${() => desk.set({ panel: name })}
          >
            ${label}
          </button>`,
        )}
      </div>`}
      <div id="panel" role=${hasReview ? "tabpanel" : null} aria-labelledby=${hasReview ? `tab-${panel}` : null}>
        ${panel === "brief" && html`<${Brief} />`}
        ${panel === "why" && html`<${Why} />`}
        ${panel === "search" && html`<${Tree} />`}
      </div>
    </aside>`;
}

/* ---- keys ---- */

function press(event, { look, onHelp }) {
  if (document.querySelector("dialog[open]")) return;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const typing = isTyping(event.target);
  const done = () => event.preventDefault();
  if (command && key === "enter") return done(), go();
  if (command && key === "s") return done(), void keep();
  if (command && !typing && key === "z") return done(), event.shiftKey ? redo() : undo();
  if (command && !typing && key === "y") return done(), redo();
  if (event.altKey && key === "n") return done(), void goToNew();
  if (event.altKey && key === "t") return done(), document.querySelector("#draft, #result-heading, .settling")?.focus();
  if (event.altKey && key === "i") return done(), desk.set({ panel: "brief" }), requestAnimationFrame(() => document.getElementById("instruction")?.focus());
  if (typing || command || event.altKey) return undefined;
  if (key === "?") return done(), onHelp();
  return pressInReview(event, key, look);
}

function go() {
  const state = desk.get();
  if (state.conflicts.length && !state.work.bestEffort) return tell("The constraints conflict: remove one of them, or let as many hold as can.");
  return start();
}

function pressInReview(event, key, look) {
  const state = desk.get();
  if (!reviewOf(state) || isRunning(state)) return;
  const { selected } = state;
  const moves = { j: [1, true], k: [-1, true], arrowdown: [1, false], arrowup: [-1, false] };
  const isThere = event.target === document.body || event.target.closest?.("#passages, #result-heading, #main");
  if (key === "v") return event.preventDefault(), look();
  if (key in moves && isThere && (selected !== null || !key.startsWith("arrow"))) {
    event.preventDefault();
    select(neighbour(selected, ...moves[key]), { isFocused: true });
    return;
  }
  if (selected === null) return;
  const passage = reviewOf(state).passages[selected];
  const acts = {
    a: () => !passage.same && accept(selected),
    r: () => reject(selected),
    e: () => select(selected, { isEdited: true }),
    l: () => lock(selected),
    g: () => desk.set({ asked: { ...state.asked, [selected]: { state: "open" } } }),
    w: showWhy,
    escape: () => select(null),
  };
  if (!(key in acts)) return;
  event.preventDefault();
  acts[key]();
}
