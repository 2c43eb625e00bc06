// Take the text away: as text, with the differences marked, as .docx, or with a certificate of the findings.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { get, getFile, told } from "./api.js";
import { currentText, desk, change, tell } from "./desk.js";
import { Dialog, Menu } from "./dialog.js";
import { keep } from "./saving.js";
import { useStore } from "./store.js";

const FORGET_MS = 60_000;

/** The address of an export, of the text as it stands. */
async function addressOf(as) {
  await keep();
  const { document: open, saving } = desk.get();
  if (!open || saving === "failed") throw new Error("This cannot be exported before it is kept.");
  return `/v1/documents/${open.id}/export?as=${as}`;
}

async function take(as) {
  try {
    const { file, name } = await getFile(await addressOf(as));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), FORGET_MS);
  } catch (error) {
    tell(told(error));
  }
}

async function show(as) {
  try {
    window.open(await addressOf(as), "_blank", "noopener");
  } catch (error) {
    tell(told(error));
  }
}

async function copy() {
  try {
    await navigator.clipboard.writeText(currentText(desk.get()));
    tell("The text is copied.");
  } catch {
    tell("The browser does not let this page copy; export the text instead.");
  }
}

export function ExportMenu() {
  const hasText = useStore(desk, (state) => Boolean(currentText(state).trim()));
  const file = useStore(desk, (state) => state.document?.file);
  if (!hasText) return null;
  const items = [
    { label: "Copy the text", act: copy },
    { label: "Text", hint: "as it stands", act: () => take("text") },
    { label: "Marked-up difference", hint: "what was cut and what is new", act: () => take("diff") },
    ...(file ? [{ label: "Word document", hint: ".docx with tracked changes", act: () => take("docx") }] : []),
    { label: "Certificate", hint: "the findings, to print", act: () => show("certificate") },
  ];
  return html`<${Menu} label="Export" icon="export" items=${items} />`;
}

/** Earlier versions, to be looked at and taken back. */
export function HistoryDialog({ onClose }) {
  const id = useStore(desk, (state) => state.document?.id);
  const [versions, setVersions] = useState(null);
  const [next, setNext] = useState(null);
  const [shown, show] = useState(null);
  const [problem, setProblem] = useState("");
  const load = async (after = null) => {
    try {
      const page = await get(`/v1/documents/${id}/history?limit=50${after ? `&after=${after}` : ""}`);
      setVersions((before) => [...(after ? before : []), ...page.versions]);
      setNext(page.next);
    } catch (error) {
      setProblem(told(error));
    }
  };
  useEffect(() => void keep().then(() => load()), []);
  const look = (version) =>
    get(`/v1/documents/${id}/history/${version}`)
      .then(show)
      .catch((error) => setProblem(told(error)));
  const back = () => {
    const { text, instruction, calls } = shown;
    change({ phase: "draft", text, original: text, instruction, extra: calls || [], job: null, choices: {} }, { note: `Took version ${shown.version} back` });
    onClose();
  };
  return html`
    <${Dialog} title="History" onClose=${onClose} wide>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <div class="history">
        <ol>
          ${(versions || []).map(
            (one) => html`<li key=${one.version}>
              <button type="button" aria-pressed=${String(shown?.version === one.version)} onClick=${() => look(one.version)}>
                <span>${one.note || "Edited"}</span>
                <time datetime=${one.created}>${new Date(one.created).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}</time>
              </button>
            </li>`,
          )}
          ${next && html`<li><button type="button" class="link" onClick=${() => load(next)}>Older ones</button></li>`}
        </ol>
        <div class="version">
          ${shown
            ? html`<p class="quoted" dir="auto">${shown.text}</p>
                <div class="row end"><button type="button" class="primary" onClick=${back}>Take this text back</button></div>`
            : html`<p class="hint">Choose a version to read it. Taking one back is a step like any other, and can be undone.</p>`}
        </div>
      </div>
    <//>`;
}
