"""A Chromium without a window, for tests of pages: told what to do over two pipes, in its DevTools protocol."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PROGRAM = os.environ.get("REDRAFT_TEST_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(
    not PROGRAM or os.name != "posix",
    reason="needs a Chromium: apt-get install chromium (or REDRAFT_TEST_BROWSER=PATH)",
)
_FLAGS = """
    headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-sync
    disable-component-update disable-dev-shm-usage remote-debugging-pipe
"""
# The browser reads from 3 and writes to 4; `subprocess` cannot give a child other numbers than its own.
_START = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
_PATIENCE_S = 60
_KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Escape": 27, "Enter": 13}


class Browser:
    """The browser: opens pages, each with a storage of its own, and keeps what they complain about."""

    def __init__(self, read: int, write: int) -> None:
        self.faults: dict[str, list[str]] = {}
        self._read, self._write = read, write
        self._number = 0
        self._buffer = b""
        self._events: list[dict[str, Any]] = []

    def open(self, file: Path, downloads: Path | None = None) -> Page:
        """A page in a new tab that knows nothing of the others."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        if downloads:
            self.call(
                "Browser.setDownloadBehavior",
                behavior="allow",
                browserContextId=context,
                downloadPath=str(downloads),
                eventsEnabled=True,
            )
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, file.as_uri())
        for domain in ("Page", "Runtime", "Log"):
            page.call(f"{domain}.enable")
        page.call("Page.setLifecycleEventsEnabled", enabled=True)
        page.load()
        return page

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """What the browser answers."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                found: dict[str, Any] = answer["result"]
                return found
            self._events.append(answer)

    def wait(self, method: str, **expected: Any) -> dict[str, Any]:
        """The next event of a name, with parameters as expected."""
        while True:
            event = self._events.pop(0) if self._events else self._next()
            parameters: dict[str, Any] = event.get("params", {})
            if event.get("method") == method and expected.items() <= parameters.items():
                return parameters

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], _PATIENCE_S)
            assert ready, "the browser says nothing"
            more = os.read(self._read, 1 << 16)
            assert more, "the browser has ended"
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if fault := _fault(message.get("method"), message.get("params", {})):
            self.faults.setdefault(message.get("sessionId", ""), []).append(fault)
        return message


def _fault(method: str | None, said: dict[str, Any]) -> str | None:
    """An error, what the page's own policy refused, or a dialog, which no page of ours opens."""
    if method == "Runtime.exceptionThrown":
        return json.dumps(said["exceptionDetails"])
    if method == "Runtime.consoleAPICalled" and said["type"] == "error":
        return json.dumps(said["args"])
    if method == "Log.entryAdded" and said["entry"]["level"] == "error":
        return str(said["entry"]["text"])
    if method == "Page.javascriptDialogOpening":
        return f"a dialog: {said['message']}"
    return None


class Page:
    """A page, as a person uses it."""

    def __init__(self, browser: Browser, session: str, url: str) -> None:
        self._browser, self._session, self._url = browser, session, url

    @property
    def faults(self) -> list[str]:
        """What went wrong in it so far."""
        self.value("null")  # whatever it said before has been read by then
        return self._browser.faults.get(self._session, [])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def load(self) -> None:
        """Load the page, or load it again, and wait until it is there."""
        loader = self.call("Page.navigate", url=self._url)["loaderId"]
        self._browser.wait("Page.lifecycleEvent", name="load", loaderId=loader)

    def value(self, expression: str) -> Any:
        """What a JavaScript expression is in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, userGesture=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait for an expression to become true."""
        end = time.monotonic() + _PATIENCE_S
        while not self.value(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            code = _KEYS.get(key) or ord(key.upper())
            known = {"key": key, "windowsVirtualKeyCode": code} | ({} if key in _KEYS else {"text": key})
            self.call("Input.dispatchKeyEvent", type="keyDown", **known)
            self.call("Input.dispatchKeyEvent", type="keyUp", **known)

    def write(self, text: str) -> None:
        """Type a text where the cursor is."""
        self.call("Input.insertText", text=text)

    def choose(self, selector: str, file: Path) -> None:
        """Choose a file to upload."""
        element = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.call("DOM.setFileInputFiles", files=[str(file)], objectId=element["result"]["objectId"])

    def download(self, click: str) -> str:
        """Click, and wait for the file; its name."""
        self.value(f"document.querySelector({json.dumps(click)}).click()")
        name: str = self._browser.wait("Browser.downloadWillBegin")["suggestedFilename"]
        self._browser.wait("Browser.downloadProgress", state="completed")
        return name


@contextmanager
def running(profile: Path) -> Iterator[Browser]:
    """A browser, with an empty folder for what it keeps; ended on leaving."""
    assert PROGRAM
    theirs, write = os.pipe()
    read, answers = os.pipe()
    command = [
        sys.executable,
        "-c",
        _START,
        str(theirs),
        str(answers),
        PROGRAM,
        *(f"--{flag}" for flag in _FLAGS.split()),
    ]
    process = subprocess.Popen(
        [*command, f"--user-data-dir={profile}"],
        pass_fds=(theirs, answers),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    os.close(answers)
    browser = Browser(read, write)
    try:
        yield browser
        browser.call("Browser.close")
        process.wait(_PATIENCE_S)
    finally:
        os.close(write)
        os.close(read)
        process.kill()
        process.wait()
