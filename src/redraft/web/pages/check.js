import { html } from "./vendor/preact-htm.js";
export function Check() {
  return html`<main id="main" class="page" tabindex="-1"><h1>Check</h1></main>`;
}
