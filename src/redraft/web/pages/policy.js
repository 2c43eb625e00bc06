// How to simplify: a policy that comes with redraft, or one's own, in a form.

import { html } from "./vendor/preact-htm.js";
import { Icon } from "./icons.js";
import { saveFile } from "./taking.js";

const OPERATIONS = [
  ["replace", "Replace words"],
  ["delete", "Leave words out"],
  ["add", "Add words"],
  ["split", "Split sentences"],
  ["reorder", "Reorder parts"],
];
const LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"];

/** What the form holds at first: a policy of ours, to be changed. */
export function ownOf({ fields }) {
  const [least = "", most = ""] = fields.limits.length_ratio || [];
  return {
    base: fields.name,
    title: "My policy",
    instruction: fields.instruction.trim(),
    operations: fields.operations,
    level: fields.limits.word_level,
    least,
    most,
    grade: fields.limits.reading_grade ?? "",
    calls: fields.constraints.join("\n"),
  };
}

const nameOf = (title) =>
  title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+/, "").replace(/-+$/, "").slice(0, 40) || "own";

/** The policy as a file has it: JSON is YAML. */
export function fileOf(own, policies) {
  const base = policies.find((one) => one.name === own.base).fields;
  const isSet = (value) => value !== "" && value !== null;
  const limits = {
    word_level: own.level,
    ...(isSet(own.least) && isSet(own.most) ? { length_ratio: [Number(own.least), Number(own.most)] } : {}),
    ...(isSet(own.grade) ? { reading_grade: Number(own.grade) } : {}),
  };
  const constraints = own.calls.split("\n").map((line) => line.trim()).filter(Boolean);
  const { title, instruction } = own;
  const operations = ["keep", ...own.operations.filter((one) => one !== "keep")];
  return JSON.stringify({ ...base, name: nameOf(title), title, about: `After ${base.title}.`, instruction, operations, limits, constraints }, null, 1);
}

/** The choice; `value` is a name, or "own". */
export function PolicyPicker({ policies, value, own, onPick, onOwn, isDisabled }) {
  const pick = (name) => {
    onPick(name);
    if (name === "own" && !own) onOwn(ownOf(policies[0]));
  };
  const card = (name, title, about, operations) => html`
    <label key=${name} class="policy">
      <input type="radio" name="policy" value=${name} checked=${value === name} disabled=${isDisabled} onChange=${() => pick(name)} />
      <span>
        <strong>${title}</strong>
        <span class="about-it">${about}</span>
        ${operations && html`<small>${OPERATIONS.filter(([one]) => operations.includes(one)).map(([, says]) => says).join(" · ")}</small>`}
      </span>
    </label>`;
  return html`
    <fieldset class="policies">
      <legend><h2>Policy</h2></legend>
      ${policies.map((one) => card(one.name, one.title, one.about, one.operations))}
      ${card("own", "Your own", "Say yourself what may be changed, how, and what must stay.", null)}
    </fieldset>
    ${value === "own" && own && html`<${OwnPolicy} own=${own} policies=${policies} onOwn=${onOwn} />`}`;
}

function OwnPolicy({ own, policies, onOwn }) {
  const set = (patch) => onOwn({ ...own, ...patch });
  const field = (name) => ({ value: own[name], onInput: (event) => set({ [name]: event.target.value }) });
  const turn = (operation, isOn) => set({ operations: isOn ? [...own.operations, operation] : own.operations.filter((one) => one !== operation) });
  return html`
    <section class="own-policy" aria-label="Your own policy">
      <div class="fields">
        <label><span>Name</span><input type="text" maxlength="100" dir="auto" ...${field("title")} /></label>
        <label><span>Judged by the principles of</span>
          <select value=${own.base} onChange=${(event) => onOwn({ ...ownOf(policies.find((one) => one.name === event.target.value)), title: own.title })}>
            ${policies.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}
          </select>
        </label>
      </div>
      <fieldset class="row"><legend>What may be done</legend>
        ${OPERATIONS.map(([name, label]) => html`<label key=${name} class="check"><input type="checkbox" checked=${own.operations.includes(name)} onChange=${(event) => turn(name, event.target.checked)} /> ${label}</label>`)}
      </fieldset>
      <label><span>Instruction</span><textarea rows="4" maxlength="4000" dir="auto" ...${field("instruction")}></textarea></label>
      <div class="fields four">
        <label><span>Easy up to level</span><select value=${own.level} onChange=${(event) => set({ level: event.target.value })}>${LEVELS.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
        <label><span>Length, at least ×</span><input type="number" min="0.05" max="10" step="0.05" placeholder="any" ...${field("least")} /></label>
        <label><span>Length, at most ×</span><input type="number" min="0.05" max="10" step="0.05" placeholder="any" ...${field("most")} /></label>
        <label><span>School grade, at most</span><input type="number" min="0" max="20" step="1" placeholder="any" ...${field("grade")} /></label>
      </div>
      <label><span>What must hold, a call on a line</span><textarea class="code" rows="4" spellcheck="false" ...${field("calls")}></textarea></label>
      <div class="row">
        <button type="button" onClick=${() => saveFile(`${nameOf(own.title)}.yaml`, fileOf(own, policies))}><${Icon} name="export" /> Save as a file</button>
        <span class="hint">for <code>redraft simplify --policy ${nameOf(own.title)}.yaml</code></span>
      </div>
    </section>`;
}
