// A text made simpler by a policy: sentence by sentence, with what became of which word.

import { html, useEffect, useMemo, useState } from "./vendor/preact-htm.js";
import { get, post, told } from "./api.js";
import { choiceOf, mix, tell } from "./desk.js";
import { Menu } from "./dialog.js";
import { Working, begin, follow, keptStore, whyNot } from "./following.js";
import { Icon } from "./icons.js";
import { Words } from "./passages.js";
import { PolicyPicker, fileOf } from "./policy.js";
import { useStore } from "./store.js";
import { copyText, reviseIt, saveFile } from "./taking.js";
import { trimmed } from "./words.js";

const EMPTY = { text: "", policy: "lexical", own: null, effort: "medium", job: null, asked: "", choices: {}, live: {}, found: null, problem: "" };

const desk = keptStore("redraft.simplify", EMPTY, ["text", "policy", "own", "effort", "job", "asked", "choices"]);

const SAMPLE = `The committee will commence its deliberations on 3 March and anticipates reaching a verdict within a fortnight. Inhabitants of the valley, who were compelled to abandon their dwellings when the river inundated the fields, are requested to submit their claims prior to the commencement of the hearings. Subsequent to that, the council endeavours to reimburse all expenditure that was incurred.`;

const EFFORTS = [["low", "Quick"], ["medium", "Usual"], ["high", "Thorough"]];

async function start(policies) {
  const { text, policy, own, effort } = desk.get();
  const chosen = policy === "own" ? { own_policy: fileOf(own, policies) } : { policy };
  desk.set({ problem: "" });
  const job = await begin("simplify", { text, effort, ...chosen });
  if (job) desk.set({ job, asked: text, choices: {}, live: { state: "queued" }, found: null });
}

async function finish(job) {
  const { asked } = desk.get();
  if (!job.result || job.result.refused) {
    const reason = job.result?.infeasible[0]?.reason;
    return desk.set({ job: null, problem: reason ? `Nothing was changed: ${reason}.` : whyNot(job) });
  }
  try {
    const { passages } = await post("/v1/compare", { before: asked, after: job.result.text });
    desk.set({ found: { result: job.result, passages, state: job.state } });
    requestAnimationFrame(() => document.getElementById("simplified-heading")?.focus());
  } catch (error) {
    desk.set({ problem: told(error) });
  }
}

const backToText = () => desk.set({ job: null, found: null, choices: {}, live: {} });

