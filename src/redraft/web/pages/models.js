import { html } from "./vendor/preact-htm.js";
export function Models() {
  return html`<main id="main" class="page" tabindex="-1"><h1>Models</h1></main>`;
}
