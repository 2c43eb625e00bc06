// Runs of benchmarks: how far they are, their scores, two side by side, and their samples.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { get, told } from "./api.js";

const REFRESH_MS = 5000;

const BETWEEN = ["scores", "datasets", "prompts"]; // names of levels, which say nothing of a score

/** All scores of a run, wherever they stand: [{name, score, low, high}]. */
function scoresOf(run) {
  const found = [];
  const walk = (value, path) => {
    if (!value || typeof value !== "object") return;
    if (typeof value.score === "number") {
      found.push({ name: path.join(" · "), score: value.score, low: value.low, high: value.high });
      return;
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, BETWEEN.includes(name) ? path : [...path, name]);
  };
  walk(run.scores, []);
  return found;
}

const round = (value) => (Math.abs(value) >= 100 ? value.toFixed(1) : value.toFixed(2));
const systemOf = (run) => run.run?.system?.name || run.run?.system || "";
const benchmarkOf = (run) => run.run?.benchmark?.name || run.run?.benchmark || run.run?.kind || "";
const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value));

export function Runs({ id }) {
  const [runs, setRuns] = useState(null);
  const [problem, setProblem] = useState("");
  const [chosen, choose] = useState([]);
  useEffect(() => {
    const load = () =>
      !document.hidden &&
      get("/v1/runs")
        .then((found) => (setRuns(found.runs), setProblem("")))
        .catch((error) => setProblem(told(error)));
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const toggle = (name) => choose((before) => (before.includes(name) ? before.filter((one) => one !== name) : [...before.slice(-1), name]));
  if (id) return html`<${Run} name=${id} />`;
  const pair = chosen.map((name) => (runs || []).find((one) => one.name === name)).filter(Boolean);
  return html`
    <main id="main" class="page wide" tabindex="-1">
      <h1>Runs</h1>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${runs?.length === 0 && html`<p class="lead">There are none here. Start the server with the folder that they are in: <code>redraft serve --runs DIR</code>; and make one with <code>redraft bench run</code>.</p>`}
      ${runs?.length > 0 &&
      html`<div class="scroll"><table class="plain">
        <thead><tr><th scope="col"><span class="visually-hidden">Compare</span></th><th scope="col">Run</th><th scope="col">Benchmark</th><th scope="col">System</th><th scope="col">Samples</th><th scope="col">Scores</th></tr></thead>
        <tbody>
          ${runs.map(
            (one) => html`<tr key=${one.name}>
              <td><input type="checkbox" aria-label=${`Compare ${one.name}`} checked=${chosen.includes(one.name)} onChange=${() => toggle(one.name)} /></td>
              <th scope="row"><a href=${`#/runs/${encodeURIComponent(one.name)}`}>${one.name}</a>${one.problem && html`<p class="problem">${one.problem}</p>`}</th>
              <td>${plain(benchmarkOf(one))}</td>
              <td>${plain(systemOf(one))}</td>
              <td class="number">${one.finished.toLocaleString("en")}${one.scores?.coverage?.planned > one.finished && html`<small> of ${one.scores.coverage.planned.toLocaleString("en")}</small>`}</td>
              <td>${one.scores ? scoresOf(one).slice(0, 2).map((score) => `${score.name} ${round(score.score)}`).join(", ") || "scored" : html`<span class="hint">not scored yet</span>`}</td>
            </tr>`,
          )}
        </tbody>
      </table></div>
      <p class="hint">Choose two to see them side by side.</p>`}
      ${pair.length === 2 && html`<${Pair} runs=${pair} />`}
    </main>`;
}

function Pair({ runs }) {
  const [a, b] = runs.map((one) => new Map(scoresOf(one).map((score) => [score.name, score.score])));
  const names = [...new Set([...a.keys(), ...b.keys()])];
  if (!names.length) return html`<p class="hint">Neither has scores yet.</p>`;
  const most = Math.max(...names.flatMap((name) => [a.get(name) ?? 0, b.get(name) ?? 0]), 1e-9);
  return html`
    <section>
      <h2>Side by side</h2>
      <div class="scroll"><table class="plain">
        <thead><tr><th scope="col">Score</th>${runs.map((one) => html`<th scope="col" key=${one.name}>${one.name}</th>`)}<th scope="col">Difference</th></tr></thead>
        <tbody>
          ${names.map((name) => {
            const values = [a.get(name), b.get(name)];
            const isBoth = values.every((value) => value !== undefined);
            return html`<tr key=${name}>
              <th scope="row">${name}</th>
              ${values.map((value, place) => html`<td key=${place} class="number">${value === undefined ? "–" : html`${round(value)}<svg class="bar-of" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width=${Math.max(0, (100 * value) / most)} height="4" /></svg>`}</td>`)}
              <td class="number">${isBoth ? `${values[1] >= values[0] ? "+" : "−"}${round(Math.abs(values[1] - values[0]))}` : "–"}</td>
            </tr>`;
          })}
        </tbody>
      </table></div>
      <p class="hint">Whether a difference is more than chance: <code>redraft bench compare</code> tests it.</p>
    </section>`;
}

const SAMPLES = 20;

function Run({ name }) {
  const [run, setRun] = useState(null);
  const [skip, setSkip] = useState(0);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    get(`/v1/runs/${name.split("/").map(encodeURIComponent).join("/")}?limit=${SAMPLES}&skip=${skip}`)
      .then(setRun)
      .catch((error) => setProblem(told(error)));
  }, [name, skip]);
  return html`
    <main id="main" class="page wide" tabindex="-1">
      <p><a href="#/runs">All runs</a></p>
      <h1>${name}</h1>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${run &&
      html`<p class="lead">${plain(benchmarkOf(run))} ${plain(systemOf(run))}, ${run.finished.toLocaleString("en")} samples</p>
        ${run.problem && html`<p class="problem">${run.problem}</p>`}
        ${scoresOf(run).length > 0 && html`<section><h2>Scores</h2><div class="scroll"><table class="plain"><tbody>${scoresOf(run).map((one) => html`<tr key=${one.name}><th scope="row">${one.name}</th><td class="number">${round(one.score)}</td><td class="hint">${typeof one.low === "number" ? `between ${round(one.low)} and ${round(one.high)}` : ""}</td></tr>`)}</tbody></table></div></section>`}
        <section>
          <h2>Samples</h2>
          ${run.samples.map((one, place) => html`<details key=${skip + place}><summary>${one.id ?? one.key ?? `Sample ${skip + place + 1}`}</summary><dl class="sample">${Object.entries(one).map(([field, value]) => html`<div key=${field}><dt>${field}</dt><dd dir="auto">${plain(value)}</dd></div>`)}</dl></details>`)}
          <div class="row">
            <button type="button" disabled=${skip === 0} onClick=${() => setSkip(Math.max(0, skip - SAMPLES))}>Earlier</button>
            <button type="button" disabled=${run.samples.length < SAMPLES} onClick=${() => setSkip(skip + SAMPLES)}>Later</button>
          </div>
        </section>
        <details><summary>How it was run</summary><pre class="facts">${JSON.stringify(run.run, null, 2)}</pre></details>`}
    </main>`;
}
