// A dialog of the browser: it holds the focus, and gives it back; Escape closes it.

import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { Icon } from "./icons.js";

export function Dialog({ title, onClose, children, wide = false }) {
  const element = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  const outside = (event) => event.target === element.current && onClose();
  return html`
    <dialog ref=${element} class=${wide ? "dialog wide" : "dialog"} aria-labelledby="dialog-title" onClose=${onClose} onMouseDown=${outside}>
      <div class="dialog-head">
        <h2 id="dialog-title">${title}</h2>
        <button type="button" class="quiet icon-only" onClick=${onClose} aria-label="Close"><${Icon} name="reject" /></button>
      </div>
      <div class="dialog-body">${children}</div>
    </dialog>`;
}

/** A button with a list of choices under it. */
export function Menu({ label, icon, items, isDisabled = false, align = "end" }) {
  const element = useRef(null);
  useEffect(() => {
    const close = (event) => {
      if (element.current?.open && !element.current.contains(event.target)) element.current.open = false;
    };
    document.addEventListener("click", close);
    return () => document.removeEventListener("click", close);
  }, []);
  const onKey = (event) => {
    if (event.key !== "Escape" || !element.current.open) return;
    event.stopPropagation();
    element.current.open = false;
    element.current.querySelector("summary").focus();
  };
  return html`
    <details ref=${element} class="menu ${align}" onKeyDown=${onKey}>
      <summary class="button" aria-disabled=${isDisabled ? "true" : null}><${Icon} name=${icon} /> ${label}</summary>
      <ul>
        ${items.map(
          (item) => html`<li key=${item.label}>
            <button type="button" onClick=${() => ((element.current.open = false), item.act())}>
              <span>${item.label}</span>${item.hint && html`<small>${item.hint}</small>`}
            </button>
          </li>`,
        )}
      </ul>
    </details>`;
}
