// A value that parts of the page watch, with undo and redo for what a person did.

import { Component, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";

export function createStore(value) {
  const watchers = new Set();
  return {
    get: () => value,
    set(change) {
      const next = typeof change === "function" ? change(value) : { ...value, ...change };
      if (next === value) return;
      value = next;
      for (const watcher of [...watchers]) watcher();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/** A part of a store's value; the component is drawn again when that part is another. */
export function useStore(store, select = (value) => value) {
  const [, redraw] = useState(0);
  const selected = select(store.get());
  const seen = useRef(selected);
  seen.current = selected;
  const how = useRef(select);
  how.current = select;
  useLayoutEffect(() => {
    const look = () => how.current(store.get()) !== seen.current && redraw((count) => count + 1);
    look();
    return store.watch(look);
  }, [store]);
  return selected;
}

/** A component that is drawn again only where one of its properties is another: long texts have thousands. */
export function memo(render) {
  return class extends Component {
    shouldComponentUpdate(next) {
      const before = this.props;
      for (const name in next) if (next[name] !== before[name]) return true;
      for (const name in before) if (!(name in next)) return true;
      return false;
    }
    render(properties) {
      return render(properties);
    }
  };
}

const SAME_STROKE_MS = 1200;
const DEEPEST = 200;

/** Steps back and forth; steps with the same key in quick succession, as in typing, are one. */
export function createHistory() {
  let past = [];
  let future = [];
  let last = { key: null, at: 0 };
  return {
    keep(value, key) {
      const now = Date.now();
      const goesOn = key && key === last.key && now - last.at < SAME_STROKE_MS;
      last = { key, at: now };
      future = [];
      if (!goesOn) past = [...past.slice(1 - DEEPEST), value];
    },
    undo(value) {
      if (!past.length) return null;
      const before = past[past.length - 1];
      past = past.slice(0, -1);
      future = [...future, value];
      last = { key: null, at: 0 };
      return before;
    },
    redo(value) {
      if (!future.length) return null;
      const next = future[future.length - 1];
      future = future.slice(0, -1);
      past = [...past, value];
      return next;
    },
    clear() {
      past = [];
      future = [];
      last = { key: null, at: 0 };
    },
    get depth() {
      return { past: past.length, future: future.length };
    },
  };
}
