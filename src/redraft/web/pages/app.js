// The frame: which page is shown, its colours, and what is told in passing.

import { html, render, useEffect, useState } from "./vendor/preact-htm.js";
import { Check } from "./check.js";
import { Compose } from "./compose.js";
import { desk } from "./desk.js";
import { HelpDialog } from "./help.js";
import { Icon } from "./icons.js";
import { Models } from "./models.js";
import { Revise } from "./revise.js";
import { Runs } from "./runs.js";
import { Simplify } from "./simplify.js";
import { useStore } from "./store.js";

const PAGES = [
  ["revise", "Revise"],
  ["simplify", "Simplify"],
  ["compose", "Compose"],
  ["check", "Check"],
  ["runs", "Runs"],
  ["models", "Models"],
];

function route() {
  const [, page = "revise", ...rest] = location.hash.split("/");
  const id = rest.join("/") || null;
  return { page: PAGES.some(([name]) => name === page) ? page : "revise", id: id ? decodeURIComponent(id) : null };
}

const THEMES = ["system", "light", "dark"];

function ThemeSwitch() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme || "system");
  const turn = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    setTheme(next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("redraft.theme", next);
    } catch {
      // It holds for this tab, then.
    }
  };
  return html`<button type="button" class="quiet icon-only" onClick=${turn} aria-label=${`Colours: ${theme}`} title=${`Colours: ${theme}`}><${Icon} name=${theme} /></button>`;
}

const TOLD_MS = 7000;

/** What is told in passing; it stays in reach of a screen reader. */
function Notice() {
  const notice = useStore(desk, (state) => state.notice);
  const [isShown, show] = useState(false);
  useEffect(() => {
    if (!notice) return undefined;
    show(true);
    const timer = setTimeout(() => show(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return html`<div class="notice ${isShown && notice ? "shown" : ""}" role="status" aria-live="polite">${notice}</div>`;
}

function App() {
  const [{ page, id }, setRoute] = useState(route);
  const [isHelp, help] = useState(false);
  const open = useStore(desk, (state) => state.document?.id);
  useEffect(() => {
    const onHash = () => setRoute(route());
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  useEffect(() => {
    document.title = `${PAGES.find(([name]) => name === page)[1]} · redraft`;
  }, [page]);
  const skip = (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  };
  return html`
    <a class="skip" href="#main" onClick=${skip}>To the text</a>
    <header class="top">
      <a class="brand" href="#/revise">redraft</a>
      <nav aria-label="Pages">
        ${PAGES.map(([name, label]) => html`<a key=${name} href=${name === "revise" && open ? `#/revise/${open}` : `#/${name}`} aria-current=${page === name ? "page" : null}>${label}</a>`)}
      </nav>
      <span class="spring"></span>
      <button type="button" class="quiet icon-only" aria-label="Keys" title="Keys (?)" onClick=${() => help(true)}><${Icon} name="why" /></button>
      <${ThemeSwitch} />
    </header>
    ${page === "revise" && html`<${Revise} id=${id} onHelp=${() => help(true)} />`}
    ${page === "simplify" && html`<${Simplify} id=${id} />`}
    ${page === "compose" && html`<${Compose} id=${id} />`}
    ${page === "check" && html`<${Check} />`}
    ${page === "runs" && html`<${Runs} id=${id} />`}
    ${page === "models" && html`<${Models} />`}
    <${Notice} />
    ${isHelp && html`<${HelpDialog} onClose=${() => help(false)} />`}`;
}

const root = document.getElementById("app");
root.textContent = "";
render(html`<${App} />`, root);
