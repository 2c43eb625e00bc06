// The text while it is revised: sentences settle one after the other.

import { html } from "./vendor/preact-htm.js";
import { desk } from "./desk.js";
import { memo, useStore } from "./store.js";
import { compareWords } from "./words.js";
import { Words } from "./passages.js";

const Sentence = memo(({ text, settled }) => {
  if (!settled) return html`<span class="waiting">${text}</span>`;
  if (settled.before === settled.after) return html`<span class="settled">${text}</span>`;
  return html`<span class="settled changed"><${Words} parts=${compareWords(text, settled.after)} /></span>`;
});

export function Settling() {
  const job = useStore(desk, (state) => state.job);
  const { text = "", spans, sentences, best } = job;
  if (best && !Object.keys(sentences).length) return html`<${Sheet}><${Best} passages=${best} /><//>`;
  const parts = [];
  let at = 0;
  for (const span of spans || []) {
    if (span.start > at) parts.push(text.slice(at, span.start));
    parts.push(html`<${Sentence} key=${span.start} text=${text.slice(span.start, span.end)} settled=${span.number ? sentences[span.number] : null} />`);
    at = span.end;
  }
  parts.push(text.slice(at));
  return html`<${Sheet}>${parts}<//>`;
}

const Sheet = ({ children }) => html`<section class="paper settling" aria-label="Text under revision" aria-busy="true"><div dir="auto">${children}</div></section>`;

const Best = memo(({ passages }) => passages.map((one, place) => html`<span key=${place} class=${one.same ? "waiting" : "settled"}><${Words} parts=${one.words} /></span>`));
