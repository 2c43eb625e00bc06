// The runs of benchmarks in the server's folder: how far they are, their scores and samples, and two side by side.

import { html, useEffect, useMemo, useState } from "./vendor/preact-htm.js";
import { get, told } from "./api.js";
import { Icon } from "./icons.js";
import { Words } from "./passages.js";
import { Bar, Difference, Lines, metricName, numbersOf, round } from "./plots.js";
import { compareWords } from "./words.js";

const LOOK_AGAIN_MS = 8000;
const PAGE = 20;

const path = (name) => name.split("/").map(encodeURIComponent).join("/");
const link = (...names) => ["#/runs", ...names.map(encodeURIComponent)].join("/");
const isUnderWay = (run) => !run.scores && !run.problem;
const labelOf = (run) => run.scores?.label || run.run?.system || run.name;
const time = (text) => (text ? new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "–");

/** What an address answers, asked again while `isLive` says so. */
function useAnswer(address, isLive = () => false) {
  const [found, setFound] = useState({ address: null });
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const ask = async () => {
      try {
        const answer = await get(address);
        if (isGone) return;
        setFound({ address, answer });
        if (isLive(answer)) timer = setTimeout(again, LOOK_AGAIN_MS);
      } catch (error) {
        if (!isGone) setFound({ address, problem: told(error) });
      }
    };
    const again = () => {
      if (document.hidden) timer = setTimeout(again, LOOK_AGAIN_MS);
      else ask();
    };
    ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [address]);
  return found.address === address ? found : {};
}

export function Runs() {
  const [first, second] = location.hash.split("/").slice(2).map(decodeURIComponent);
  return html`
    <main id="main" class="page wide" tabindex="-1">
      ${first && second ? html`<${Comparison} key=${`${first}|${second}`} first=${first} second=${second} />` : first ? html`<${Run} key=${first} name=${first} />` : html`<${List} />`}
    </main>`;
}

const Wait = ({ what }) => html`<p class="hint" role="status">${what} …</p>`;

function Back() {
  return html`<p><a href="#/runs">All runs</a></p>`;
}

/* ---- all of them ---- */

