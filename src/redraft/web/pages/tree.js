// The search as a tree: every text that was tried, from the original on.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { desk, reviewOf } from "./desk.js";
import { loadNodes } from "./running.js";
import { useStore } from "./store.js";

const STEP = { x: 92, y: 46 };
const MARGIN = 30;
const NONE = [];

/** The places of the nodes: a step to the right for each action, leaves below one another. */
function layOut(nodes) {
  const children = new Map(nodes.map((node) => [node.id, []]));
  const roots = [];
  for (const node of nodes) (children.get(node.parent) || roots).push(node);
  const places = new Map();
  let leaf = 0;
  const put = (node, depth) => {
    const own = children.get(node.id).map((child) => put(child, depth + 1));
    const y = own.length ? (own[0] + own[own.length - 1]) / 2 : leaf++;
    places.set(node.id, { x: MARGIN + depth * STEP.x, y: MARGIN + y * STEP.y });
    return y;
  };
  roots.forEach((node) => put(node, 0));
  const width = Math.max(...[...places.values()].map((one) => one.x)) + MARGIN;
  const height = Math.max(...[...places.values()].map((one) => one.y)) + MARGIN;
  return { places, width, height };
}

/** The node whose text is the result, and the way to it. */
function pathTo(nodes, text) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let node = [...nodes].reverse().find((one) => one.text === text) || null;
  const path = new Set();
  while (node) {
    path.add(node.id);
    node = byId.get(node.parent);
  }
  return path;
}

const value = (node) => (typeof node.reward?.total === "number" ? node.reward.total.toFixed(2) : "–");

export function Tree() {
  const review = useStore(desk, reviewOf);
  const nodes = review?.nodes || NONE;
  const { places, width, height } = useMemo(() => (nodes.length ? layOut(nodes) : { places: new Map(), width: 1, height: 1 }), [nodes]);
  const path = useMemo(() => pathTo(nodes, review?.result.text), [nodes]);
  const [chosen, choose] = useState(null);
  const [view, setView] = useState({ x: 0, y: 0, scale: 1 });
  const drag = useRef(null);
  useEffect(() => void loadNodes().catch(() => {}), [review?.result]);
  if (review && !review.nodes) return html`<p class="hint" role="status">The search is being read …</p>`;
  if (!nodes.length) return html`<p class="hint">The texts of this search were not kept.</p>`;
  const zoom = (factor) => setView((now) => ({ ...now, scale: Math.min(6, Math.max(0.2, now.scale * factor)) }));
  const box = `${view.x} ${view.y} ${Math.max(width, 240) / view.scale} ${Math.max(height, 160) / view.scale}`;
  const onMove = (event) => {
    if (!drag.current) return;
    const { x, y } = drag.current;
    drag.current = { x: event.clientX, y: event.clientY };
    setView((now) => ({ ...now, x: now.x - (event.clientX - x) / now.scale, y: now.y - (event.clientY - y) / now.scale }));
  };
  const node = nodes.find((one) => one.id === chosen) || null;
  return html`
    <div class="search">
      <div class="row">
        <h3>The search</h3>
        <span class="spring"></span>
        <button type="button" class="quiet" aria-label="Smaller" onClick=${() => zoom(1 / 1.4)}>−</button>
        <button type="button" class="quiet" aria-label="Larger" onClick=${() => zoom(1.4)}>+</button>
        <button type="button" class="quiet" onClick=${() => setView({ x: 0, y: 0, scale: 1 })}>All</button>
      </div>
      <svg
        class="tree"
        viewBox=${box}
        role="group"
        aria-label=${`${nodes.length} texts that were tried`}
        onPointerDown=${(event) => (drag.current = { x: event.clientX, y: event.clientY })}
        onPointerMove=${onMove}
        onPointerUp=${() => (drag.current = null)}
        onPointerLeave=${() => (drag.current = null)}
      >
        ${nodes
          .filter((one) => places.has(one.parent))
          .map((one) => {
            const from = places.get(one.parent);
            const to = places.get(one.id);
            const middle = (from.x + to.x) / 2;
            return html`<path key=${`edge ${one.id}`} class="edge ${path.has(one.id) ? "best" : ""}" d=${`M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`} />`;
          })}
        ${nodes.map((one) => {
          const { x, y } = places.get(one.id);
          const isMet = (one.findings || []).every((finding) => finding.met);
          const open = () => choose(one.id);
          return html`<g
            key=${one.id}
            class="node ${path.has(one.id) ? "best" : ""} ${isMet ? "met" : "unmet"} ${chosen === one.id ? "chosen" : ""}"
            transform=${`translate(${x} ${y})`}
            tabindex="0"
            role="button"
            aria-label=${`Text ${one.id}, value ${value(one)}, ${isMet ? "all constraints met" : "not all met"}`}
            onClick=${open}
            onKeyDown=${(event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), open())}
          >
            <circle r="15" />
            <text dy="4">${value(one)}</text>
          </g>`;
        })}
      </svg>
      <p class="hint">Each circle is a text, with its value of 2; the thick line leads to the result.</p>
      ${node && html`<${Node} node=${node} />`}
    </div>`;
}

function Node({ node }) {
  const unmet = (node.findings || []).filter((one) => !one.met);
  return html`
    <section class="node-text" aria-live="polite">
      <h4>Text ${node.id}${node.parent === null ? ": your original" : ""}</h4>
      <dl>
        ${node.by && html`<div><dt>Planned by</dt><dd>${node.by}</dd></div>`}
        ${node.thought && html`<div><dt>Thought</dt><dd dir="auto">${node.thought}</dd></div>`}
        <div><dt>Constraints</dt><dd>${unmet.length ? unmet.map((one) => one.message).join("; ") : "all met"}</dd></div>
        ${node.reward && html`<div><dt>Value</dt><dd>${value(node)}: quality ${node.reward.quality.toFixed(2)}, constraints ${node.reward.constraints.toFixed(2)}</dd></div>`}
      </dl>
      ${(node.feedback || []).length > 0 && html`<details><summary>What the tools said</summary><ul>${node.feedback.map((one, place) => html`<li key=${place}><strong>${one.tool}</strong> <span dir="auto">${one.words}</span></li>`)}</ul></details>`}
      <details open><summary>The text</summary><p class="quoted" dir="auto">${node.text}</p></details>
    </section>`;
}
