// The keys that do something.

import { html } from "./vendor/preact-htm.js";
import { Dialog } from "./dialog.js";

const KEYS = [
  ["Anywhere", [
    ["Ctrl + Enter", "start, or run again"],
    ["Ctrl + Z, Ctrl + Shift + Z", "undo, redo (in a field: what was typed there)"],
    ["Alt + N", "new document"],
    ["Alt + T, Alt + I", "to the text, to the instruction"],
    ["?", "these keys"],
  ]],
  ["While a revision is looked through", [
    ["j, k", "next change, previous change"],
    ["↓, ↑", "next sentence, previous sentence"],
    ["a, r", "accept, reject"],
    ["e", "edit; Escape when done"],
    ["l", "leave this one as it stands"],
    ["g", "ask again, or for alternatives"],
    ["w", "why it reads so"],
    ["v", "side by side, or inline"],
    ["Escape", "let go of the sentence"],
  ]],
];

export function HelpDialog({ onClose }) {
  return html`
    <${Dialog} title="Keys" onClose=${onClose}>
      ${KEYS.map(
        ([title, keys]) => html`<h3 key=${title}>${title}</h3>
          <dl class="keys">${keys.map(([key, says]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${says}</dd></div>`)}</dl>`,
      )}
    <//>`;
}
