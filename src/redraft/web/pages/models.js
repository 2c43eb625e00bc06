// The models: what is chosen for what, what is fetched, and what was spent.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { get, listen, post, told } from "./api.js";
import { Icon } from "./icons.js";

const megabytes = (bytes) => `${Math.round(bytes / 1e6).toLocaleString("en")} MB`;

const ROLES = { model: "Everything", planner: "Planning", reviser: "Revising", judge: "Judging", reasoner: "Reasoning", writer: "Writing", reviewer: "Reviewing", refiner: "Refining" };

export function Models() {
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState("");
  const load = () =>
    get("/v1/models")
      .then(setFound)
      .catch((error) => setProblem(told(error)));
  useEffect(() => void load(), []);
  return html`
    <main id="main" class="page" tabindex="-1">
      <h1>Models</h1>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${!found && !problem && html`<p class="hint" role="status">Looking …</p>`}
      ${found && html`<${Roles} found=${found} /><${Larger} larger=${found.larger} onFetched=${load} /><${Weights} found=${found} /><${Spend} spend=${found.spend} />`}
    </main>`;
}

function Roles({ found }) {
  const { roles, service } = found;
  return html`
    <section>
      <h2>In use</h2>
      <div class="scroll">
        <table class="plain">
          <thead><tr><th scope="col">For</th><th scope="col">Model</th><th scope="col">Chosen by</th><th scope="col">Taken at its word</th><th scope="col"><span class="visually-hidden">Try it</span></th></tr></thead>
          <tbody>
            ${roles.map((one) => html`<tr key=${one.role}><th scope="row">${ROLES[one.role] || one.role}</th><td><code>${one.spec}</code></td><td>${one.origin}</td><td>${one.trust === "high" ? "yes" : "no: it is checked"}</td><td><${Try} spec=${one.spec} /></td></tr>`)}
          </tbody>
        </table>
      </div>
      <p class="hint">Models are chosen in the settings, or when the server is started: <code>redraft serve --model SPEC</code>. ${service && html`A service would be asked at <code>${service.address}</code>; its key is ${service.has_key ? "set" : "not set"}.`}</p>
    </section>`;
}

/** Ask a model one thing, and see what comes. */
function Try({ spec }) {
  const [state, setState] = useState({ at: "idle" });
  const ask = async () => {
    setState({ at: "asking" });
    const since = Date.now();
    try {
      const { text, problem } = await post("/v1/models/test", { model: spec });
      setState({ at: "done", text, problem, seconds: (Date.now() - since) / 1000 });
    } catch (error) {
      setState({ at: "done", problem: told(error) });
    }
  };
  return html`
    <button type="button" disabled=${state.at === "asking"} onClick=${ask}>${state.at === "asking" ? "Asking …" : "Try it"}</button>
    <div role="status">
      ${state.problem && html`<p class="problem">${state.problem}</p>`}
      ${state.text && html`<p class="quoted" dir="auto">${state.text}</p><small>${state.seconds.toFixed(1)} s, asked for the capital of France</small>`}
    </div>`;
}

function Larger({ larger, onFetched }) {
  if (!larger.length) return null;
  return html`
    <section>
      <h2>Larger ones</h2>
      <p class="hint">They revise better, and slower; they run on this computer too.</p>
      <ul class="models">${larger.map((one) => html`<${Fetchable} key=${one.name} model=${one} onFetched=${onFetched} />`)}</ul>
    </section>`;
}

function Fetchable({ model, onFetched }) {
  const [job, setJob] = useState(null);
  const [said, say] = useState("");
  useEffect(() => {
    if (!job) return undefined;
    return listen(`/v1/jobs/${job}/events`, {
      progress: ({ message }) => say(message),
      problem: ({ detail }) => say(detail),
      state: ({ state }) => {
        if (!["done", "failed", "stopped"].includes(state)) return;
        setJob(null);
        if (state === "done") say("It is here.");
        onFetched();
      },
    });
  }, [job]);
  const fetchIt = () =>
    post("/v1/models/pull", { name: model.name })
      .then((found) => (say("Waiting to begin …"), setJob(found.id)))
      .catch((error) => say(told(error)));
  const isHere = model.state === "ready";
  return html`
    <li>
      <div class="row">
        <strong>${model.title}</strong>
        <span class="hint">${model.megabytes.toLocaleString("en")} MB to fetch, ${model.memory_mb.toLocaleString("en")} MB of memory, ${model.licence}</span>
        <span class="spring"></span>
        ${isHere ? html`<span class="good"><${Icon} name="accept" /> fetched</span>` : html`<button type="button" disabled=${job !== null} onClick=${fetchIt}><${Icon} name="export" /> Fetch</button>`}
      </div>
      <p class="hint" role="status">${said || (isHere ? "" : model.state)}</p>
      ${isHere ? html`<p class="hint">To use it: <code>redraft serve --model ${model.spec}</code></p>` : html`<details><summary>Where it comes from</summary><p class="origin">${model.origin}</p></details>`}
    </li>`;
}

function Weights({ found }) {
  const rows = [...found.weights.map((one) => [one.name, one.bytes, one.state]), ...found.adapters.map((one) => [`adapter ${one.name}`, one.bytes, one.added ? "added" : "comes with it"])];
  return html`
    <section>
      <h2>On this computer</h2>
      <div class="scroll">
        <table class="plain">
          <thead><tr><th scope="col">File</th><th scope="col">Size</th><th scope="col">State</th></tr></thead>
          <tbody>${rows.map(([name, bytes, state]) => html`<tr key=${name}><th scope="row">${name}</th><td class="number">${megabytes(bytes)}</td><td>${state}</td></tr>`)}</tbody>
        </table>
      </div>
    </section>`;
}

function Spend({ spend }) {
  return html`
    <section>
      <h2>Spent so far</h2>
      <dl class="spend">
        <div><dt>Jobs</dt><dd>${spend.jobs.toLocaleString("en")}</dd></div>
        <div><dt>Model calls</dt><dd>${spend.calls.toLocaleString("en")}</dd></div>
        <div><dt>Tokens</dt><dd>${spend.tokens.toLocaleString("en")}</dd></div>
        <div><dt>Time</dt><dd>${Math.round(spend.seconds).toLocaleString("en")} s</dd></div>
        <div><dt>Cost</dt><dd>${spend.cost > 0 ? `$${spend.cost.toFixed(2)}` : "nothing"}</dd></div>
      </dl>
    </section>`;
}
