// Sets the colours before the first paint; a module would come too late for that.
"use strict";
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("redraft.theme");
  } catch {
    // Storage is switched off: the system's colours, then.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