function List() {
  const { answer, problem } = useAnswer("/v1/runs", ({ runs }) => runs.some((one) => isUnderWay(one) && one.planned));
  const [picked, pick] = useState([]);
  const turn = (name) => pick(picked.includes(name) ? picked.filter((one) => one !== name) : [...picked.slice(-1), name]);
  const runs = answer?.runs || [];
  return html`
    <h1>Runs</h1>
    <p class="lead">Systems that were run over a benchmark, the newest first: open one, or choose two to hold one against the other.</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${!answer && !problem && html`<${Wait} what="Looking" />`}
    ${answer && !runs.length && html`<p class="hint">There are none here. Start the server with <code>redraft serve --runs DIR</code>, where <code>redraft bench run … --out DIR/NAME</code> has left some.</p>`}
    ${runs.length > 0 &&
    html`<div class="scroll">
        <table class="plain runs">
          <thead><tr><th scope="col"><span class="visually-hidden">Compare</span></th><th scope="col">Run</th><th scope="col" class="aside">Benchmark</th><th scope="col" class="aside">System</th><th scope="col">Samples</th><th scope="col">Main score</th><th scope="col" class="aside">Started</th></tr></thead>
          <tbody>
            ${runs.map(
              (one) => html`<tr key=${one.name}>
                <td><input type="checkbox" aria-label=${`Compare ${one.name}`} checked=${picked.includes(one.name)} disabled=${!one.scores} onChange=${() => turn(one.name)} /></td>
                <th scope="row"><a href=${link(one.name)} dir="auto">${one.name}</a></th>
                <td class="aside">${one.run?.benchmark || "–"}</td>
                <td class="system aside" dir="auto">${labelOf(one)}</td>
                <td class="number"><${HowFar} run=${one} /></td>
                <td class="number">${mainScore(one.scores)}</td>
                <td class="aside">${time(one.run?.started)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <div class="row">
        ${picked.length === 2 ? html`<a class="button go" href=${link(...picked)}>Compare the two</a>` : html`<span class="hint" role="status">${picked.length === 1 ? "Choose one more to compare." : "Choose two to compare them."}</span>`}
      </div>`}`;
}

function HowFar({ run }) {
  if (run.problem) return html`<span class="warn" title=${run.problem}>cannot be read</span>`;
  const { finished, planned } = run;
  if (!isUnderWay(run)) return planned && finished < planned ? `${finished.toLocaleString("en")} of ${planned.toLocaleString("en")}` : finished.toLocaleString("en");
  if (!planned) return html`${finished.toLocaleString("en")}, not scored yet`;
  return html`<span class="how-far"><progress max=${planned} value=${finished} aria-label="Samples done"></progress> ${finished.toLocaleString("en")} of ${planned.toLocaleString("en")}</span>`;
}

/** The mean of the first metric over the data sets that have it. */
function mainScore(scores) {
  const rows = Object.values(scores?.datasets || {}).map(numbersOf);
  const metric = rows.flatMap((one) => Object.keys(one))[0];
  if (!metric) return "–";
  const values = rows.flatMap((one) => (one[metric] ? [one[metric].score] : []));
  return html`${round(values.reduce((sum, one) => sum + one, 0) / values.length)} <small>${metricName(metric)}</small>`;
}

/* ---- one of them ---- */

function Run({ name }) {
  const { answer: run, problem } = useAnswer(`/v1/runs/${path(name)}?limit=1`, isUnderWay);
  if (problem) return html`<${Back} /><p class="problem" role="alert">${problem}</p>`;
  if (!run) return html`<${Back} /><${Wait} what="Opening the run" />`;
  const facts = Object.entries(flat(run.run || {})).filter(([key]) => !key.startsWith("versions"));
  return html`
    <${Back} />
    <h1 dir="auto">${labelOf(run)}</h1>
    <p class="lead"><code>${run.name}</code></p>
    ${run.problem && html`<p class="problem" role="alert">${run.problem}</p>`}
    ${isUnderWay(run) && html`<section class="progress" aria-label="Progress"><p role="status">${run.planned ? `${run.finished.toLocaleString("en")} of ${run.planned.toLocaleString("en")} samples are done` : `${run.finished.toLocaleString("en")} samples are done; it is not scored yet`}.</p>${run.planned && html`<progress max=${run.planned} value=${run.finished} aria-label="Samples done"></progress>`}</section>`}
    ${run.scores && html`<${Scores} scores=${run.scores} />`}
    ${run.figures.length > 0 && html`<section aria-labelledby="figures-heading"><h2 id="figures-heading">Figures</h2><div class="figures">${run.figures.map((one) => html`<${Figure} key=${one} run=${run.name} name=${one} />`)}</div></section>`}
    <${Samples} name=${name} count=${run.finished} />
    <details><summary>How it was made</summary><dl class="facts">${facts.map(([key, value]) => html`<div key=${key}><dt>${key}</dt><dd dir="auto">${value}</dd></div>`)}</dl></details>`;
}

function flat(value, prefix = "") {
  return Object.entries(value).reduce((found, [key, one]) => {
    if (one === null || one === "" || (typeof one === "object" && !Object.keys(one).length)) return found;
    return typeof one === "object" && !Array.isArray(one) ? { ...found, ...flat(one, `${prefix}${key} `) } : { ...found, [prefix + key]: Array.isArray(one) ? one.join(", ") : String(one) };
  }, {});
}

function Figure({ run, name }) {
  const says = name.replaceAll("-", " ");
  const address = `/v1/runs/${path(run)}/figures/${encodeURIComponent(name)}`;
  return html`<figure><a href=${address} target="_blank" rel="noopener"><img src=${address} alt=${`Figure: ${says}`} loading="lazy" /></a><figcaption>${says}</figcaption></figure>`;
}

function Scores({ scores }) {
  const rows = Object.entries(scores.datasets || {}).map(([name, one]) => ({ name, ...one, numbers: numbersOf(one) }));
  const metrics = [...new Set(rows.flatMap((one) => Object.keys(one.numbers)))];
  const [metric, choose] = useState(metrics[0]);
  if (!metrics.length) return html`<p class="hint">It has no scores.</p>`;
  const { planned, done, failed } = scores.coverage || {};
  return html`
    <section aria-labelledby="scores-heading">
      <div class="row"><h2 id="scores-heading">Scores</h2>${planned > 0 && html`<span class="hint">${done.toLocaleString("en")} of ${planned.toLocaleString("en")} samples${failed ? `, ${failed} failed` : ""}</span>`}</div>
      <div class="scroll" tabindex="0" role="region" aria-label="All scores">
        <table class="plain numbers">
          <thead><tr><th scope="col">Data set</th><th scope="col">n</th>${metrics.map((one) => html`<th key=${one} scope="col">${metricName(one)}</th>`)}</tr></thead>
          <tbody>
            ${rows.map(
              (row) => html`<tr key=${row.name}><th scope="row">${row.abbreviation || row.name}<small>${row.task}</small></th><td class="number">${row.scored}</td>
                ${metrics.map((one) => html`<td key=${one} class="number" title=${row.numbers[one]?.signature}>${row.numbers[one] ? html`${round(row.numbers[one].score)}${row.numbers[one].low !== undefined && html`<small>${round(row.numbers[one].low)}–${round(row.numbers[one].high)}</small>`}` : "–"}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="hint">Small: the 95 % interval, or where there are several prompts the least and the most of them.</p>
      <div class="row"><label class="inline"><span>Drawn</span><select value=${metric} onChange=${(event) => choose(event.target.value)}>${metrics.map((one) => html`<option key=${one} value=${one}>${metricName(one)}</option>`)}</select></label></div>
      <${Lines} rows=${rows.flatMap((row) => (row.numbers[metric] ? [{ name: row.abbreviation || row.name, ...row.numbers[metric] }] : []))} />
    </section>`;
}

function Samples({ name, count }) {
  const [skip, go] = useState(0);
  const { answer, problem } = useAnswer(`/v1/runs/${path(name)}?limit=${PAGE}&skip=${skip}`);
  const samples = answer?.samples || [];
  if (!count && !samples.length) return null;
  return html`
    <section aria-labelledby="samples-heading">
      <div class="row">
        <h2 id="samples-heading">Samples</h2>
        <span class="hint" role="status">${answer ? (samples.length ? `${skip + 1} to ${skip + samples.length}` : "no more") : "opening …"}</span>
        <span class="spring"></span>
        <div class="row joined" role="group" aria-label="Pages of samples">
          <button type="button" disabled=${skip === 0} onClick=${() => go(Math.max(0, skip - PAGE))}><${Icon} name="previous" /> Earlier</button>
          <button type="button" disabled=${samples.length < PAGE} onClick=${() => go(skip + PAGE)}><${Icon} name="next" /> Further</button>
        </div>
      </div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <ol class="samples">${samples.map((one, place) => html`<${Sample} key=${`${skip}-${place}`} sample=${one} />`)}</ol>
    </section>`;
}

function Sample({ sample }) {
  const [isOpen, open] = useState(false);
  const { key, instruction, input, output, error, references = [] } = sample;
  return html`
    <li>
      <details onToggle=${(event) => open(event.target.open)}>
        <summary><span class="key">${key}</span> <span class="what" dir="auto">${instruction || sample.task || ""}</span>${error && html` <span class="warn">failed</span>`}</summary>
        ${isOpen &&
        html`<div class="sample">
          ${error && html`<p class="problem" dir="auto">${String(error)}</p>`}
          ${typeof input === "string" && html`<${Changed} before=${input} after=${typeof output === "string" ? output : input} />`}
          ${typeof input !== "string" && typeof output === "string" && html`<p class="quoted" dir="auto">${output}</p>`}
          ${references.slice(0, 5).map((one, place) => html`<h4 key=${`h${place}`}>Reference${references.length > 1 ? ` ${place + 1}` : ""}</h4><p key=${place} class="quoted" dir="auto">${String(one)}</p>`)}
        </div>`}
      </details>
    </li>`;
}

function Changed({ before, after }) {
  const parts = useMemo(() => compareWords(before, after), [before, after]);
  return html`<p class="quoted" dir="auto"><${Words} parts=${parts} /></p>`;
}

/* ---- two of them ---- */

function Comparison({ first, second }) {
  const { answer, problem } = useAnswer(`/v1/comparison?first=${encodeURIComponent(first)}&second=${encodeURIComponent(second)}`);
  return html`
    <${Back} />
    <h1>Two runs</h1>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${!answer && !problem && html`<${Wait} what="Comparing; this draws a thousand samples for every score" />`}
    ${answer && html`<${Compared} found=${answer} first=${first} second=${second} />`}`;
}

function Compared({ found, first, second }) {
  const { differences, gains, losses, coverage, abbreviations } = found;
  const widest = Math.max(1e-9, ...differences.flatMap((one) => one.interval.map(Math.abs)));
  return html`
    <p class="lead">How far <a href=${link(second)} dir="auto">${found.second}</a> is from <a href=${link(first)} dir="auto">${found.first}</a>, over the samples that both have. <a href=${link(second, first)}>The other way round</a></p>
    <section aria-labelledby="differences-heading">
      <h2 id="differences-heading">Differences</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Differences">
        <table class="plain numbers">
          <thead><tr><th scope="col">Data set</th><th scope="col">Metric</th><th scope="col">n</th><th scope="col">First</th><th scope="col">Second</th><th scope="col">Difference</th><th scope="col"><span class="visually-hidden">Drawn</span></th><th scope="col">p</th></tr></thead>
          <tbody>
            ${differences.map((one) => html`<tr key=${`${one.dataset}|${one.metric}`}><th scope="row">${abbreviations[one.dataset] || one.dataset}</th><td title=${one.signature}>${metricName(one.metric)}</td><td class="number">${one.samples}</td><td class="number">${round(one.first)}</td><td class="number">${round(one.second)}</td><td class="number"><${Difference} of=${one} /></td><td class="drawn"><${Bar} from=${-widest} to=${widest} score=${one.difference} low=${one.interval[0]} high=${one.interval[1]} zero /></td><td class="number">${one.p_bootstrap < 0.001 ? "< 0.001" : one.p_bootstrap.toFixed(3)}</td></tr>`)}
          </tbody>
        </table>
      </div>
      <p class="hint">Small: the 95 % interval of the paired bootstrap; p is two-sided, and not corrected for many rows. ${coverage.reduce((sum, one) => sum + one.both, 0).toLocaleString("en")} samples are in both${left(coverage)}.</p>
    </section>
    <${Changes} title="Where the second does better" changes=${gains} found=${found} />
    <${Changes} title="Where it does worse" changes=${losses} found=${found} />`;
}

function left(coverage) {
  const count = coverage.reduce((sum, one) => sum + one.first_only + one.second_only, 0);
  return count ? `; ${count.toLocaleString("en")} are in one alone, and left out` : "";
}

function Changes({ title, changes, found }) {
  if (!changes.length) return null;
  return html`
    <section>
      <h2>${title}</h2>
      <ol class="samples">
        ${changes.map((one) => html`<li key=${one.key}><${Change} change=${one} found=${found} /></li>`)}
      </ol>
    </section>`;
}

function Change({ change, found }) {
  const [isOpen, open] = useState(false);
  const { key, metric, instruction, input, first, second, first_score: before, second_score: after } = change;
  return html`
    <details onToggle=${(event) => open(event.target.open)}>
      <summary><span class="key">${key}</span> <span class="number">${metricName(metric)} ${round(before)} → ${round(after)}</span> <span class="what" dir="auto">${instruction}</span></summary>
      ${isOpen && html`<div class="sample"><h4 dir="auto">${found.first}</h4><${Changed} before=${input} after=${first} /><h4 dir="auto">${found.second}</h4><${Changed} before=${input} after=${second} /></div>`}
    </details>`;
}
