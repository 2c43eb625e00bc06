// A longer piece: an outline to put in order first, then its sections as they are written and reviewed.

import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { told } from "./api.js";
import { change, tell } from "./desk.js";
import { Icon } from "./icons.js";
import { hearJob, startJob, stopJob } from "./jobs.js";
import { newDocument } from "./saving.js";
import { createStore, useStore } from "./store.js";

/** What is composed; it stays while another page is looked at. */
const desk = createStore({
  topic: "",
  style: "",
  title: "",
  cards: null, // the outline: [{key, title, points, locked}]
  tries: 0,
  job: null,
  written: {}, // {section: {content, score, critique}}
  sections: [], // as the job has them
  result: null,
  problem: "",
});

let lastKey = 0;
const cardOf = ({ title, points }) => ({ key: (lastKey += 1), title, points: points.join("\n"), locked: false });

const plainLine = (text) => text.split(/\s+/).join(" ").trim();

/** The outline as the server reads it. */
function outlineText({ title, cards }) {
  const lines = cards.flatMap((card) => [`## ${plainLine(card.title) || "Section"}`, ...card.points.split("\n").map(plainLine).filter(Boolean).map((point) => `- ${point}`)]);
  return [`# ${plainLine(title) || "Untitled"}`, ...lines].join("\n");
}

async function start(isOutline) {
  const { topic, style, cards, tries } = desk.get();
  const seed = isOutline ? tries : 0;
  desk.set({ job: { state: "starting", isOutline }, problem: "", result: null, written: {}, sections: [], tries: tries + (isOutline ? 1 : 0) });
  try {
    const body = isOutline ? { topic, style, seed, outline_only: true } : { topic, style, outline: outlineText(desk.get()) };
    const job = await startJob("compose", isOutline || cards ? body : { topic, style });
    location.hash = `#/compose/${job.id}`;
  } catch (error) {
    desk.set({ job: null, problem: told(error) });
  }
}

function follow(id) {
  desk.set((state) => ({ ...state, job: { ...state.job, id, state: "queued" }, problem: "", result: null, written: {}, sections: [] }));
  const tellJob = (said) => desk.set((state) => ({ ...state, job: state.job && { ...state.job, ...said } }));
  return hearJob(
    id,
    {
      state: ({ state, place }) => tellJob({ state, place }),
      progress: ({ message }) => tellJob({ message }),
      step: ({ step, action }) => tellJob({ step, action }),
      outline: ({ title, sections }) => desk.set({ title, sections }),
      section: ({ id: section, ...said }) => desk.set((state) => ({ ...state, written: { ...state.written, [section]: said } })),
    },
    ended,
  );
}

function ended({ state, result, problem }) {
  const why = problem?.detail || (result ? "" : state === "stopped" ? "It was stopped before it gave anything." : "It gave no result.");
  desk.set({ job: null, problem: why });
  if (!result) return;
  if (!result.waiting) return desk.set({ result, title: result.title, sections: result.outline }), tell("The piece is written.");
  // Another outline: the cards that the person holds on to stay where they are.
  const before = desk.get().cards || [];
  const cards = result.outline.map((section, place) => (before[place]?.locked ? before[place] : cardOf(section)));
  desk.set({ title: result.title, cards: [...cards, ...before.slice(cards.length).filter((card) => card.locked)], sections: [] });
}

const put = (key, patch) => desk.set((state) => ({ ...state, cards: state.cards.map((card) => (card.key === key ? { ...card, ...patch } : card)) }));

function move(key, to) {
  desk.set((state) => {
    const cards = state.cards.filter((card) => card.key !== key);
    cards.splice(to, 0, state.cards.find((card) => card.key === key));
    return { ...state, cards };
  });
}

async function revise() {
  const { result, title } = desk.get();
  await newDocument();
  change({ text: result.text, title, titled: true, format: "markdown" }, { note: "Came from a composition" });
  location.hash = "#/revise";
}

export function Compose({ id }) {
  const state = useStore(desk);
  const { topic, style, cards, job, problem, result } = state;
  useEffect(() => (id ? follow(id) : undefined), [id]);
  const isWriting = (job && !job.isOutline) || result;
  return html`
    <main id="main" class="page" tabindex="-1">
      <h1>Compose</h1>
      <p class="lead">Say what it is about. You get an outline to put in order; then it is written, section by section, and each is reviewed.</p>
      <form class="compose-form" onSubmit=${(event) => (event.preventDefault(), start(true))}>
        <label><span>Topic</span><input type="text" dir="auto" placeholder="Why cities plant trees" value=${topic} disabled=${job !== null} onInput=${(event) => desk.set({ topic: event.target.value })} /></label>
        <label><span>Style</span><input type="text" dir="auto" placeholder="a short newspaper article" value=${style} disabled=${job !== null} onInput=${(event) => desk.set({ style: event.target.value })} /></label>
        ${!job && html`<div class="row"><button type="submit" class=${cards ? "big" : "primary big"} disabled=${!topic.trim()}>${cards ? "Another outline" : "Outline"}</button>${cards && html`<span class="hint">What you hold on to stays.</span>`}</div>`}
      </form>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${job && html`<${Progress} state=${state} />`}
      ${cards && !isWriting && !job && html`<${Outline} state=${state} />`}
      ${isWriting && html`<${Manuscript} state=${state} />`}
    </main>`;
}

