// Small drawings beside words; they say nothing that the words do not say.

import { html } from "./vendor/preact-htm.js";

const PATHS = {
  accept: "M3.5 8.5l3 3 6-7",
  reject: "M4 4l8 8M12 4l-8 8",
  edit: "M3 13l.8-3L10.5 3.3l2.2 2.2L6 12.2z",
  lock: "M4 7.5h8V13H4zM5.5 7.5V5.5a2.5 2.5 0 015 0v2",
  again: "M12.5 8a4.5 4.5 0 11-1.4-3.2M12.6 2.5v2.8H9.8",
  more: "M3 5h10M3 8h10M3 11h6",
  why: "M6 6a2 2 0 113 1.7c-.7.5-1 .9-1 1.8M8 12v.2",
  undo: "M6 4L3 7l3 3M3 7h6.5a3 3 0 010 6H7",
  redo: "M10 4l3 3-3 3M13 7H6.5a3 3 0 000 6H9",
  export: "M8 2.5v7M5 6.8l3 3 3-3M3 12.5h10",
  history: "M8 4.5V8l2.3 1.5M8 2.5a5.5 5.5 0 11-5.2 3.7M2.5 3v3.3h3.2",
  plus: "M8 3.5v9M3.5 8h9",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  stop: "M4.5 4.5h7v7h-7z",
  start: "M5 3.5l7.5 4.5L5 12.5z",
  conflict: "M8 2.5l6 10.5H2zM8 6.5v3M8 11.3v.2",
  unmet: "M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11M8 5v3.6M8 10.8v.2",
  unknown: "M6 6a2 2 0 113 1.7c-.7.5-1 .9-1 1.8M8 12v.2",
  wait: "M8 4.5V8l2 1.5M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11",
  advice: "M3 4h10v6.5H8L5 13v-2.5H3z",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  light: "M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1",
  dark: "M12.8 9.6A5.2 5.2 0 016.4 3.2a5.2 5.2 0 106.4 6.4z",
  system: "M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13",
  next: "M4 6l4 4 4-4",
  previous: "M4 10l4-4 4 4",
};

export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=${PATHS[name]} /></svg>`;
}
