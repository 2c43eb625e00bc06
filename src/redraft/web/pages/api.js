// Talks to the server: JSON over fetch, errors as problem+json, and server-sent events.

/** An answer that is no success: `status`, `title` and `detail` as the server told them. */
export class Problem extends Error {
  constructor(status, body, retryAfter = null) {
    super(body.detail || body.title || `The server answered ${status}.`);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** What to tell a person of an error. */
export function told(error) {
  if (error.status === 401) return "This server asks for its token. Sign in, and the page goes on.";
  if (error.status === 429) {
    const wait = error.retryAfter ? ` Try again in ${error.retryAfter} seconds.` : " Try again in a moment.";
    return `The server has too much to do.${wait}`;
  }
  if (error instanceof Problem || !(error instanceof TypeError)) return error.message;
  return "The server cannot be reached. Your work stays here, and is kept as soon as it answers again.";
}

async function send(method, path, { body, headers = {}, signal, keepalive } = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    headers: { Accept: "application/json", ...(body && !isForm ? { "Content-Type": "application/json" } : {}), ...headers },
    body: body === undefined || isForm ? body : JSON.stringify(body),
    signal,
    keepalive,
    credentials: "same-origin",
  });
  const isJson = (response.headers.get("Content-Type") || "").includes("json");
  const answer = isJson ? await response.json() : null;
  if (!response.ok) throw new Problem(response.status, answer || {}, response.headers.get("Retry-After"));
  return answer;
}

export const get = (path, options) => send("GET", path, options);
export const post = (path, body, options) => send("POST", path, { ...options, body });
export const put = (path, body, options) => send("PUT", path, { ...options, body });
export const remove = (path, options) => send("DELETE", path, options);

/** A file to take away, with the name that the server gives it. */
export async function getFile(path) {
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") || "") || [null, "text"];
  return { file: await response.blob(), name: decodeURIComponent(name) };
}

/** Ask the newest question only: an older one that is still on its way is given up. */
export function latest(ask) {
  let controller = null;
  return async (...values) => {
    controller?.abort();
    const own = (controller = new AbortController());
    try {
      return await ask(own.signal, ...values);
    } catch (error) {
      if (own.signal.aborted) return undefined;
      throw error;
    }
  };
}

/** Call after a pause; the last call counts. `flush` calls at once what waits. */
export function debounced(act, milliseconds) {
  let timer = 0;
  let waiting = null;
  const run = () => {
    clearTimeout(timer);
    const values = waiting;
    waiting = null;
    return values ? act(...values) : undefined;
  };
  const call = (...values) => {
    waiting = values;
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
  call.flush = run;
  call.cancel = () => {
    clearTimeout(timer);
    waiting = null;
  };
  return call;
}

/** Call at once, and then not more often than every so many milliseconds; the last call is never lost. */
export function throttled(act, milliseconds) {
  let timer = 0;
  let isWanted = false;
  const rest = () => {
    timer = setTimeout(() => {
      timer = 0;
      if (!isWanted) return;
      isWanted = false;
      act();
      rest();
    }, milliseconds);
  };
  return () => {
    if (timer) {
      isWanted = true;
      return;
    }
    act();
    rest();
  };
}

/**
 * Listen to a stream of events while the page is seen; a page in the background holds no connection (a browser
 * has six for a server, over all tabs), and hears of what it missed when it comes back.
 */
export function listen(path, handlers, onReturn = () => {}) {
  let source = null;
  let lastId = "";
  const open = () => {
    if (source || document.hidden) return;
    // A source that is opened anew cannot send the header by which it resumes; the address can.
    source = new EventSource(lastId ? `${path}?after=${encodeURIComponent(lastId)}` : path);
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        lastId = event.lastEventId || lastId;
        handle(event.data ? JSON.parse(event.data) : {});
      });
    }
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const turn = () => {
    if (document.hidden) {
      close();
    } else if (!source) {
      open();
      onReturn();
    }
  };
  document.addEventListener("visibilitychange", turn);
  open();
  return () => {
    document.removeEventListener("visibilitychange", turn);
    close();
  };
}

/** All that was said on a stream that has ended: [{name, data}]. */
export async function said(path) {
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok) return [];
  const blocks = (await response.text()).split(/\n\n/);
  return blocks.flatMap((block) => {
    const fields = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
    return fields.event && fields.data ? [{ name: fields.event, data: JSON.parse(fields.data) }] : [];
  });
}
