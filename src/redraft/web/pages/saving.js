// Keeps the work: every change goes to the server after a pause, and what another window changed comes from there.

import { Problem, debounced, get, listen, post, put, told } from "./api.js";
import { BLANK, clear, currentText, desk, formatOf, handOver, history, originalText, tell } from "./desk.js";
import { createStore } from "./store.js";

/** The documents that there are, newest first. */
export const shelf = createStore({ documents: null, more: null, problem: "" });

const PAUSE_MS = 900;
const KEPT = ["titled", "phase", "dropped", "edits", "extra", "effort", "bestEffort", "sound", "job", "choices"];
const TITLE_WORDS = 7;
const RETRY_MS = 4000;

let hush = null; // ends the listening to the document that is open
let isAway = false; // whether the last try to keep the work failed
let underWay = null; // the request that keeps the work, while it is on its way

export function titleOf(text) {
  const words = text.trim().split(/\s+/, TITLE_WORDS + 1);
  const title = [...words.slice(0, TITLE_WORDS).join(" ").replace(/^[#\s]+/, "")].slice(0, 80).join("");
  return words.length > TITLE_WORDS ? `${title} …` : title;
}

const isEmpty = (work) => !work.text.trim() && !work.instruction.trim() && !work.title.trim();

function lockedNumbers(state) {
  const passages = state.reviews[state.work.job]?.passages || [];
  return passages.flatMap((one, index) => (state.work.choices[index]?.locked ? one.number_before : []));
}

function toDocument(state) {
  const { work } = state;
  const text = currentText(state);
  return {
    title: work.titled ? work.title : titleOf(originalText(state)) || "Untitled",
    format: formatOf(work.format),
    original: originalText(state),
    text,
    instruction: work.instruction,
    calls: work.extra,
    locked: lockedNumbers(state),
    state: { ...Object.fromEntries(KEPT.map((name) => [name, work[name]])), seen: state.seen },
    note: state.note || "Edited",
  };
}

function toWork(document) {
  const own = document.state || {};
  const work = { ...BLANK, extra: document.calls || [] };
  for (const name of KEPT) if (name in own) work[name] = own[name];
  return {
    ...work,
    title: document.title,
    format: document.format,
    file: document.file || null,
    original: document.original ?? document.text,
    text: document.text,
    instruction: document.instruction || "",
  };
}

/* ---- to the server ---- */

const soon = debounced(() => keep(), PAUSE_MS);

/** Keep the work now, and wait until it is kept. */
export async function keep() {
  handOver();
  soon.cancel();
  while (underWay) await underWay;
  const state = desk.get();
  if (state.remote || (!state.document && isEmpty(state.work))) return;
  if (state.work === state.savedWork) {
    if (state.saving === "waiting") desk.set({ saving: "saved" }); // what was done is undone
    return;
  }
  underWay = send(state).finally(() => {
    underWay = null;
  });
  await underWay;
  const now = desk.get();
  if (now.saving === "saved" && now.work !== now.savedWork) desk.set({ saving: "waiting" }), soon();
}

async function send(state) {
  const body = toDocument(state);
  const isOurs = () => desk.get().document?.id === state.document?.id;
  desk.set({ saving: "saving" });
  try {
    let { document } = state;
    if (!document) {
      const { title, original, format, instruction } = body;
      const file = state.work.file || undefined;
      document = await post("/v1/documents", { title, text: original, format, instruction, file });
      if (!isOurs()) return;
      desk.set({ document });
      location.replace(`#/revise/${document.id}`);
      watchDocument(document.id);
    }
    document = await put(`/v1/documents/${document.id}`, body, { headers: { "If-Match": `"${document.version}"` } });
    if (desk.get().document?.id !== document.id) return;
    isAway = false;
    desk.set({ document, savedWork: state.work, saving: "saved", note: "" });
    onShelf(document);
  } catch (error) {
    if (!isOurs() && state.document) return;
    if (error instanceof Problem && error.status === 412) differ(error.body.current || (await get(`/v1/documents/${state.document.id}`)));
    else if (error instanceof Problem && error.status === 404) desk.set({ document: null, saving: "waiting" }), soon();
    else later(error);
  }
}

/** Try again in a while; what went wrong is told once. */
function later(error) {
  desk.set({ saving: "failed" });
  if (!isAway) tell(told(error));
  isAway = true;
  setTimeout(keep, RETRY_MS);
}

const isSame = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/** The work without what follows from the rest of it. */
function bare(work) {
  const title = work.titled ? work.title : "";
  return work.phase === "draft" ? { ...work, title, original: work.text } : { ...work, title, text: work.original };
}

/** Both windows' work, where each changed something else; null where they changed the same. */
function merged(base, mine, theirs) {
  const work = { ...theirs };
  for (const name of Object.keys(BLANK)) {
    if (isSame(mine[name], base[name]) || isSame(mine[name], theirs[name])) continue;
    if (!isSame(theirs[name], base[name])) return null;
    work[name] = mine[name];
  }
  return work;
}

/** Another window has kept something else: what can be is put together, else the person decides; nothing is lost. */
function differ(theirs) {
  desk.set((state) => {
    const before = toWork(theirs);
    const work = merged(bare(toWork(state.document)), bare(state.work), bare(before));
    if (!work) return { ...state, remote: theirs, saving: "waiting" };
    return { ...state, document: theirs, savedWork: before, work, saving: "waiting" };
  });
  if (!desk.get().remote) soon();
}

export function takeTheirs() {
  const { remote, work } = desk.get();
  history.keep(work, null);
  lay(remote);
}

export function keepMine() {
  desk.set((state) => ({ ...state, document: state.remote, remote: null }));
  keep();
}

desk.watch(() => {
  const state = desk.get();
  if (state.work === state.savedWork || state.saving !== "saved") return;
  if (!state.document && isEmpty(state.work)) return;
  desk.set({ saving: "waiting" });
  soon();
});

let lastWork = desk.get().work;
desk.watch(() => {
  const { work, saving } = desk.get();
  if (work !== lastWork && saving === "waiting") soon();
  lastWork = work;
});

document.addEventListener("visibilitychange", () => document.hidden && keep());
addEventListener("beforeunload", (event) => {
  const state = desk.get();
  if (state.document ? state.work === state.savedWork : isEmpty(state.work)) return;
  keep();
  event.preventDefault();
});

/* ---- from the server ---- */

let onOpen = () => {};

/** What else is to be done with a document that was opened: its job is found again. */
export function whenOpened(act) {
  onOpen = act;
}

function lay(document) {
  const work = toWork(document);
  desk.set((state) => ({
    ...state,
    document,
    work,
    savedWork: work,
    saving: "saved",
    remote: null,
    seen: document.state?.seen ?? null,
    editing: false,
  }));
  onOpen(document);
}

export async function openDocument(id) {
  await keep();
  hush?.();
  const document = await get(`/v1/documents/${encodeURIComponent(id)}`);
  clear();
  lay(document);
  watchDocument(id);
}

export async function newDocument() {
  await keep();
  hush?.();
  hush = null;
  clear();
}

function watchDocument(id) {
  hush?.();
  const path = `/v1/documents/${encodeURIComponent(id)}`;
  const look = async () => {
    while (underWay) await underWay;
    const theirs = await get(path).catch(() => null);
    handOver();
    const state = desk.get();
    if (!theirs || state.document?.id !== id || state.remote || theirs.version <= state.document.version) return;
    if (state.work !== state.savedWork) return differ(theirs);
    lay(theirs);
    tell("Another window has changed this document; here it is as it stands now.");
  };
  hush = listen(
    `${path}/events`,
    {
      document: ({ version }) => version > (desk.get().document?.version ?? 0) && look(),
      deleted: () => {
        hush?.();
        desk.set((state) => ({ ...state, document: null, savedWork: state.work, saving: "saved" }));
        offShelf(id);
        tell("This document was deleted in another window. It is still here, and is kept anew when you change it.");
      },
      job: (job) => desk.get().document?.id === id && onOpen({ ...desk.get().document, job: job.id }),
    },
    look,
  );
}

/* ---- the list of documents ---- */

export async function fillShelf(more = false) {
  const { documents, more: after } = shelf.get();
  try {
    const query = more && after ? `&after=${encodeURIComponent(after)}` : "";
    const page = await get(`/v1/documents?limit=50${query}`);
    const found = more ? [...documents, ...page.documents] : page.documents;
    shelf.set({ documents: found, more: page.next, problem: "" });
  } catch (error) {
    shelf.set({ problem: told(error) });
  }
}

function onShelf(document) {
  const { documents } = shelf.get();
  if (!documents) return;
  shelf.set({ documents: [document, ...documents.filter((one) => one.id !== document.id)] });
}

export function offShelf(id) {
  shelf.set(({ documents, ...rest }) => ({ ...rest, documents: documents?.filter((one) => one.id !== id) || null }));
}
