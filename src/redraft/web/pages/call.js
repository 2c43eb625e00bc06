// A constraint as a form: its kind, and its arguments.

import { html, useMemo, useState } from "./vendor/preact-htm.js";
import { Dialog } from "./dialog.js";
import { faultOf, kinds } from "./reading.js";
import { useStore } from "./store.js";

const isList = (argument) => /list|tuple|array|\[/.test(argument.type);
const isNumber = (argument) => /^(int|float|number|integer)/.test(argument.type);
const isNumbers = (argument) => isList(argument) && /int|float|number/.test(argument.type);

/** A value as a call has it. */
function literal(argument, value) {
  if (isList(argument)) {
    const items = value.split(",").map((item) => item.trim()).filter(Boolean);
    return `[${items.map((item) => (isNumbers(argument) ? item : JSON.stringify(item))).join(", ")}]`;
  }
  return isNumber(argument) ? value.trim() : JSON.stringify(value);
}

const callOf = (kind, values) => `${kind.kind}(${kind.arguments.map((one) => literal(one, values[one.name] ?? one.choices?.[0] ?? "")).join(", ")})`;

/** The values in a call, for the form; null where it cannot be read here. */
function valuesOf(kind, call) {
  const inside = call.slice(call.indexOf("(") + 1, call.lastIndexOf(")"));
  try {
    const found = JSON.parse(`[${inside}]`);
    return Object.fromEntries(kind.arguments.slice(0, found.length).map((one, index) => [one.name, [found[index]].flat().join(", ")]));
  } catch {
    return null;
  }
}

const plain = (name) => name.replace(/_check$/, "").replace(/_/g, " ");
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

export function CallDialog({ title, constraint = null, onDone, onClose }) {
  const { kinds: known, problem } = useStore(kinds);
  const all = known || [];
  const [name, setName] = useState(constraint?.kind || "");
  const kind = all.find((one) => one.kind === name) || null;
  const initial = useMemo(() => (kind ? valuesOf(kind, constraint?.kind === name ? constraint.call : kind.example || "") : null), [kind]);
  const [edited, setEdited] = useState({});
  const [raw, setRaw] = useState(null);
  const [fault, setFault] = useState("");
  const values = { ...initial, ...edited };
  const isRaw = raw !== null || (kind && initial === null);
  const call = isRaw ? (raw ?? constraint?.call ?? kind?.example ?? "") : kind ? callOf(kind, values) : "";
  const submit = async (event) => {
    event.preventDefault();
    const found = await faultOf(call);
    setFault(found);
    if (found) return;
    onDone(call);
    onClose();
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form class="call-form" onSubmit=${submit}>
        ${problem && html`<p class="problem">${problem}</p>`}
        <label>
          <span>What it is about</span>
          <select value=${name} onChange=${(event) => (setName(event.target.value), setEdited({}), setRaw(null), setFault(""))} required>
            <option value="" disabled>Choose …</option>
            ${all.map((one) => html`<option key=${one.kind} value=${one.kind}>${capital(plain(one.kind))}</option>`)}
          </select>
        </label>
        ${kind && html`<p class="hint">${kind.summary}</p>`}
        ${kind &&
        !isRaw &&
        kind.arguments.map(
          (one) => html`<label key=${`${name} ${one.name}`}>
            <span>${capital(plain(one.name))}${isList(one) ? " (separated by commas)" : ""}</span>
            ${one.choices
              ? html`<select value=${values[one.name] ?? one.choices[0]} onChange=${(event) => setEdited({ ...values, [one.name]: event.target.value })}>
                  ${one.choices.map((choice) => html`<option key=${choice} value=${choice}>${choice}</option>`)}
                </select>`
              : html`<input
                  type=${isNumber(one) ? "number" : "text"}
                  step="any"
                  dir="auto"
                  value=${values[one.name] ?? ""}
                  onInput=${(event) => setEdited({ ...values, [one.name]: event.target.value })}
                />`}
          </label>`,
        )}
        ${isRaw && html`<label><span>The call</span><input type="text" class="code" spellcheck="false" value=${call} onInput=${(event) => setRaw(event.target.value)} /></label>`}
        ${kind && !isRaw && html`<p class="hint">As a call: <code>${call}</code> <button type="button" class="link" onClick=${() => setRaw(call)}>write it yourself</button></p>`}
        ${fault && html`<p class="problem" role="alert">${fault}</p>`}
        <div class="row end">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button type="submit" class="primary" disabled=${!call}>${constraint ? "Change" : "Add"}</button>
        </div>
      </form>
    <//>`;
}
