// Scores as numbers, and drawn small: a point with its interval. Drawings say nothing that the numbers do not.

import { html } from "./vendor/preact-htm.js";

const CAPITALS = ["bleu", "em", "gleu", "lens", "sari", "some"];

export const metricName = (name) => (name === "ibleu" ? "iBLEU" : CAPITALS.includes(name) ? name.toUpperCase() : name.replaceAll("_", " "));

/** A number as it is read: 0, 0.25, 34.9, 1,200. */
export function round(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  const digits = size >= 1000 ? size.toLocaleString("en", { maximumFractionDigits: 0 }) : size.toFixed(size < 1 ? 2 : 1);
  return value < 0 ? `−${digits}` : digits;
}

/** The numbers of a data set by metric: of its one prompt, or over all of them. */
export function numbersOf(dataset) {
  const prompts = Object.values(dataset.prompts || {});
  if (prompts.length < 2) {
    const known = Object.entries(prompts[0]?.scores || {}).filter(([, one]) => typeof one.score === "number");
    return Object.fromEntries(known.map(([name, one]) => [name, { score: one.score, signature: one.signature, ...between(one.low, one.high) }]));
  }
  const over = Object.entries(dataset.over_prompts || {}).filter(([, one]) => typeof one.mean === "number");
  return Object.fromEntries(over.map(([name, one]) => [name, { score: one.mean, ...between(one.min, one.max) }]));
}

const between = (low, high) => (typeof low === "number" && typeof high === "number" ? { low, high } : {});

/** A point and its interval on a line from one value to another. */
export function Bar({ from, to, score, low, high, zero = false }) {
  const at = (value) => Math.max(0, Math.min(100, (100 * (value - from)) / (to - from || 1)));
  return html`<svg class="interval" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <line class="ground" x1="0" x2="100" y1="5" y2="5" />
    ${zero && html`<line class="zero" x1=${at(0)} x2=${at(0)} y1="0" y2="10" />`}
    ${low !== undefined && html`<line class="range" x1=${at(low)} x2=${at(high)} y1="5" y2="5" />`}
    <line class="point" x1=${at(score)} x2=${at(score)} y1="5" y2="5" />
  </svg>`;
}

/** A line for each data set, on one scale. */
export function Lines({ rows }) {
  const values = rows.flatMap((one) => [one.score, one.low ?? one.score, one.high ?? one.score]);
  const from = Math.min(0, ...values);
  const to = values.every((one) => one <= 100) && Math.max(...values) > 1 ? 100 : Math.max(...values, 1);
  return html`
    <dl class="lines">
      ${rows.map((one) => html`<div key=${one.name}><dt>${one.name}</dt><dd><${Bar} from=${from} to=${to} score=${one.score} low=${one.low} high=${one.high} /><span class="number">${round(one.score)}</span></dd></div>`)}
      <div class="scale" aria-hidden="true"><dt></dt><dd><span>${round(from)}</span><span>${round(to)}</span></dd></div>
    </dl>`;
}

/** A difference, and whether it is one: the interval is on one side of nothing. */
export function Difference({ of }) {
  const [low, high] = of.interval;
  const kind = low > 0 ? "good" : high < 0 ? "warn" : "";
  return html`<span class=${kind}>${of.difference > 0 ? "+" : ""}${round(of.difference)}</span><small>${round(low)} to ${round(high)}</small>`;
}
