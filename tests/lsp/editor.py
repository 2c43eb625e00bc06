"""A scripted editor: it starts `redraft lsp`, and says and hears what editors do."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Self

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_PATIENCE_S = 120


class Editor:
    """An editor with a folder open; a context, which ends the server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._client = LanguageClient("editor", "1")
        self._loop = asyncio.new_event_loop()
        self._heard: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: list[str] = []
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}

        @self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def heard(found: types.PublishDiagnosticsParams) -> None:
            self._heard.put_nowait(found)

        @self._client.feature(types.WINDOW_SHOW_MESSAGE)
        def told(said: types.ShowMessageParams) -> None:
            self.messages.append(said.message)

    def __enter__(self) -> Self:
        self._run(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._stop())
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(work, _PATIENCE_S))

    async def _start(self) -> None:
        await self._client.start_io(sys.executable, "-m", "redraft", "lsp", cwd=self._folder)
        params = types.InitializeParams(types.ClientCapabilities(), root_uri=self._folder.as_uri())
        self.capabilities = (await self._client.initialize_async(params)).capabilities
        self._client.initialized(types.InitializedParams())

    async def _stop(self) -> None:
        await self._client.shutdown_async(None)
        self._client.exit(None)
        await self._client.stop()

    def uri(self, name: str) -> str:
        """The address of a file in the folder."""
        return (self._folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "markdown") -> list[types.Diagnostic]:
        """Open a text; what is shown then."""
        self.texts[name], self._versions[name] = text, 1
        item = types.TextDocumentItem(self.uri(name), language, 1, text)
        self._tell("text_document_did_open", types.DidOpenTextDocumentParams(item))
        return self.shown(name)

    def change(self, name: str, *texts: str) -> list[types.Diagnostic]:
        """Type; what is shown once nobody types any more."""
        for text in texts:
            self.texts[name] = text
            self._versions[name] += 1
            named = types.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name))
            whole = types.TextDocumentContentChangeWholeDocument(text)
            self._tell("text_document_did_change", types.DidChangeTextDocumentParams(named, [whole]))
        return self.shown(name)

    def save(self, name: str) -> None:
        """Save a file."""
        saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(name)))
        self._tell("text_document_did_save", saved)

    def close(self, name: str) -> None:
        """Close a text."""
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri(name)))
        self._tell("text_document_did_close", closed)

    def _tell(self, method: str, params: Any) -> None:
        async def tell() -> None:
            getattr(self._client, method)(params)

        self._run(tell())

    def shown(self, name: str) -> list[types.Diagnostic]:
        """What is shown next of a text."""

        async def hear() -> list[types.Diagnostic]:
            while True:
                found = await self._heard.get()
                if found.uri == self.uri(name):
                    assert found.version in (self._versions[name], None)
                    return list(found.diagnostics)

        return self._run(hear())

    def hover(self, name: str, line: int, character: int) -> str | None:
        """What is said at a place."""
        named = types.TextDocumentIdentifier(self.uri(name))
        params = types.HoverParams(named, types.Position(line, character))
        found = self._run(self._client.text_document_hover_async(params))
        return None if found is None else found.contents.value

    def actions(self, name: str, place: types.Range, only: list[str] | None = None) -> list[types.CodeAction]:
        """What can be done at a place."""
        context = types.CodeActionContext([], only=only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(self.uri(name)), place, context)
        return list(self._run(self._client.text_document_code_action_async(params)))

    def applied(self, name: str, action: types.CodeAction) -> str:
        """The text after an action, by the rules of the protocol: columns are UTF-16."""
        assert action.edit is not None
        assert action.edit.changes is not None
        lines = self.texts[name].encode("utf-16-le").split("\n".encode("utf-16-le"))
        edits = action.edit.changes[self.uri(name)]
        for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character))[::-1]:
            start, end = edit.range.start, edit.range.end
            assert start.line == end.line
            line = lines[start.line]
            put = edit.new_text.encode("utf-16-le")
            lines[start.line] = line[: 2 * start.character] + put + line[2 * end.character :]
        return "\n".encode("utf-16-le").join(lines).decode("utf-16-le")
