// A piece written from a brief: its outline is a person's to change, then sections fill in as they are written.

import { html, useEffect } from "./vendor/preact-htm.js";
import { Outline, blankCard, cardsOf, markdownOf } from "./outline.js";
import { Menu } from "./dialog.js";
import { Working, begin, follow, keptStore, whyNot } from "./following.js";
import { post, told } from "./api.js";
import { tell } from "./desk.js";
import { Icon } from "./icons.js";
import { useStore } from "./store.js";
import { copyText, reviseIt, saveFile } from "./taking.js";

const PROTOCOLS = [
  ["fixed", "Review and refine", "each section is written, reviewed, and refined until it is good"],
  ["no_refine", "Review once", "sections are reviewed, and stay as they are"],
  ["no_review", "Write only", "the quickest"],
  ["autonomous", "The model decides", "what is done next; for strong models"],
];

const EMPTY = {
  topic: "",
  style: "",
  protocol: "fixed",
  tau: 8,
  seed: 0,
  phase: "brief", // brief | outlining | outline | writing | piece
  title: "",
  cards: [],
  job: null,
  written: null, // the sections of the piece as they are taken away: {title, text, sections, state, finished}
  live: {},
  plan: [], // the sections while they are written
  drafts: {}, // {section: {content, score, critique}}
  again: {}, // {section: how its rewriting stands}
  problem: "",
};

const desk = keptStore("redraft.compose", EMPTY, ["topic", "style", "protocol", "tau", "seed", "phase", "title", "cards", "job", "written"]);

const briefOf = ({ topic, style, protocol, tau, seed }) => ({ topic, style, protocol, tau: Number(tau), seed });

/* ---- what is done ---- */

async function outline(seed) {
  desk.set({ problem: "", seed });
  const job = await begin("compose", { ...briefOf(desk.get()), outline_only: true });
  if (job) desk.set({ job, phase: "outlining", live: { state: "queued" } });
}

async function write() {
  const state = desk.get();
  desk.set({ problem: "" });
  const job = await begin("compose", { ...briefOf(state), outline: markdownOf(state.title, state.cards) });
  if (job) desk.set({ job, phase: "writing", live: { state: "queued" }, plan: [], drafts: {}, written: null });
}

function finish(job) {
  const { phase, cards, title } = desk.get();
  const { result } = job;
  const made = phase === "outlining" ? result?.outline?.length : result?.text;
  if (!made) {
    const back = cards.length ? "outline" : "brief";
    return desk.set({ job: null, phase: back, problem: result?.infeasible?.[0]?.reason || result?.stopped || whyNot(job) });
  }
  if (phase === "outlining") {
    desk.set({ job: null, phase: "outline", title: cards.some((one) => one.isLocked) ? title : result.title, cards: cardsOf(result.outline, cards) });
    tell(`An outline of ${result.outline.length} sections.`);
  } else {
    const { text, sections, finished, stopped } = result;
    desk.set({ job: null, phase: "piece", written: { title: result.title, text, sections, finished, stopped, state: job.state } });
    tell(job.state === "stopped" ? "Stopped: what was written is kept." : "The piece is written.");
  }
  requestAnimationFrame(() => document.getElementById("compose-heading")?.focus());
}

const update = (patch) => desk.set((state) => ({ ...state, live: { ...state.live, ...patch } }));

const HEARD = {
  outline: (said) => desk.set((state) => (state.phase === "writing" ? { ...state, plan: said.sections } : state)),
  section: (said) => desk.set((state) => ({ ...state, drafts: { ...state.drafts, [said.id]: said } })),
  step: (said) => update({ step: said }),
};

/** Put other words in the place of a section's. */
function replaceSection(id, content) {
  const { written } = desk.get();
  const old = written.sections.find((one) => one.id === id);
  const sections = written.sections.map((one) => (one.id === id ? { ...one, content, score: null, critique: "" } : one));
  const isThere = written.text.split(old.content).length === 2;
  const own = [`# ${written.title}`, ...sections.map((one) => `## ${one.title}\n\n${one.content}`)].join("\n\n");
  desk.set({ written: { ...written, sections, text: isThere ? written.text.split(old.content).join(content) : `${own}\n` } });
}

/* ---- the page ---- */

