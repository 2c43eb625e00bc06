"use strict";
// The page holds every node already; this shows one of them beside the tree.
(() => {
  const panel = document.getElementById("panel");
  const links = new Map();
  for (const link of document.querySelectorAll("#tree .node")) links.set(link.dataset.node, link);
  if (!links.size) return;
  document.getElementById("hint").hidden = false;

  let chosen = null;

  function choose(id, moves) {
    const link = links.get(id);
    const article = document.getElementById(`node-${id}`);
    if (!link || !article) return;
    if (chosen) links.get(chosen).classList.remove("chosen");
    chosen = id;
    link.classList.add("chosen");
    const copy = article.cloneNode(true);
    copy.removeAttribute("id");
    panel.replaceChildren(copy);
    panel.hidden = false;
    panel.scrollTop = 0;
    if (moves) {
      link.focus({ preventScroll: true });
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  for (const [id, link] of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      choose(id, false);
    });
  }

  // Left and right go a step nearer to the original or away from it, up and down stay at the same distance.
  const place = (link) => {
    const circle = link.querySelector("circle");
    return [Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))];
  };

  function neighbour(id, key) {
    const [x, y] = place(links.get(id));
    let found = null;
    let nearest = Infinity;
    for (const [other, link] of links) {
      const [a, b] = place(link);
      const isThere =
        key === "ArrowLeft" ? a < x : key === "ArrowRight" ? a > x : a === x && (key === "ArrowUp" ? b < y : b > y);
      const distance = Math.abs(a - x) * 1000 + Math.abs(b - y);
      if (isThere && distance < nearest) [found, nearest] = [other, distance];
    }
    return found;
  }

  document.getElementById("drawing").addEventListener("keydown", (event) => {
    if (!chosen || !event.key.startsWith("Arrow")) return;
    const next = neighbour(chosen, event.key);
    if (next === null) return;
    event.preventDefault();
    choose(next, true);
  });

  const path = document.querySelectorAll("#tree .node.best");
  if (path.length) {
    const best = path[path.length - 1];
    choose(best.dataset.node, false);
    const drawing = document.getElementById("drawing");
    const [x, y] = place(best);
    drawing.scrollTo(x - drawing.clientWidth / 2, y - drawing.clientHeight / 2);
  }
})();
