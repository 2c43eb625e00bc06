// Starts jobs, follows what they say, and lays their results on the desk.

import { Problem, get, listen, post, said, throttled, told } from "./api.js";
import { change, choiceOf, chosen, constraintsOf, currentText, demandOf, desk, formatOf, handOver, isRunning, originalText, reviewOf, tell } from "./desk.js";
import { startJob, stopJob } from "./jobs.js";
import { basis, sentencesIn } from "./reading.js";
import { keep, whenOpened } from "./saving.js";
import { aroundOf } from "./words.js";

const ENDED = ["done", "stopped", "failed"];
const DRAWN_MS = 200;

export const IN_VAIN = "Nothing of the instruction was understood, so this is not what was asked.";

let hush = null;

/* ---- revise ---- */

/** Start to revise; what comes back is laid beside the original. */
export async function start() {
  handOver();
  const state = desk.get();
  if (isRunning(state) || !originalText(state).trim()) return;
  desk.set({ job: { state: "starting", sentences: {}, progress: {} }, selected: null, panel: "brief" });
  try {
    await keep();
    const { text, locked } = await basis(desk.get());
    const { work, document } = desk.get();
    const body = {
      text,
      ...demandOf(desk.get()),
      locked,
      effort: work.effort,
      best_effort: work.bestEffort,
      sound: work.sound,
      format: formatOf(work.format),
      document: document?.id,
    };
    const job = await startJob("revise", body);
    follow(job, text);
  } catch (error) {
    desk.set({ job: null });
    tell(told(error));
  }
}

export async function stop() {
  const { job } = desk.get();
  if (!job?.id) return;
  desk.set({ job: { ...job, isStopping: true } });
  try {
    await stopJob(job.id);
  } catch (error) {
    tell(told(error));
  }
}

function update(id, patch) {
  desk.set((state) => {
    if (state.job?.id !== id) return state;
    return { ...state, job: { ...state.job, ...(typeof patch === "function" ? patch(state.job) : patch) } };
  });
}

/** Hear what a job says until it has ended. */
export async function follow(job, text) {
  if (desk.get().job?.id === job.id && hush) return;
  hush?.();
  const id = job.id;
  desk.set({ job: { ...job, text, best: null, tried: 0, spans: null, sentences: {}, findings: null, since: Date.parse(job.started || job.created) || Date.now() } });
  sentencesIn(text, desk.get().work.format)
    .then((spans) => update(id, { spans }))
    .catch(() => {});
  const end = () => {
    hush?.();
    hush = null;
  };
  // Of a long text hundreds settle at once: they are drawn together.
  const heard = {};
  const layHeard = throttled(() => update(id, { sentences: { ...heard } }), DRAWN_MS);
  const look = async () => {
    const now = await get(`/v1/jobs/${id}`).catch(() => null);
    if (!now || desk.get().job?.id !== id) return;
    update(id, { state: now.state, place: now.place, progress: now.progress || {} });
    if (ENDED.includes(now.state)) {
      end();
      await finish(now);
    }
  };
  hush = listen(
    `/v1/jobs/${id}/events`,
    {
      state: (said) => {
        update(id, { state: said.state, place: said.place });
        if (ENDED.includes(said.state)) look();
      },
      understood: (said) => update(id, { understood: said }),
      findings: (said) => update(id, { findings: said }),
      sentence: (said) => {
        heard[said.number] = said;
        layHeard();
      },
      text: (said) => preview(id, text, said.text),
      node: () => update(id, (now) => ({ tried: now.tried + 1 })),
      usage: (said) => update(id, { progress: said }),
      progress: (said) => update(id, { message: said.message }),
    },
    look,
  );
}

/** The best text so far, beside the one that it comes from. */
async function preview(id, before, after) {
  const { passages } = await post("/v1/compare", { before, after, format: formatOf(desk.get().work.format) }).catch(() => ({ passages: null }));
  if (passages) update(id, { best: passages });
}

/** A job has ended: its text beside the original, or what went wrong. */
async function finish(job) {
  const { result, problem } = job;
  if (!result) {
    const why = problem?.detail || (job.state === "stopped" ? "It was stopped before it began." : "It gave no result.");
    desk.set({ job: { ...desk.get().job, state: job.state, problem: why }, seen: job.id });
    tell(why);
    return;
  }
  if (result.infeasible?.length && result.text === desk.get().job?.text && !desk.get().work.bestEffort) {
    desk.set({ job: null, conflicts: result.infeasible, seen: job.id });
    tell("Nothing was changed: the constraints conflict.");
    return;
  }
  const before = originalText(desk.get());
  const review = await load(job, before);
  const choices = carried(desk.get(), review.passages);
  desk.set((state) => ({
    ...state,
    job: null,
    seen: job.id,
    selected: null,
    findings: { met: result.met, findings: result.findings },
    reviews: { ...state.reviews, [job.id]: review },
  }));
  change({ phase: "review", original: before, job: job.id, choices }, { note: job.state === "stopped" ? "Revised, stopped early" : "Revised" });
  const changed = review.passages.filter((one) => !one.same).length;
  const met = result.findings.filter((one) => one.met).length;
  const count = changed === 1 ? "1 passage" : `${changed} passages`;
  if (result.in_vain) tell(`${IN_VAIN} ${changed ? `${count} changed all the same.` : "Nothing was changed."}`);
  else tell(`${job.state === "stopped" ? "Stopped" : "Done"}: ${met} of ${result.findings.length} constraints met, ${count} changed.`);
  requestAnimationFrame(() => document.getElementById("result-heading")?.focus());
}

