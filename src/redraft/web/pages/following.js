// Jobs of the other pages: begun, followed to their end, stopped; and what a page keeps over a reload.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { debounced, told } from "./api.js";
import { tell } from "./desk.js";
import { Icon } from "./icons.js";
import { hearJob, startJob, stopJob } from "./jobs.js";
import { createStore } from "./store.js";

/** A store of which this browser keeps some fields, so that closing the tab loses nothing. */
export function keptStore(name, blank, fields) {
  let known = {};
  try {
    known = JSON.parse(localStorage.getItem(name)) || {};
  } catch {
    // Nothing was kept, or nothing can be.
  }
  const store = createStore({ ...blank, ...known });
  const keep = debounced(() => {
    try {
      localStorage.setItem(name, JSON.stringify(Object.fromEntries(fields.map((field) => [field, store.get()[field]]))));
    } catch {
      // It holds for this tab, then.
    }
  }, 300);
  store.watch(keep);
  addEventListener("pagehide", keep.flush);
  return store;
}

/** Put a job into the queue; its id, or null where that was refused. */
export async function begin(kind, body) {
  try {
    return (await startJob(kind, body)).id;
  } catch (error) {
    tell(told(error));
    return null;
  }
}

/** Hear of a job until it has ended; `update` gets what is new of how far it is, `onEnd` the whole of it. */
export function follow(id, handlers, update, onEnd) {
  const hear = {
    ...handlers,
    state: ({ state, place, started, created, progress }) => update({ state, place, ...(created ? { since: started || created, progress } : {}) }),
    usage: (said) => update({ progress: said }),
    progress: (said) => update({ message: said.message }),
  };
  return hearJob(id, hear, onEnd);
}

/** Why a job has given nothing. */
export const whyNot = (job) => job.problem?.detail || (job.state === "stopped" ? "It was stopped before it gave anything." : "It gave no result.");

const money = (cost) => (cost > 0 ? `$${cost.toFixed(cost < 0.1 ? 4 : 2)}` : "free");

/** How far a job is: in words, in figures, and how to stop it. */
export function Working({ id, live, what, stopping = "Stop and keep what there is", children }) {
  const [now, tick] = useState(Date.now());
  const [isStopping, stopped] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const stop = () => {
    stopped(true);
    stopJob(id).catch((error) => (stopped(false), tell(told(error))));
  };
  const seconds = live.since ? Math.max(0, Math.round((now - Date.parse(live.since)) / 1000)) : 0;
  const queued = live.place > 1 ? `Waiting: ${live.place - 1} before this` : "Waiting to begin";
  const says = isStopping ? "Stopping" : live.state === "queued" ? queued : what;
  const { calls = 0, cost = 0 } = live.progress || {};
  return html`
    <section class="progress" aria-label="Progress">
      <div class="working" aria-hidden="true"><span></span></div>
      <p role="status">${says} …</p>
      ${live.message && html`<p class="hint">${live.message}</p>`}
      ${children}
      <div class="row">
        <button type="button" disabled=${isStopping} onClick=${stop}><${Icon} name="stop" /> ${stopping}</button>
        <span class="spring"></span>
        <span class="count">${seconds} s · ${calls.toLocaleString("en")} ${calls === 1 ? "call" : "calls"} · ${money(cost)}</span>
      </div>
    </section>`;
}
