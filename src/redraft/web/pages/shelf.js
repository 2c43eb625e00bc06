// The documents that there are.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { remove, told } from "./api.js";
import { desk, tell } from "./desk.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { fillShelf, newDocument, offShelf, shelf } from "./saving.js";
import { useStore } from "./store.js";

const DAY_MS = 86_400_000;

function when(date) {
  const time = new Date(date);
  const days = Math.floor((new Date().setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / DAY_MS);
  if (days <= 0) return time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  if (days === 1) return "yesterday";
  return time.toLocaleDateString(undefined, { day: "numeric", month: "short" });
}

export async function goToNew() {
  await newDocument();
  location.hash = "#/revise";
  requestAnimationFrame(() => document.getElementById("draft")?.focus());
}

export function Shelf({ isOpen, onPick }) {
  const { documents, more, problem } = useStore(shelf);
  const open = useStore(desk, (state) => state.document?.id);
  const [asking, ask] = useState(null);
  const element = useRef(null);
  useEffect(() => void fillShelf(), []);
  useEffect(() => {
    if (isOpen) element.current.querySelector("a, button")?.focus();
  }, [isOpen]);
  const drop = async () => {
    ask(null);
    try {
      await remove(`/v1/documents/${asking.id}`);
      offShelf(asking.id);
      if (asking.id === open) await goToNew();
      tell("The document is deleted.");
    } catch (error) {
      tell(told(error));
    }
  };
  return html`
    <nav ref=${element} class="shelf ${isOpen ? "open" : ""}" aria-label="Documents" id="shelf" onKeyDown=${(event) => event.key === "Escape" && onPick()}>
      <div class="shelf-head">
        <h2>Documents</h2>
        <button type="button" class="quiet" onClick=${() => (onPick(), goToNew())} title="New document (Alt+N)">
          <${Icon} name="plus" /> New
        </button>
      </div>
      ${problem && html`<p class="problem">${problem}</p>`}
      ${documents?.length === 0 && html`<p class="hint">Nothing here yet. What you write is kept on this computer, and listed here.</p>`}
      <ul>
        ${(documents || []).map(
          (one) => html`
            <li key=${one.id} class=${one.id === open ? "here" : ""}>
              <a href=${`#/revise/${one.id}`} aria-current=${one.id === open ? "page" : null} onClick=${onPick}>
                <span class="title" dir="auto">${one.title || "Untitled"}</span>
                <time datetime=${one.updated}>${when(one.updated)}</time>
              </a>
              <button type="button" class="quiet icon-only" aria-label=${`Delete ${one.title || "Untitled"}`} onClick=${() => ask(one)}>
                <${Icon} name="reject" />
              </button>
            </li>`,
        )}
      </ul>
      ${more && html`<button type="button" class="quiet" onClick=${() => fillShelf(true)}>Older ones</button>`}
      ${asking &&
      html`<${Dialog} title="Delete this document?" onClose=${() => ask(null)}>
        <p dir="auto"><strong>${asking.title || "Untitled"}</strong></p>
        <p>Its text and its history are deleted. This cannot be undone.</p>
        <div class="row end">
          <button type="button" onClick=${() => ask(null)}>Keep it</button>
          <button type="button" class="danger" onClick=${drop}>Delete</button>
        </div>
      <//>`}
    </nav>`;
}
