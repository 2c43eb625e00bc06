// The text before it is revised: written, pasted, opened or dropped here.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { debounced, post, told } from "./api.js";
import { change, desk, tell, whenHandedOver } from "./desk.js";
import { Icon } from "./icons.js";
import { goToNew } from "./shelf.js";
import { useStore } from "./store.js";

const SAMPLE = {
  text: `Dear all,

I am writing in order to inform you that the quarterly meeting, which was originally scheduled for 12 May, has been moved to 19 May at 9:30 in Room 4. Please note that the old agenda is no longer valid, because it was prepared by the committee before the new budget figures were available. Please utilize the new agenda that is attached to this message. We believe that the meeting will generate synergy between the teams, and we are very much looking forward to your contributions.

Due to the fact that the room only has 24 seats, please let Maria Lopez know by Friday whether you will be attending. If you are not able to come in person, you can join us online.

Kind regards,
Tom`,
  instruction: "Under 105 words, never say “synergy”, keep the dates and numbers, and make it friendlier.",
};

const ACCEPTS = ".txt,.text,.md,.markdown,.tex,.latex,.docx";

export function trySample() {
  change({ ...SAMPLE, titled: false }, { note: "Opened the sample" });
}

export async function openFile(file) {
  const form = new FormData();
  form.append("file", file);
  try {
    const { title, format, text, file: kept } = await post("/v1/files", form);
    if (desk.get().document) await goToNew();
    change({ text: text.replace(/\r\n?/g, "\n"), format, title, titled: true, file: kept || null }, { note: `Opened ${title}` });
    tell(`${title} is open.`);
  } catch (error) {
    tell(told(error));
  }
}

const counted = (text) => {
  const words = text.trim() ? text.trim().split(/\s+/).length : 0;
  return words === 1 ? "1 word" : `${words.toLocaleString("en")} words`;
};

// A long text is not handed on with every key that is pressed.
const hand = debounced((text) => change({ text }, { key: "text", note: "Edited the text" }), 200);

whenHandedOver(() => hand.flush());

export function Draft() {
  const text = useStore(desk, (state) => state.work.text);
  const field = useRef(null);
  const [isOver, over] = useState(false);
  useEffect(() => {
    const own = field.current;
    if (own.value === text) return;
    // Another text has come: from a file, from undo, from another window. The cursor stays where it can.
    const { selectionStart, selectionEnd } = own;
    own.value = text;
    if (document.activeElement === own) own.setSelectionRange(selectionStart, selectionEnd);
  }, [text]);
  const onDrop = (event) => {
    over(false);
    const [file] = event.dataTransfer?.files || [];
    if (!file) return;
    event.preventDefault();
    openFile(file);
  };
  return html`
    <section
      class="draft ${isOver ? "over" : ""}"
      aria-label="Text"
      onDragOver=${(event) => (event.preventDefault(), over(true))}
      onDragLeave=${() => over(false)}
      onDrop=${onDrop}
    >
      <label for="draft" class="visually-hidden">Your text</label>
      <textarea
        id="draft"
        ref=${field}
        class="paper"
        dir="auto"
        spellcheck="true"
        placeholder="Write or paste your text here, or drop a file."
        onInput=${(event) => hand(event.target.value)}
        onBlur=${() => hand.flush()}
      ></textarea>
      <div class="draft-foot">
        ${text ? html`<span class="count">${counted(text)}</span>` : html`<${Empty} />`}
        <span class="spring"></span>
        <label class="button file">
          <${Icon} name="file" /> Open a file
          <input type="file" accept=${ACCEPTS} onChange=${(event) => event.target.files[0] && openFile(event.target.files[0])} />
        </label>
      </div>
    </section>`;
}

function Empty() {
  return html`<button type="button" class="link" onClick=${trySample}>Try it with a sample text</button>`;
}
