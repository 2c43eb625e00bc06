// Many files against the house style, and against an instruction: what does not hold, and where.

import { html, useState } from "./vendor/preact-htm.js";
import { debounced, latest, post, told } from "./api.js";
import { change, clear } from "./desk.js";
import { Icon } from "./icons.js";
import { newDocument } from "./saving.js";
import { createStore, useStore } from "./store.js";
import { placesIn } from "./words.js";

/** What is checked; it stays while another page is looked at. */
const desk = createStore({ instruction: "", isHouse: true, read: null, files: [], problem: "" });

const AT_ONCE = 3;
const AROUND = 48; // characters of a text around a place
const MOST_PLACES = 4;

const askParse = latest((signal, instruction) => post("/v1/parse", { instruction }, { signal }));

const look = debounced(async () => {
  const { instruction } = desk.get();
  try {
    const read = instruction.trim() ? await askParse(instruction) : null;
    if (read !== undefined) desk.set({ read, problem: "" });
    await checkAll();
  } catch (error) {
    desk.set({ problem: told(error) });
  }
}, 400);

function put(id, patch) {
  desk.set((state) => ({ ...state, files: state.files.map((one) => (one.id === id ? { ...one, ...patch } : one)) }));
}

async function checkFile(id) {
  const { files, instruction, isHouse } = desk.get();
  const file = files.find((one) => one.id === id);
  if (!file || file.text === null) return;
  put(id, { state: "checking" });
  try {
    const { text, format } = file;
    const found = await post("/v1/check", { text, format, instruction, house: isHouse });
    put(id, { state: "checked", findings: found.findings, problem: "" });
  } catch (error) {
    put(id, { state: "failed", findings: [], problem: told(error) });
  }
}

async function inTurn(ids, act) {
  const waiting = [...ids];
  const work = async () => {
    while (waiting.length) await act(waiting.shift());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const checkAll = () => inTurn(desk.get().files.map((one) => one.id), checkFile);

let lastId = 0;

async function addFiles(list) {
  const added = [...list].map((file) => ({ id: (lastId += 1), name: file.name, file, text: null, format: undefined, state: "reading", findings: [], problem: "" }));
  desk.set((state) => ({ ...state, files: [...state.files, ...added] }));
  await inTurn(added, async ({ id, file }) => {
    const form = new FormData();
    form.append("file", file);
    try {
      const { text, format } = await post("/v1/files", form);
      put(id, { text: text.replace(/\r\n?/g, "\n"), format });
      await checkFile(id);
    } catch (error) {
      put(id, { state: "failed", problem: told(error) });
    }
  });
}

async function revise(file) {
  await newDocument();
  clear();
  change({ text: file.text, format: file.format, title: file.name, titled: true, instruction: desk.get().instruction }, { note: `Opened ${file.name}` });
  location.hash = "#/revise";
}

export function Check() {
  const { instruction, isHouse, read, files, problem } = useStore(desk);
  const [isOver, over] = useState(false);
  const faults = files.filter((one) => one.findings.some((finding) => !finding.met) || one.problem).length;
  const onDrop = (event) => {
    event.preventDefault();
    over(false);
    addFiles(event.dataTransfer.files);
  };
  return html`
    <main id="main" class="page" tabindex="-1">
      <h1>Check files</h1>
      <p class="lead">Drop in as many files as you like: each is checked against the house style, and against what you write here. Nothing is changed.</p>
      <div class="check-form">
        <label for="check-instruction"><h2>What must hold</h2></label>
        <textarea id="check-instruction" rows="2" dir="auto" placeholder="British spelling, at most 25 words in a sentence, never say “leverage” …" value=${instruction} onInput=${(event) => (desk.set({ instruction: event.target.value }), look())}></textarea>
        <label class="row"><input type="checkbox" checked=${isHouse} onChange=${(event) => (desk.set({ isHouse: event.target.checked }), look())} /> The house style of this server, where it has one</label>
        ${read?.constraints.length > 0 && html`<ul class="read" aria-label="What was read">${read.constraints.map((one) => html`<li key=${one.call}>${one.says}</li>`)}</ul>`}
        ${read?.not_understood.length > 0 && html`<p class="hint">Not understood, so nothing acts on it: ${read.not_understood.map((one) => `“${one.words}”`).join(", ")}</p>`}
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      </div>
      <div class="drop ${isOver ? "over" : ""}" onDragOver=${(event) => (event.preventDefault(), over(true))} onDragLeave=${() => over(false)} onDrop=${onDrop}>
        <label class="button file">
          <${Icon} name="file" /> Choose files
          <input type="file" multiple accept=".txt,.text,.md,.markdown,.tex,.latex,.docx" onChange=${(event) => addFiles(event.target.files)} />
        </label>
        <span class="hint">or drop them here: text, Markdown, LaTeX, .docx</span>
      </div>
      ${files.length > 0 &&
      html`<section aria-label="Files">
        <div class="row">
          <h2 role="status">${faults ? `${faults} of ${files.length} want a look` : `${files.length === 1 ? "1 file" : `${files.length} files`}, all in order`}</h2>
          <span class="spring"></span>
          <button type="button" onClick=${() => desk.set({ files: [] })}>Clear the list</button>
        </div>
        <ul class="files">${files.map((one) => html`<${File} key=${one.id} file=${one} />`)}</ul>
      </section>`}
    </main>`;
}

function File({ file }) {
  const unmet = file.findings.filter((one) => !one.met);
  const isOpen = unmet.length > 0 || Boolean(file.problem);
  const says = { reading: "reading …", checking: "checking …", failed: "could not be checked" }[file.state];
  return html`
    <li class="checked-file">
      <div class="row">
        <span class=${isOpen ? "warn" : "good"}>${file.state === "checked" && html`<${Icon} name=${isOpen ? "unmet" : "accept"} />`}</span>
        <strong dir="auto">${file.name}</strong>
        <span class="hint">${says || (unmet.length ? `${unmet.length} of ${file.findings.length} not met` : `all ${file.findings.length} met`)}</span>
        <span class="spring"></span>
        ${file.text !== null && isOpen && html`<button type="button" onClick=${() => revise(file)}>Revise it</button>`}
      </div>
      ${file.problem && html`<p class="problem">${file.problem}</p>`}
      ${unmet.length > 0 &&
      html`<ul class="faults">
        ${unmet.map(
          (one) => html`<li key=${one.call}>
            <p><span dir="auto">${one.says}</span> ${one.house && html`<small>house style</small>`}</p>
            <p class="warn" dir="auto">${one.message}</p>
            ${one.spans.length > 0 && html`<${Places} text=${file.text} spans=${one.spans} />`}
          </li>`,
        )}
      </ul>`}
    </li>`;
}

function Places({ text, spans }) {
  const at = placesIn(text);
  return html`
    <ul class="places">
      ${spans.slice(0, MOST_PLACES).map((span) => {
        const [start, end] = [at(span.start), at(span.end)];
        const line = text.slice(0, start).split("\n").length;
        return html`<li key=${start}>
          <small>line ${line}</small>
          <span dir="auto">${start > AROUND && "…"}${text.slice(Math.max(0, start - AROUND), start)}<mark>${text.slice(start, Math.min(end, start + 3 * AROUND))}</mark>${text.slice(end, end + AROUND)}${end + AROUND < text.length && "…"}</span>
        </li>`;
      })}
      ${spans.length > MOST_PLACES && html`<li><small>and ${spans.length - MOST_PLACES} more</small></li>`}
    </ul>`;
}
