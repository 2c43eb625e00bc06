"use strict";
(() => {
  const sheet = document.body.dataset.sheet;
  const columns = document.body.dataset.columns.split(",");
  const ticks = document.body.dataset.ticks.split(",").filter(Boolean);
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
  const boxes = (article, column) => [...article.querySelectorAll(`input[data-column=${column}]`)];
  const ticked = (article, column) => boxes(article, column).filter((box) => box.checked).map((box) => box.value).join("; ");
  const scoreOf = (article) => article.querySelector("input[type=radio]:checked")?.value ?? "";
  const commentOf = (article) => article.querySelector("textarea").value;
  const setScore = (article, score) => {
    for (const input of article.querySelectorAll("input[type=radio]")) input.checked = input.value === score;
  };

  const setTicks = (article, column, names) => {
    const known = String(names).split(/[;,]/).map((name) => name.trim().toLowerCase());
    for (const box of boxes(article, column)) box.checked = known.includes(box.value);
  };
  // As sheet_forms.py reads them: what is wrong goes with a low score, and a low score with what is wrong.
  function doubt(article) {
    const score = Number(scoreOf(article)), wrong = ticks.some((column) => ticked(article, column));
    if (!score || !ticks.length) return "";
    if (ticks.includes("safety") && ticked(article, "safety") && score !== 1) return "What is unsafe is scored 1.";
    if (wrong && score > 2) return "A text with an error is scored 1 or 2.";
    return !wrong && score < 3 ? "Name what is wrong: a score of 1 or 2 needs an error." : "";
  }

  function tell() {
    const done = articles.filter(scoreOf).length;
    element("told").textContent = `${done} of ${articles.length} scored${done === articles.length ? ": done, download the file" : ""}`;
    element("progress").value = done;
  }

  function save() {
    const kept = {};
    for (const article of articles) {
      const given = [scoreOf(article), commentOf(article), ...ticks.map((column) => ticked(article, column))];
      if (given.some(Boolean)) kept[article.dataset.id] = given;
    }
    try {
      localStorage.setItem(store, JSON.stringify({ current, kept }));
      unsaved = false;
      warn(doubt(articles[current]));
    } catch {
      unsaved = true;
      warn("This browser does not keep what you do: download the CSV before you leave.");
    }
    tell();
  }

  function take(kept) {
    for (const [id, [score, comment, ...names]] of Object.entries(kept)) {
      if (!byId[id]) continue;
      setScore(byId[id], String(score));
      byId[id].querySelector("textarea").value = String(comment);
      ticks.forEach((column, at) => setTicks(byId[id], column, names[at] ?? ""));
    }
  }

  function show(place, focus = true) {
    current = Math.max(0, Math.min(articles.length - 1, place));
    articles.forEach((article, at) => { article.hidden = at !== current; });
    if (!unsaved) warn(doubt(articles[current]));
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
    const given = { id: (article) => article.dataset.id, score: scoreOf, comment: commentOf };
    for (const column of ticks) given[column] = (article) => ticked(article, column);
    const shown = (column) => (article) => article.querySelector(`blockquote[data-column=${column}]`).textContent;
    const rows = articles.map((article) => columns.map((column) => (given[column] ?? shown(column))(article)));
    return "\ufeff" + [columns, ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
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
    const [id, score, comment, ...named] = ["id", "score", "comment", ...ticks].map((name) => names.map((each) => each.trim().toLowerCase()).indexOf(name));
    const known = rows.filter((row) => byId[uncell(row[id] ?? "")]);
    if (!known.length) return warn("That file holds no scores of this sheet.");
    warn("");
    take(Object.fromEntries(known.map((row) => [uncell(row[id]), [(row[score] ?? "").trim(), uncell(row[comment] ?? ""), ...named.map((at) => row[at] ?? "")]])));
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
      if (!ticks.length) show(current + 1);
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
