"use strict";
(() => {
  const sheet = document.body.dataset.sheet;
  const store = `redraft-sheet-${sheet}`;
  const articles = [...document.querySelectorAll("article")];
  const byId = Object.fromEntries(articles.map((article) => [article.dataset.id, article]));
  const element = (id) => document.getElementById(id);
  let current = 0;
  let unsaved = false;

  const warn = (text) => {
    element("warning").textContent = text;
    element("warning").hidden = !text;
  };
  const textOf = (article, kind) => article.querySelector(`.${kind}`).textContent;
  const scoreOf = (article) => article.querySelector("input:checked")?.value ?? "";
  const commentOf = (article) => article.querySelector("textarea").value;
  const setScore = (article, score) => {
    for (const input of article.querySelectorAll("input")) input.checked = input.value === score;
  };

  function tell() {
    const done = articles.filter(scoreOf).length;
    element("told").textContent = `${done} of ${articles.length} scored${done === articles.length ? ": done, download the file" : ""}`;
    element("progress").value = done;
  }

  function save() {
    const kept = {};
    for (const article of articles) {
      const score = scoreOf(article), comment = commentOf(article);
      if (score || comment) kept[article.dataset.id] = [score, comment];
    }
    try {
      localStorage.setItem(store, JSON.stringify({ current, kept }));
      unsaved = false;
    } catch {
      unsaved = true;
      warn("This browser does not keep what you do: download the CSV before you leave.");
    }
    tell();
  }

  function take(kept) {
    for (const [id, [score, comment]] of Object.entries(kept)) {
      if (!byId[id]) continue;
      setScore(byId[id], String(score));
      byId[id].querySelector("textarea").value = String(comment);
    }
  }

  function show(place, focus = true) {
    current = Math.max(0, Math.min(articles.length - 1, place));
    articles.forEach((article, at) => { article.hidden = at !== current; });
    element("back").disabled = current === 0;
    element("on").disabled = current === articles.length - 1;
    if (focus) articles[current].querySelector("h2").focus({ preventScroll: true });
  }

  function toUnscored() {
    const order = [...articles.keys()].map((step) => (current + 1 + step) % articles.length);
    const next = order.find((at) => !scoreOf(articles[at]));
    if (next !== undefined) show(next);
  }

  // As cells.py writes them: an apostrophe before what a spreadsheet would run.
  const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
  const cell = (text) => `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const uncell = (text) => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);

  function csv() {
    const rows = articles.map((article) => [
      article.dataset.id, textOf(article, "source"), textOf(article, "simplification"), scoreOf(article), commentOf(article),
    ]);
    return "\ufeff" + [["id", "source", "simplification", "score", "comment"], ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
  }

  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv;charset=utf-8" }));
    link.download = `sheet-${sheet}-scored.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    unsaved = false;
  }

  function parsed(text) {
    const head = text.slice(0, (text + "\n").indexOf("\n"));
    const mark = [",", ";", "\t"].find((each) => head.includes(each)) ?? ",";
    const rows = [[]];
    let value = "", quoted = false;
    const close = () => { rows.at(-1).push(value); value = ""; };
    for (let at = 0; at < text.length; at++) {
      const char = text[at];
      if (quoted && char === '"' && text[at + 1] === '"') { value += '"'; at++; }
      else if (char === '"') quoted = !quoted;
      else if (!quoted && char === mark) close();
      else if (!quoted && char === "\n") { close(); rows.push([]); }
      else if (quoted || char !== "\r") value += char;
    }
    close();
    return rows;
  }

  async function upload() {
    const [names, ...rows] = parsed((await element("upload").files[0].text()).replace(/^\ufeff/, ""));
    const [id, score, comment] = ["id", "score", "comment"].map((name) => names.map((each) => each.trim().toLowerCase()).indexOf(name));
    const known = rows.filter((row) => byId[uncell(row[id] ?? "")]);
    if (!known.length) return warn("That file holds no scores of this sheet.");
    warn("");
    take(Object.fromEntries(known.map((row) => [uncell(row[id]), [(row[score] ?? "").trim(), uncell(row[comment] ?? "")]])));
    save();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.tagName === "TEXTAREA";
    if (typing) {
      if (event.key === "Escape") articles[current].querySelector("h2").focus();
      return;
    }
    if (/^[1-5]$/.test(event.key)) {
      setScore(articles[current], event.key);
      show(current + 1);
      save();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (event.target.type === "radio") return; // there the arrows choose a score, as everywhere
      show(current + (event.key === "ArrowLeft" ? -1 : 1));
    }
    else if (event.key.toLowerCase() === "u") toUnscored();
    else if (event.key.toLowerCase() === "c") articles[current].querySelector("textarea").focus();
    else return;
    event.preventDefault();
  });
  document.querySelector("main").addEventListener("input", save);
  element("back").addEventListener("click", () => show(current - 1));
  element("on").addEventListener("click", () => show(current + 1));
  element("unscored").addEventListener("click", toUnscored);
  element("download").addEventListener("click", download);
  element("upload").addEventListener("change", upload);
  window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });

  try {
    const found = JSON.parse(localStorage.getItem(store) ?? "null");
    if (found) { take(found.kept); current = found.current; }
  } catch { /* nothing was kept, or it cannot be read: begin anew */ }
  show(current, false);
  tell();
})();
