// A text made easier by a policy: which words gave way to which, sentence by sentence.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { get, told } from "./api.js";
import { change, tell } from "./desk.js";
import { Icon } from "./icons.js";
import { hearJob, startJob, stopJob } from "./jobs.js";
import { Words } from "./passages.js";
import { newDocument } from "./saving.js";
import { createStore, useStore } from "./store.js";
import { compareWords, trimmed } from "./words.js";

const SAMPLE = `The committee will commence its deliberations on 3 March and anticipates reaching a verdict within a fortnight. Inhabitants of the valley were compelled to abandon their dwellings when the river inundated the fields.`;

/** What is simplified; it stays while another page is looked at. */
const desk = createStore({ policies: null, text: "", policy: "lexical", own: null, job: null, result: null, problem: "" });

async function start() {
  const { text, policy, own } = desk.get();
  desk.set({ job: { state: "starting" }, result: null, problem: "" });
  try {
    const job = await startJob("simplify", own === null ? { text, policy } : { text, own_policy: own });
    location.hash = `#/simplify/${job.id}`;
  } catch (error) {
    desk.set({ job: null, problem: told(error) });
  }
}

/** Hear the job that the address names, also after the page was loaded again. */
function follow(id) {
  desk.set({ job: { id, state: "queued" }, result: null, problem: "" });
  const tellJob = (said) => desk.set((state) => ({ ...state, job: state.job && { ...state.job, ...said } }));
  return hearJob(
    id,
    { state: ({ state, place }) => tellJob({ state, place }), done: tellJob, progress: ({ message }) => tellJob({ message }) },
    ({ state, result, problem }) => {
      const why = problem?.detail || (result ? "" : state === "stopped" ? "It was stopped before it gave anything." : "It gave no result.");
      desk.set({ job: null, result: result || null, problem: why });
      if (result && !desk.get().text) desk.set({ text: result.sentences.map((one) => one.source).join(" ") });
      if (result) tell("Done: the text is simplified.");
    },
  );
}

async function revise() {
  const { result } = desk.get();
  await newDocument();
  change({ text: result.text }, { note: "Came from a simplification" });
  location.hash = "#/revise";
}

export function Simplify({ id }) {
  const state = useStore(desk);
  useEffect(() => {
    if (state.policies) return;
    get("/v1/policies")
      .then((policies) => desk.set({ policies }))
      .catch((error) => desk.set({ problem: told(error) }));
  }, []);
  useEffect(() => (id ? follow(id) : undefined), [id]);
  const { job, result, text, problem } = state;
  return html`
    <main id="main" class="page wide" tabindex="-1">
      <h1>Simplify</h1>
      <p class="lead">The same said in easier words, or in easier sentences: by a policy, so that you know what may change and what may not.</p>
      <form class="simplify-form" onSubmit=${(event) => (event.preventDefault(), start())}>
        <label for="simplify-text"><h2>Text</h2></label>
        <textarea id="simplify-text" class="paper" rows="7" dir="auto" placeholder="Paste a text here." disabled=${job !== null} value=${text} onInput=${(event) => desk.set({ text: event.target.value })}></textarea>
        ${!text && html`<button type="button" class="link" onClick=${() => desk.set({ text: SAMPLE })}>Try it with a sample text</button>`}
        <${Policies} state=${state} />
        <div class="row">
          ${job ? html`<${Progress} job=${job} />` : html`<button type="submit" class="primary big" disabled=${!text.trim()}><${Icon} name="start" /> Simplify</button>`}
        </div>
      </form>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${result && html`<${Result} result=${result} />`}
    </main>`;
}

function Policies({ state }) {
  const { policies, policy, own, job } = state;
  if (!policies) return null;
  const chosen = policies.find((one) => one.name === policy);
  return html`
    <fieldset class="policies" disabled=${job !== null}>
      <legend><h2>Policy</h2></legend>
      ${policies.map(
        (one) => html`<label key=${one.name} class="policy">
          <input type="radio" name="policy" checked=${own === null && policy === one.name} onChange=${() => desk.set({ policy: one.name, own: null })} />
          <span><strong>${one.title}</strong><span>${one.about}</span></span>
        </label>`,
      )}
      <label class="policy">
        <input type="radio" name="policy" checked=${own !== null} onChange=${() => desk.set({ own: chosen.text })} />
        <span><strong>One of your own</strong><span>Begin with ${chosen.title.toLowerCase()}, and change what it says.</span></span>
      </label>
    </fieldset>
    ${own !== null && html`<label><span class="hint">Your policy, as a file of YAML</span><textarea class="code" rows="16" spellcheck="false" value=${own} onInput=${(event) => desk.set({ own: event.target.value })}></textarea></label>`}`;
}

function Progress({ job }) {
  const says = job.message || (job.done ? `${job.done} of ${job.of} sentences` : job.state === "queued" ? "Waiting to begin …" : "Simplifying …");
  return html`
    <button type="button" class="big" disabled=${!job.id} onClick=${() => stopJob(job.id).catch((error) => tell(told(error)))}><${Icon} name="stop" /> Stop</button>
    <span class="hint" role="status">${says}</span>`;
}

function Result({ result }) {
  const changed = result.sentences.filter((one) => one.source !== one.simplified).length;
  return html`
    <section aria-labelledby="simplified">
      <div class="row">
        <h2 id="simplified">${changed} of ${result.sentences.length} sentences changed</h2>
        <span class="spring"></span>
        <button type="button" onClick=${() => navigator.clipboard.writeText(result.text).then(() => tell("The text is copied."))}>Copy the text</button>
        <button type="button" onClick=${revise}>Go on in Revise</button>
      </div>
      <div class="paper simplified">
        ${result.sentences.map((one, place) => {
          const parts = trimmed(compareWords(one.source, one.simplified));
          return html`<div key=${place} class="pair ${one.source === one.simplified ? "same" : ""}">
            <p class="old" dir="auto"><${Words} parts=${parts} without="new" /></p>
            <p class="now" dir="auto"><${Words} parts=${parts} without="cut" /></p>
          </div>`;
        })}
      </div>
    </section>
    ${result.glossary.length > 0 &&
    html`<section>
      <h2>Words that gave way</h2>
      <div class="scroll">
        <table class="plain">
          <thead><tr><th scope="col">Said</th><th scope="col">Now</th><th scope="col">Level</th><th scope="col">Why</th></tr></thead>
          <tbody>${result.glossary.map((one) => html`<tr key=${`${one.said} ${one.new}`}><th scope="row" dir="auto">${one.said}</th><td dir="auto">${one.new || html`<em>left out</em>`}</td><td>${one.level}</td><td>${one.why}</td></tr>`)}</tbody>
        </table>
      </div>
    </section>`}`;
}