export function Compose() {
  const state = useStore(desk);
  const { job, phase, problem, live } = state;
  useEffect(() => (job ? follow(job, HEARD, update, finish) : undefined), [job]);
  return html`
    <main id="main" class="page" tabindex="-1">
      <h1>Compose</h1>
      ${phase === "brief" && html`<p class="lead">Say what the piece is about. First comes an outline, which is yours to change; then it is written, section by section.</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${phase === "brief" && html`<${Brief} state=${state} />`}
      ${phase !== "brief" && html`<${BriefInShort} state=${state} />`}
      ${phase === "outlining" && html`<${Working} id=${job} live=${live} what="Planning the sections" stopping="Stop" />`}
      ${phase === "outline" && html`<${Plan} state=${state} />`}
      ${phase === "writing" && html`<${Writing} state=${state} />`}
      ${phase === "piece" && html`<${Piece} written=${state.written} />`}
    </main>`;
}

function Brief({ state }) {
  const { topic, style, protocol, tau, cards } = state;
  const go = (event) => {
    event.preventDefault();
    outline(0);
  };
  const own = () => desk.set({ phase: "outline", title: topic.trim().split("\n")[0].slice(0, 120), cards: cards.length ? cards : [blankCard(), blankCard()] });
  return html`
    <form class="stack" onSubmit=${go}>
      <div class="stack tight">
        <label for="topic"><h2>Topic</h2></label>
        <textarea id="topic" rows="3" maxlength="5000" dir="auto" placeholder="An article for gardeners on why earthworms matter, in about 600 words …" value=${topic} onInput=${(event) => desk.set({ topic: event.target.value })}></textarea>
      </div>
      <div class="stack tight">
        <label for="style"><h2>Style</h2></label>
        <textarea id="style" rows="3" maxlength="5000" dir="auto" placeholder="For whom, in which tone, what must be in it …" value=${style} onInput=${(event) => desk.set({ style: event.target.value })}></textarea>
      </div>
      <div class="fields">
        <label><span>How it is written</span>
          <select value=${protocol} onChange=${(event) => desk.set({ protocol: event.target.value })}>${PROTOCOLS.map(([name, label]) => html`<option key=${name} value=${name}>${label}</option>`)}</select>
          <small>${PROTOCOLS.find(([name]) => name === protocol)[2]}</small>
        </label>
        ${protocol !== "no_review" && html`<label><span>Good from a score of</span><input type="number" min="1" max="10" step="0.5" value=${tau} onChange=${(event) => event.target.checkValidity() && desk.set({ tau: event.target.value })} /></label>`}
      </div>
      <div class="row">
        <button type="submit" class="primary big" disabled=${!topic.trim()}><${Icon} name="start" /> Make an outline</button>
        <button type="button" class="big" disabled=${!topic.trim()} onClick=${own}>${cards.length ? "To the outline that is there" : "Write the outline myself"}</button>
        ${state.written && html`<button type="button" class="link" onClick=${() => desk.set({ phase: "piece" })}>To the piece that is written</button>`}
      </div>
    </form>`;
}

function BriefInShort({ state }) {
  const { topic, style, phase } = state;
  const isBusy = phase === "outlining" || phase === "writing";
  return html`
    <div class="in-short">
      <p dir="auto"><strong>${topic}</strong>${style && html` <span class="hint">${style}</span>`}</p>
      ${!isBusy && html`<button type="button" onClick=${() => desk.set({ phase: "brief", problem: "" })}><${Icon} name="edit" /> Change the brief</button>`}
    </div>`;
}

function Plan({ state }) {
  const { title, cards, seed } = state;
  const isWhole = title.trim() && cards.length > 0 && cards.every((one) => one.title.trim());
  return html`
    <section aria-labelledby="compose-heading">
      <h2 id="compose-heading" tabindex="-1">Outline</h2>
      <p class="hint">Change it as you like: drag a card, or move it with its arrows. What you lock stays when another outline is asked for.</p>
      <${Outline} title=${title} cards=${cards} onTitle=${(next) => desk.set({ title: next })} onCards=${(next) => desk.set({ cards: next })} />
      <div class="row">
        <button type="button" class="primary big" disabled=${!isWhole} onClick=${write}><${Icon} name="start" /> Write it</button>
        <button type="button" class="big" onClick=${() => outline(seed + 1)}><${Icon} name="again" /> Another outline</button>
        ${!isWhole && html`<span class="hint">It needs a title, and every section one.</span>`}
      </div>
    </section>`;
}

const STATUS = { pending: "to be written", drafted: "written, not reviewed", revision_needed: "to be refined", completed: "done" };
const ACTIONS = { outline: "The outline is laid down", draft: "Written", review: "Reviewed", refine: "Refined" };

const scoreOf = (score) => (score === null || score === undefined ? "" : `${Number(score).toFixed(1)} of 10`);

function Writing({ state }) {
  const { job, live, plan, drafts, cards, title } = state;
  const sections = plan.length ? plan : cards.map((one, place) => ({ id: place + 1, title: one.title, points: one.points, status: "pending" }));
  const done = sections.filter((one) => one.status === "completed").length;
  const step = live.step?.action ? `${ACTIONS[live.step.action] || live.step.action}${live.step.section ? `: ${sections[live.step.section - 1]?.title ?? ""}` : ""}` : "";
  return html`
    <${Working} id=${job} live=${live} what=${`Writing: ${done} of ${sections.length} sections are done`}>
      <progress max=${sections.length} value=${done} aria-label="Sections done"></progress>
      ${step && html`<p class="hint" role="status" dir="auto">${step}</p>`}
    <//>
    <article class="paper piece" aria-label="The piece so far" aria-busy="true">
      <h2 dir="auto">${title}</h2>
      ${sections.map((one) => html`<${Section} key=${one.id} section=${one} draft=${drafts[one.id]} status=${one.status} />`)}
    </article>`;
}

function Section({ section, draft, status, children }) {
  const score = scoreOf(draft?.score);
  return html`
    <section class="part ${status || ""}">
      <div class="part-head">
        <h3 dir="auto">${section.title}</h3>
        ${score && html`<span class="score ${status === "completed" ? "good" : ""}">${score}</span>`}
        ${status && html`<span class="hint">${STATUS[status] || status}</span>`}
      </div>
      ${draft?.content ? html`<div class="prose" dir="auto">${draft.content}</div>` : html`<ul class="points">${(section.points || []).map((point, place) => html`<li key=${place} dir="auto">${point}</li>`)}</ul>`}
      ${draft?.critique && html`<details class="critique"><summary>What the reviewer said</summary><p class="quoted" dir="auto">${draft.critique}</p></details>`}
      ${children}
    </section>`;
}

function Piece({ written }) {
  const { title, text, sections, finished, stopped, state } = written;
  const words = text.trim().split(/\s+/).length;
  const exports = [
    { label: "Copy the text", act: () => copyText(text) },
    { label: "Markdown", act: () => saveFile("piece.md", text) },
    { label: "Go on in Revise", hint: "as a document of its own", act: () => reviseIt(text, title, "markdown").catch((error) => tell(told(error))) },
  ];
  return html`
    <section aria-labelledby="compose-heading">
      <div class="bar">
        <h2 id="compose-heading" tabindex="-1">${state === "stopped" ? "As far as it came" : "The piece"}</h2>
        <span class="hint">${words.toLocaleString("en")} words${finished ? "" : ` · ${stopped}`}</span>
        <span class="spring"></span>
        <button type="button" onClick=${() => desk.set({ phase: "outline" })}><${Icon} name="more" /> Back to the outline</button>
        <${Menu} label="Export" icon="export" items=${exports} />
      </div>
      <article class="paper piece" aria-label=${title}>
        <h2 dir="auto">${title}</h2>
        ${sections.map((one) => html`<${Section} key=${one.id} section=${one} draft=${one}><${Again} section=${one} /><//>`)}
      </article>
    </section>`;
}

/** Ask for one section again, with a word of advice; the others stay. */
function Again({ section }) {
  const id = `advice-${section.id}`;
  const state = useStore(desk, (all) => all.again?.[section.id]);
  const note = (patch) => desk.set((all) => ({ ...all, again: { ...all.again, [section.id]: patch } }));
  const ask = async (event) => {
    event.preventDefault();
    const instruction = event.target.elements.advice.value.trim();
    if (!instruction) return;
    note({ isBusy: true });
    try {
      const found = await post("/v1/revise", { text: section.content, instruction, format: "markdown", best_effort: true });
      const isOther = found.text.trim() !== section.content.trim();
      if (isOther) replaceSection(section.id, found.text.trim());
      note({ before: isOther ? section.content : null });
      tell(isOther ? `“${section.title}” is rewritten.` : "Nothing better was found for this section.");
    } catch (error) {
      note({ problem: told(error) });
    }
  };
  const back = () => {
    replaceSection(section.id, state.before);
    note(null);
  };
  return html`
    <details class="again">
      <summary>Rewrite this section</summary>
      <form class="row" onSubmit=${ask}>
        <label class="visually-hidden" for=${id}>What to change in “${section.title}”</label>
        <input type="text" id=${id} name="advice" dir="auto" placeholder="Shorter, no jargon, begin with the example …" />
        <button type="submit" disabled=${state?.isBusy}><${Icon} name="again" /> ${state?.isBusy ? "Rewriting …" : "Rewrite"}</button>
        ${state?.before && html`<button type="button" onClick=${back}><${Icon} name="undo" /> Take it back</button>`}
      </form>
      ${state?.problem && html`<p class="problem" role="alert">${state.problem}</p>`}
    </details>`;
}
