// Take a text away from a page that keeps no document: copied, as a file, or on to be revised.

import { change, clear, tell } from "./desk.js";
import { newDocument } from "./saving.js";

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    tell("The text is copied.");
  } catch {
    tell("The browser does not let this page copy; save it as a file instead.");
  }
}

export function saveFile(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Lay a text on the desk of the Revise page as a document of its own. */
export async function reviseIt(text, title, format = "auto") {
  await newDocument();
  clear();
  change({ text, format, title, titled: Boolean(title) }, { note: "Brought here" });
  location.hash = "#/revise";
}
