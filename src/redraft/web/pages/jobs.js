// A job of any kind: started, heard, stopped.

import { get, listen, post, told } from "./api.js";

const ENDED = ["done", "stopped", "failed"];

export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Put a job into the queue. */
export const startJob = (kind, body) => post(`/v1/${kind}?wait=false`, body, { headers: { "Idempotency-Key": newKey() } });

export const stopJob = (id) => post(`/v1/jobs/${id}/stop`);

/** Hear a job until it has ended; `hear` is called with what it says, by name, and `end` with the job. */
export function hearJob(id, hear, end) {
  let isOver = false;
  const look = async () => {
    // A server that cannot be reached for a moment goes on with the job; one that does not have it does not.
    const job = await get(`/v1/jobs/${id}`).catch((error) => (error.status === 404 ? { state: "failed", problem: { detail: told(error) } } : null));
    if (isOver || !job) return;
    hear.state?.(job);
    if (!ENDED.includes(job.state)) return;
    close();
    end(job);
  };
  const hush = listen(`/v1/jobs/${id}/events`, { ...hear, state: (said) => (hear.state?.(said), ENDED.includes(said.state) && look()) }, look);
  const close = () => {
    isOver = true;
    hush();
  };
  look();
  return close;
}
