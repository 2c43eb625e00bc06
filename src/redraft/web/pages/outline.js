// An outline as cards: written, moved by hand or by key, locked, removed.

import { html, useRef, useState } from "./vendor/preact-htm.js";
import { tell } from "./desk.js";
import { Icon } from "./icons.js";

let lastKey = Date.now();

const newKey = () => (lastKey += 1);

export const blankCard = () => ({ key: newKey(), title: "", points: [], isLocked: false });

/** New cards of an outline; those that are locked stay where they are. */
export function cardsOf(sections, before) {
  const fresh = sections.map(({ title, points }) => ({ key: newKey(), title, points, isLocked: false }));
  before.forEach((card, place) => {
    if (!card.isLocked) return;
    const twin = fresh.findIndex((one) => one.title.toLowerCase() === card.title.toLowerCase());
    if (twin >= 0) fresh.splice(twin, 1);
    else if (place < fresh.length) fresh.splice(place, 1);
    fresh.splice(Math.min(place, fresh.length), 0, card);
  });
  return fresh;
}

const oneLine = (text) => text.split(/\s+/).filter(Boolean).join(" ");

/** The outline as the server reads it: a title after #, a section after ##, a point after -. */
export function markdownOf(title, cards) {
  const section = (card) => [`## ${oneLine(card.title)}`, ...card.points.map(oneLine).filter(Boolean).map((point) => `- ${point}`)].join("\n");
  return [`# ${oneLine(title)}`, ...cards.map(section)].join("\n\n");
}

export function Outline({ title, cards, onTitle, onCards }) {
  const [dragged, drag] = useState(null);
  const [over, setOver] = useState(null);
  const list = useRef(null);
  const change = (key, patch) => onCards(cards.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  const move = (from, to, { isByKey = false } = {}) => {
    if (to < 0 || to >= cards.length || from === to) return;
    const next = [...cards];
    const [card] = next.splice(from, 1);
    next.splice(to, 0, card);
    onCards(next);
    tell(`“${card.title || "Untitled"}” is now section ${to + 1} of ${next.length}.`);
    if (!isByKey) return;
    // The button goes with its card; at an end it is dead, and the other one takes the focus.
    const wanted = `[data-move="${to === 0 ? "down" : to === next.length - 1 ? "up" : to < from ? "up" : "down"}"]`;
    requestAnimationFrame(() => list.current?.querySelector(`[data-key="${card.key}"] ${wanted}`)?.focus());
  };
  const drop = (place) => {
    const from = cards.findIndex((one) => one.key === dragged);
    if (from >= 0) move(from, place);
    drag(null);
    setOver(null);
  };
  const add = () => {
    const card = blankCard();
    onCards([...cards, card]);
    requestAnimationFrame(() => list.current?.querySelector(`[data-key="${card.key}"] input`)?.focus());
  };
  const take = (card, place) => {
    onCards(cards.filter((one) => one.key !== card.key));
    tell(`“${card.title || "Untitled"}” is removed.`);
    requestAnimationFrame(() => (list.current?.querySelectorAll("li input")[Math.max(0, place - 1)] || document.getElementById("outline-title"))?.focus());
  };
  return html`
    <div class="outline">
      <label class="outline-title"><span>Title</span><input type="text" id="outline-title" dir="auto" value=${title} onInput=${(event) => onTitle(event.target.value)} /></label>
      <ol ref=${list} class="cards" aria-label="Sections">
        ${cards.map(
          (card, place) => html`<li
            key=${card.key}
            data-key=${card.key}
            class="outline-card ${dragged === card.key ? "dragged" : ""} ${over === place && dragged !== card.key ? "over" : ""} ${card.isLocked ? "locked" : ""}"
            onDragOver=${(event) => dragged !== null && (event.preventDefault(), setOver(place))}
            onDrop=${(event) => (event.preventDefault(), drop(place))}
          >
            <span class="grip" draggable="true" title="Drag" aria-hidden="true" onDragStart=${(event) => (event.dataTransfer.setData("text/plain", card.title), (event.dataTransfer.effectAllowed = "move"), drag(card.key))} onDragEnd=${() => (drag(null), setOver(null))}>${place + 1}</span>
            <div class="fields-of">
              <input type="text" dir="auto" aria-label=${`Title of section ${place + 1}`} placeholder="Title" value=${card.title} disabled=${card.isLocked} onInput=${(event) => change(card.key, { title: event.target.value })} />
              <textarea dir="auto" rows=${Math.max(2, card.points.length)} aria-label=${`Points of section ${place + 1}, one on a line`} placeholder="What it is to say, a point on a line" value=${card.points.join("\n")} disabled=${card.isLocked} onInput=${(event) => change(card.key, { points: event.target.value.split("\n") })}></textarea>
            </div>
            <div class="card-tools" role="group" aria-label=${`Section ${place + 1}`}>
              <button type="button" class="quiet icon-only" data-move="up" aria-label="Move up" title="Move up" disabled=${place === 0} onClick=${() => move(place, place - 1, { isByKey: true })}><${Icon} name="previous" /></button>
              <button type="button" class="quiet icon-only" data-move="down" aria-label="Move down" title="Move down" disabled=${place === cards.length - 1} onClick=${() => move(place, place + 1, { isByKey: true })}><${Icon} name="next" /></button>
              <button type="button" class="quiet icon-only" aria-label="Lock" title="Lock: it stays as it is" aria-pressed=${String(card.isLocked)} onClick=${() => change(card.key, { isLocked: !card.isLocked })}><${Icon} name="lock" /></button>
              <button type="button" class="quiet icon-only" aria-label="Remove" title="Remove" disabled=${card.isLocked} onClick=${() => take(card, place)}><${Icon} name="reject" /></button>
            </div>
          </li>`,
        )}
      </ol>
      <button type="button" class="add-card" onClick=${add}><${Icon} name="plus" /> Add a section</button>
    </div>`;
}