export function Simplify() {
  const { job, found, live, problem } = useStore(desk);
  const [policies, setPolicies] = useState(null);
  useEffect(() => {
    get("/v1/policies")
      .then(setPolicies)
      .catch((error) => desk.set({ problem: told(error) }));
  }, []);
  useEffect(() => {
    if (!job || desk.get().found) return undefined;
    const update = (patch) => desk.set((state) => ({ ...state, live: { ...state.live, ...patch } }));
    return follow(job, { done: update }, update, finish);
  }, [job]);
  return html`
    <main id="main" class="page" tabindex="-1">
      <h1>Simplify</h1>
      <p class="lead">Easier words, and where the policy allows it simpler sentences. Numbers, names and quotations stay, and you decide on every sentence.</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${!job && policies && html`<${Form} policies=${policies} />`}
      ${job && !found && html`<${Working} id=${job} live=${live} what=${live.of ? `${live.done} of ${live.of} sentences are done` : "Simplifying"}>${live.of > 0 && html`<progress max=${live.of} value=${live.done} aria-label="Sentences done"></progress>`}<//>`}
      ${job && found && html`<${Result} found=${found} />`}
    </main>`;
}

function Form({ policies }) {
  const { text, policy, own, effort } = useStore(desk);
  const words = text.trim() ? text.trim().split(/\s+/).length : 0;
  const go = (event) => {
    event.preventDefault();
    start(policies);
  };
  const onKey = (event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && text.trim() && go(event);
  return html`
    <form class="stack" onSubmit=${go} onKeyDown=${onKey}>
      <div class="stack tight">
        <label for="simplify-text"><h2>Text</h2></label>
        <textarea id="simplify-text" class="paper own-text" rows="9" dir="auto" placeholder="Paste a text that is hard to read …" value=${text} onInput=${(event) => desk.set({ text: event.target.value })}></textarea>
        <div class="row">
          <span class="count">${words === 1 ? "1 word" : `${words.toLocaleString("en")} words`}</span>
          ${!text && html`<button type="button" class="link" onClick=${() => desk.set({ text: SAMPLE })}>Try a sample</button>`}
        </div>
      </div>
      <${PolicyPicker} policies=${policies} value=${policy} own=${own} onPick=${(name) => desk.set({ policy: name })} onOwn=${(next) => desk.set({ own: next })} />
      <div class="row">
        <button type="submit" class="primary big" disabled=${!text.trim()}><${Icon} name="start" /> Simplify</button>
        <fieldset class="effort"><legend>Effort</legend>
          ${EFFORTS.map(([value, label]) => html`<label key=${value}><input type="radio" name="simplify-effort" value=${value} checked=${effort === value} onChange=${() => desk.set({ effort: value })} /><span>${label}</span></label>`)}
        </fieldset>
      </div>
    </form>`;
}

function decide(index, take) {
  desk.set((state) => ({ ...state, choices: { ...state.choices, [index]: { take, decided: true, locked: false } } }));
}

function decideRest(take) {
  const { found, choices } = desk.get();
  const open = found.passages.flatMap((one, index) => (one.same || choices[index] ? [] : [[index, { take, decided: true, locked: false }]]));
  desk.set({ choices: { ...choices, ...Object.fromEntries(open) } });
}

const glossaryText = (glossary) => glossary.map((one) => `${one.said}: ${one.new || "(left out)"}`).join("\n");

function Result({ found }) {
  const { choices } = useStore(desk);
  const [isAll, showAll] = useState(false);
  const { result, passages, state } = found;
  const changed = passages.filter((one) => !one.same).length;
  const open = passages.filter((one, index) => !one.same && !choices[index]).length;
  const text = () => mix(passages, desk.get().choices);
  const shown = passages.map((one, index) => [one, index]).filter(([one]) => (one.before + one.after).trim() && (isAll || !one.same));
  const exports = [
    { label: "Copy the text", act: () => copyText(text()) },
    { label: "Text", hint: "as you have decided", act: () => saveFile("simplified.txt", text()) },
    { label: "Text and glossary", act: () => saveFile("simplified.txt", `${text()}\n\n${glossaryText(result.glossary)}\n`) },
    { label: "Go on in Revise", hint: "as a document of its own", act: () => reviseIt(text(), "").catch((error) => tell(told(error))) },
  ];
  return html`
    <section class="review" aria-labelledby="simplified-heading">
      <div class="bar">
        <h2 id="simplified-heading" tabindex="-1">${changed === 0 ? "Nothing was changed" : changed === 1 ? "1 change" : `${changed} changes`}</h2>
        ${state === "stopped" && html`<span class="hint">stopped early</span>`}
        <span class="hint" role="status">${open ? `${open} to decide; what is open is taken` : changed ? "all decided" : ""}</span>
        <span class="spring"></span>
        <button type="button" onClick=${backToText}><${Icon} name="edit" /> Back to the text</button>
        ${changed > 0 && html`<${Menu} label="All" icon="more" items=${[{ label: "Take the rest", act: () => decideRest("new") }, { label: "Keep mine for the rest", act: () => decideRest("old") }]} />`}
        <${Menu} label="Export" icon="export" items=${exports} />
      </div>
      <label class="check"><input type="checkbox" checked=${isAll} onChange=${(event) => showAll(event.target.checked)} /> Show what stayed as it was, too</label>
      <ol class="pairs-list" aria-label="Sentences">
        ${shown.map(([passage, index]) => html`<${Pair} key=${index} index=${index} passage=${passage} choice=${choiceOf(choices, index)} sentences=${result.sentences} />`)}
      </ol>
    </section>
    <${Glossary} glossary=${result.glossary} />
    <${Proof} result=${result} />`;
}

function Pair({ index, passage, choice, sentences }) {
  const parts = useMemo(() => trimmed(passage.words || []), [passage]);
  const why = sentences.filter((one) => one.why && passage.before.includes(one.source)).map((one) => one.why);
  if (passage.same) return html`<li class="simple-pair same"><p dir="auto">${passage.before.trim()}</p></li>`;
  const isTaken = choice.take !== "old";
  return html`
    <li class="simple-pair ${choice.decided ? (isTaken ? "taken" : "kept") : ""}">
      <p class="old" dir="auto"><span class="visually-hidden">Before: </span><${Words} parts=${parts} without="new" /></p>
      <p class="now" dir="auto"><span class="visually-hidden">Now: </span>${passage.after.trim() ? html`<${Words} parts=${parts} without="cut" />` : html`<em class="gone">left out</em>`}</p>
      <div class="foot">
        <p class="hint" dir="auto">${why.join("; ")}</p>
        <div class="row joined" role="group" aria-label="Which one">
          <button type="button" aria-pressed=${String(choice.decided && isTaken)} onClick=${() => decide(index, "new")}><${Icon} name="accept" /> Take it</button>
          <button type="button" aria-pressed=${String(!isTaken)} onClick=${() => decide(index, "old")}><${Icon} name="reject" /> Keep mine</button>
        </div>
      </div>
    </li>`;
}

function Glossary({ glossary }) {
  if (!glossary.length) return null;
  return html`
    <section aria-labelledby="glossary-heading">
      <h2 id="glossary-heading">Glossary of replaced words</h2>
      <div class="scroll">
        <table class="plain">
          <thead><tr><th scope="col">Said</th><th scope="col">Now</th><th scope="col">Level</th><th scope="col">Times</th><th scope="col" class="aside">Why</th></tr></thead>
          <tbody>${glossary.map((one) => html`<tr key=${`${one.said}|${one.new}`}><th scope="row" dir="auto">${one.said}</th><td dir="auto">${one.new || html`<em class="gone">left out</em>`}</td><td>${one.level || "–"}</td><td class="number">${one.times}</td><td class="aside" dir="auto">${one.why}</td></tr>`)}</tbody>
        </table>
      </div>
    </section>`;
}

/** What the policy holds the text to, as it was found; a text of which something was kept may differ. */
function Proof({ result }) {
  if (!result.findings.length) return null;
  return html`
    <section aria-labelledby="proof-heading">
      <h2 id="proof-heading">What had to hold</h2>
      <ul class="proof">
        ${result.findings.map((one) => html`<li key=${one.call} class=${one.met ? "good" : "warn"}><${Icon} name=${one.met ? "accept" : "unmet"} /> <span dir="auto">${one.says}${one.met ? "" : `: ${one.message}`}</span></li>`)}
      </ul>
    </section>`;
}