/** A result and its passages beside the original. */
async function load(job, before) {
  const { passages } = await post("/v1/compare", { before, after: job.result.text, format: formatOf(desk.get().work.format) });
  return { result: job.result, passages, nodes: null, state: job.state };
}

/** What the person left as it is stays so over a second run. */
function carried(state, passages) {
  const review = reviewOf(state);
  if (!review) return {};
  const kept = new Map();
  review.passages.forEach((passage, index) => {
    const choice = choiceOf(state.work.choices, index);
    if (choice.locked) kept.set(`${passage.number_before}\n${passage.before.trim()}`, chosen(passage, choice).trim());
  });
  const choices = {};
  passages.forEach((passage, index) => {
    const text = kept.get(`${passage.number_before}\n${passage.before.trim()}`);
    if (text === undefined) return;
    const { lead, tail } = aroundOf(passage.after.trim() ? passage.after : passage.before);
    if (text === passage.after.trim()) choices[index] = { take: "new", decided: true, locked: true };
    else choices[index] = { take: "own", text: lead + text + tail, decided: true, locked: true };
  });
  return choices;
}

/** A document was opened, or another window started something: find its job again. */
whenOpened(async (document) => {
  const { work, seen, job: known } = desk.get();
  if (work.phase === "review" && work.job && !desk.get().reviews[work.job]) await reload(work.job);
  if (!document.job || document.job === known?.id) return;
  const job = await get(`/v1/jobs/${document.job}`).catch(() => null);
  if (!job || job.kind !== "revise" || desk.get().document?.id !== document.id) return;
  if (!ENDED.includes(job.state)) await follow(job, originalText(desk.get()));
  else if (job.result && job.id !== seen && job.id !== work.job) await finish(job);
});

/** The result that is looked through, after the page was opened again; without its job, the texts alone. */
async function reload(id) {
  const { work } = desk.get();
  try {
    const job = await get(`/v1/jobs/${id}`);
    const review = await load(job, work.original);
    desk.set((state) => ({ ...state, reviews: { ...state.reviews, [id]: review } }));
  } catch (error) {
    if (!(error instanceof Problem)) return tell(told(error));
    const { passages } = await post("/v1/compare", { before: work.original, after: work.text, format: formatOf(work.format) });
    const review = { result: { findings: [], changes: [], concerns: [], text: work.text }, passages, state: "done" };
    desk.set((state) => ({ ...state, work: { ...state.work, choices: {} }, reviews: { ...state.reviews, [id]: review } }));
  }
}

/** The texts that a search has tried: what its job said of them, all at once. */
export async function loadNodes() {
  const { work, reviews } = desk.get();
  const id = work.job;
  if (!reviews[id] || reviews[id].nodes) return;
  const found = new Map();
  for (const { name, data } of await said(`/v1/jobs/${id}/events`)) if (name === "node") found.set(data.id, data);
  desk.set((state) => ({ ...state, reviews: { ...state.reviews, [id]: { ...state.reviews[id], nodes: [...found.values()] } } }));
}

/* ---- one sentence ---- */

/** The sentences of a passage as it stands, with their numbers in the text as it stands. */
export async function sentencesOf(index) {
  const state = desk.get();
  const review = reviewOf(state);
  let from = 0;
  for (let place = 0; place < index; place += 1) from += chosen(review.passages[place], choiceOf(state.work.choices, place)).length;
  const own = chosen(review.passages[index], choiceOf(state.work.choices, index));
  const text = currentText(state);
  const all = await sentencesIn(text, state.work.format);
  return all
    .filter((one) => one.start >= from && one.start < from + own.length)
    .map((one) => ({ ...one, from: one.start - from, to: one.end - from }));
}

function note(index, patch) {
  desk.set((state) => ({ ...state, asked: { ...state.asked, [index]: { ...state.asked[index], ...patch } } }));
}

/** Ask for other ways to say a sentence, with a word of advice where there is one. */
export async function ask(index, advice, sentence = null) {
  const job = desk.get().work.job;
  note(index, { state: "asking", problem: "", answers: null });
  try {
    const found = sentence || (await sentencesOf(index))[0];
    if (!found) throw new Problem(422, { detail: "There is no sentence here to ask about." });
    const state = desk.get();
    const { instruction } = demandOf(state);
    const answer = await post("/v1/alternatives", {
      text: currentText(state),
      number: found.number,
      advice,
      instruction,
      calls: constraintsOf(state).map((one) => one.call),
      original: originalText(state),
      format: formatOf(state.work.format),
      n: 3,
    });
    if (desk.get().work.job !== job) return;
    const answers = Array.isArray(answer) ? answer : answer.alternatives;
    note(index, { state: "done", answers, sentence: found });
    tell(answers.length ? `${answers.length} alternatives.` : "Nothing else was found for this sentence.");
  } catch (error) {
    note(index, { state: "done", problem: told(error) });
  }
}

export function forget(index) {
  desk.set((state) => ({ ...state, asked: { ...state.asked, [index]: undefined } }));
}
