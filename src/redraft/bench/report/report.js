"use strict";
// Texts of samples come from models: they are only ever set as textContent.
(() => {
  const PER_PAGE = 25;
  const IN_HEAD = 2;
  const KEPT_CHUNKS = 80;
  const STATES = ["changed", "left as it was", "failed"];
  const byId = (id) => document.getElementById(id);

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  // Sorting of tables: by number where a column has them, else by text; what is missing comes last.
  for (const head of document.querySelectorAll("table.sortable thead th")) {
    head.firstChild.addEventListener("click", () => sortBy(head));
  }

  function sortBy(head) {
    const place = head.cellIndex;
    const body = head.closest("table").tBodies[0];
    const rows = [...body.rows];
    const isNumeric = rows.some((row) => row.cells[place].dataset.value !== undefined);
    const value = (row) => {
      const cell = row.cells[place];
      if (!isNumeric) return cell.textContent;
      return cell.dataset.value ? Number(cell.dataset.value) : null;
    };
    const isDescending = head.ariaSort === "none" ? isNumeric : head.ariaSort === "ascending";
    const sign = isDescending ? -1 : 1;
    rows.sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * (isNumeric ? a - b : a.localeCompare(b));
    });
    for (const other of head.parentNode.cells) other.ariaSort = "none";
    head.ariaSort = isDescending ? "descending" : "ascending";
    body.append(...rows);
  }

  // The samples: an index of all, and chunks of texts that are unpacked when they are looked at.
  async function inflated(id) {
    const packed = Uint8Array.from(atob(byId(id).textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  const chunks = new Map();

  function chunk(number) {
    const found = chunks.get(number) ?? inflated(`chunk-${number}`);
    chunks.delete(number);
    chunks.set(number, found);
    if (chunks.size > KEPT_CHUNKS) chunks.delete(chunks.keys().next().value);
    return found;
  }

  let index;
  let shown = [];
  let page = 0;
  let only = null;
  let turn = 0;

  async function textOf(item) {
    return (await chunk(Math.floor(item / index.chunk)))[item % index.chunk];
  }

  function fill(id, options) {
    byId(id).replaceChildren(...options.map(([value, name]) => element("option", { value, textContent: name })));
  }

  function fillFilter() {
    const all = (names) => [["", "all"], ...names.map((name, place) => [String(place), name])];
    const prompts = [...new Set(index.prompt)].sort((a, b) => a - b);
    fill("run", all(index.runs));
    fill("dataset", all(index.datasets));
    fill("prompt", [["", "all"], ...prompts.map((number) => [String(number), String(number)])]);
    fill("state", all(STATES));
    const scores = index.metrics.flatMap((name, place) => [
      [`${place} 1`, `${name}, lowest first`],
      [`${place} -1`, `${name}, highest first`],
    ]);
    fill("order", [["", "as in the data"], ...scores]);
    byId("filter").hidden = false;
  }

  function matching() {
    if (only !== null) return outputsOf(only);
    const wanted = ["run", "dataset", "prompt", "state"].map((name) => [index[name], byId(name).value]);
    const active = wanted.filter(([, value]) => value !== "").map(([column, value]) => [column, Number(value)]);
    const items = [];
    for (let item = 0; item < index.run.length; item += 1) {
      if (active.every(([column, value]) => column[item] === value)) items.push(item);
    }
    return items;
  }

  function outputsOf(wanted) {
    const isSame = (item) => index.id[item] === index.id[wanted] && index.dataset[item] === index.dataset[wanted];
    return [...index.id.keys()].filter(isSame);
  }

  function ordered(items) {
    const order = byId("order").value;
    if (!order) return items;
    const [metric, sign] = order.split(" ").map(Number);
    const scores = index.scores[metric];
    return items.sort((a, b) => {
      if (scores[a] === null || scores[b] === null) return (scores[a] === null) - (scores[b] === null) || a - b;
      return sign * (scores[a] - scores[b]) || a - b;
    });
  }

  function hasWords(item, text, words) {
    const steps = text.d ?? [[0, text.i]];
    const side = (without) => steps.filter(([op]) => op !== without).map(([, part]) => part).join("");
    const all = [index.id[item], text.p, side(2), side(1), text.e ?? "", ...text.r].join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  }

  // Looks through all texts, a chunk at a time, and shows what it has found so far.
  async function search(items, words, mine) {
    const found = [];
    let said = 0;
    for (const item of items) {
      const text = await textOf(item);
      if (mine !== turn) return null;
      if (hasWords(item, text, words)) found.push(item);
      if (performance.now() - said > 250) {
        said = performance.now();
        byId("status").textContent = `Searching … ${found.length.toLocaleString("en")} found so far`;
        await new Promise((done) => setTimeout(done));
      }
    }
    return found;
  }

  async function update() {
    turn += 1;
    const mine = turn;
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const items = words.length && only === null ? await search(matching(), words, mine) : matching();
    if (items === null) return;
    shown = ordered(items);
    page = 0;
    await render();
  }

  async function render() {
    const mine = turn;
    const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const items = shown.slice(page * PER_PAGE, (page + 1) * PER_PAGE);
    const texts = await Promise.all(items.map(textOf));
    if (mine !== turn) return;
    byId("list").replaceChildren(...items.map((item, place) => card(item, texts[place])));
    const failed = shown.filter((item) => index.state[item] === 2).length;
    const count = (number) => number.toLocaleString("en");
    const status = `${count(shown.length)} of ${count(index.run.length)} samples` + (failed ? `, ${count(failed)} of them failed` : "");
    byId("status").replaceChildren(status);
    if (only !== null) {
      byId("status").append(` · only ${index.id[only]} `, button("show all", () => { only = null; return update(); }));
    }
    byId("pages").hidden = pages < 2;
    byId("page").max = pages;
    byId("page").value = page + 1;
    byId("of").textContent = `of ${count(pages)}`;
    for (const id of ["first", "previous"]) byId(id).disabled = page === 0;
    for (const id of ["next", "last"]) byId(id).disabled = page === pages - 1;
  }

  function button(name, action) {
    const made = element("button", { type: "button", className: "plain", textContent: name });
    made.addEventListener("click", action);
    return made;
  }

  function card(item, text) {
    const head = element("header", {},
      element("h3", { textContent: `${index.datasets[index.dataset[item]]} · ${index.id[item]}` }));
    if (index.runs.length > 1) head.append(element("span", { textContent: index.runs[index.run[item]] }));
    head.append(element("span", { textContent: STATES[index.state[item]] }));
    if (only === null) head.append(button("all outputs", () => { only = item; return update(); }));
    const measured = scores(item);
    head.append(element("span", { className: "scores" }, ...measured.slice(0, IN_HEAD)));
    const prompt = element("p", { className: "prompt", textContent: `Prompt ${index.prompt[item]}: ${text.p}` });
    const made = element("article", {}, head, prompt);
    if (text.e !== undefined) {
      made.append(element("p", { className: "failure", textContent: `Failed: ${text.e}` }));
      made.append(element("p", { className: "text", textContent: text.i }));
    } else {
      made.append(element("p", { className: "text" }, ...text.d.map(step)));
      made.append(folded("Input and output", [side(text, 2), side(text, 1)]));
    }
    if (measured.length > IN_HEAD) {
      made.append(element("details", {},
        element("summary", { textContent: `All scores (${measured.length})` }),
        element("p", { className: "scores" }, ...scores(item))));
    }
    if (text.r.length) made.append(folded(`References (${text.r.length})`, text.r));
    if (text.x) made.append(folded(`Documents (${text.x.length})`, text.x));
    return made;
  }

  function scores(item) {
    return index.metrics.flatMap((name, place) => {
      const value = index.scores[place][item];
      return value === null ? [] : [element("span", {}, `${name} `, element("b", { textContent: value.toFixed(1) }))];
    });
  }

  function step([op, text]) {
    return op === 0 ? text : element(op === 1 ? "del" : "ins", { textContent: text });
  }

  function side(text, without) {
    return text.d.filter(([op]) => op !== without).map(([, part]) => part).join("");
  }

  function folded(name, texts) {
    return element("details", {},
      element("summary", { textContent: name }),
      element("ol", {}, ...texts.map((text) => element("li", { textContent: text }))));
  }

  function turnTo(number) {
    page = number;
    return render().then(() => byId("samples").scrollIntoView());
  }

  async function start() {
    if (typeof DecompressionStream === "undefined") {
      byId("status").textContent = "This browser is too old to unpack the samples: it needs DecompressionStream (2023).";
      return;
    }
    index = await inflated("index");
    if (!index.run.length) {
      byId("status").textContent = "There are no samples.";
      return;
    }
    fillFilter();
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
    byId("filter").addEventListener("change", (event) => {
      only = null;
      if (event.target.id !== "search") update();
    });
    let waiting = 0;
    byId("search").addEventListener("input", () => {
      clearTimeout(waiting);
      only = null;
      waiting = setTimeout(update, 250);
    });
    byId("first").addEventListener("click", () => turnTo(0));
    byId("previous").addEventListener("click", () => turnTo(page - 1));
    byId("next").addEventListener("click", () => turnTo(page + 1));
    byId("last").addEventListener("click", () => turnTo(Infinity));
    byId("page").addEventListener("change", (event) => turnTo(Number(event.target.value) - 1));
    await update();
  }

  start().catch((error) => { byId("status").textContent = `The samples could not be shown: ${error.message}`; });
})();