function Progress({ state }) {
  const { job, sections, written } = state;
  const count = Object.keys(written).length;
  const says = job.message || (count ? `${count} of ${sections.length} sections written` : job.state === "queued" ? "Waiting to begin …" : "Working …");
  return html`
    <div class="row">
      <button type="button" class="big" disabled=${!job.id} onClick=${() => stopJob(job.id).catch((error) => tell(told(error)))}><${Icon} name="stop" /> Stop</button>
      <span class="hint" role="status">${says}</span>
    </div>`;
}

function Outline({ state }) {
  const { title, cards } = state;
  const dragged = useRef(null);
  return html`
    <section aria-labelledby="outline-heading">
      <h2 id="outline-heading">The outline</h2>
      <label class="outline-title"><span class="visually-hidden">Title</span><input type="text" dir="auto" value=${title} onInput=${(event) => desk.set({ title: event.target.value })} /></label>
      <ol class="cards">
        ${cards.map((card, place) => {
          const named = card.title || `section ${place + 1}`;
          return html`<li
            key=${card.key}
            onDragOver=${(event) => dragged.current !== null && event.preventDefault()}
            onDrop=${(event) => (event.preventDefault(), dragged.current !== null && move(dragged.current, place))}
          >
            <span class="grip" draggable="true" title="Drag to another place" onDragStart=${() => (dragged.current = card.key)} onDragEnd=${() => (dragged.current = null)}><${Icon} name="menu" /></span>
            <div class="card-text">
              <input type="text" dir="auto" aria-label=${`Title of section ${place + 1}`} value=${card.title} onInput=${(event) => put(card.key, { title: event.target.value })} />
              <textarea rows="2" dir="auto" aria-label=${`Points of ${named}, one a line`} value=${card.points} onInput=${(event) => put(card.key, { points: event.target.value })}></textarea>
            </div>
            <div class="card-tools">
              <button type="button" class="quiet icon-only" aria-label=${`${named}: up`} disabled=${place === 0} onClick=${() => move(card.key, place - 1)}><${Icon} name="previous" /></button>
              <button type="button" class="quiet icon-only" aria-label=${`${named}: down`} disabled=${place === cards.length - 1} onClick=${() => move(card.key, place + 1)}><${Icon} name="next" /></button>
              <button type="button" class="quiet icon-only ${card.locked ? "on" : ""}" aria-label=${`${named}: hold on to it`} aria-pressed=${String(card.locked)} onClick=${() => put(card.key, { locked: !card.locked })}><${Icon} name="lock" /></button>
              <button type="button" class="quiet icon-only" aria-label=${`${named}: remove`} onClick=${() => desk.set({ cards: cards.filter((other) => other !== card) })}><${Icon} name="reject" /></button>
            </div>
          </li>`;
        })}
      </ol>
      <div class="row">
        <button type="button" onClick=${() => desk.set({ cards: [...cards, cardOf({ title: "", points: [] })] })}><${Icon} name="plus" /> Section</button>
        <span class="spring"></span>
        <button type="button" class="primary big" disabled=${!cards.length} onClick=${() => start(false)}><${Icon} name="start" /> Write it</button>
      </div>
    </section>`;
}

function Manuscript({ state }) {
  const { title, sections, written, result, cards } = state;
  return html`
    <section aria-labelledby="manuscript-heading">
      <div class="row">
        <h2 id="manuscript-heading">${result ? (result.finished ? "Written" : "As far as it came") : "Being written"}</h2>
        <span class="spring"></span>
        ${result && cards && html`<button type="button" onClick=${() => desk.set({ result: null })}>Back to the outline</button>`}
        ${result && html`<button type="button" onClick=${() => navigator.clipboard.writeText(result.text).then(() => tell("The text is copied."))}>Copy the text</button><button type="button" class="primary" onClick=${revise}>Go on in Revise</button>`}
      </div>
      <article class="paper manuscript" aria-busy=${String(!result)}>
        <h3 dir="auto">${title}</h3>
        ${result && !Object.keys(written).length && html`<p class="whole" dir="auto">${result.text}</p>`}
        ${(!result || Object.keys(written).length > 0) &&
        sections.map((section) => {
          const found = written[section.id];
          return html`<section key=${section.id}>
            <h4 dir="auto">${section.title} ${typeof found?.score === "number" && html`<small>${found.score.toFixed(1)} of 10</small>`}</h4>
            ${found ? html`<p class="whole" dir="auto">${found.content}</p>` : html`<p class="hint">not written yet</p>`}
            ${found?.critique && html`<details><summary>What the review said</summary><p class="hint" dir="auto">${found.critique}</p></details>`}
          </section>`;
        })}
      </article>
    </section>`;
}
