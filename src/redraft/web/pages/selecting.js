// Which passage is looked at.

import { desk } from "./desk.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Look at a passage; where the focus is to follow, it does, and the passage comes into view. */
export function select(index, { isFocused = false, isEdited = false } = {}) {
  desk.set((state) => (state.selected === index && state.editing === isEdited ? state : { ...state, selected: index, editing: isEdited }));
  if (!isFocused || index === null) return;
  requestAnimationFrame(() => {
    const element = document.querySelector(`[data-index="${index}"]`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "center", behavior: still.matches ? "auto" : "smooth" });
  });
}
