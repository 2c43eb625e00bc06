"""The language server: editors show where a text departs from the house style, and mend it.

What is asked for is the `[house]` of the project that a text belongs to. Editors count columns in units of
UTF-16, unless they prefer others; ours are characters.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec, TextDocument

from redraft import __version__
from redraft.constraints import Constraint, Problem, RightForm, house_constraints
from redraft.errors import RedraftError
from redraft.house import House
from redraft.revision import Inspection, inspect_text
from redraft.settings import load_settings
from redraft.text import TEXT_ENDINGS, Format, Span, guess_format

_FORMATS: Final[dict[str, Format]] = {"markdown": "markdown", "latex": "latex", "tex": "latex"}
_PLAIN: Final = ("plaintext", "text")
_LINE_END: Final = re.compile(r"\r\n?|\n")
_LONGEST: Final = 1_000_000
_PAUSE_S: Final = 0.3
"""How long nobody types before a text is looked at."""
_FIX_ALL: Final = "source.fixAll.redraft"


class Positions:
    """Where characters of a text stand, as an editor counts."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        ends = [match.end() for match in _LINE_END.finditer(text)]
        self._starts = [0, *ends]
        self._lines = [text[start:end] for start, end in zip(self._starts, [*ends, len(text)], strict=True)]
        self._codec = codec

    def range(self, span: Span | None) -> types.Range:
        """A stretch; the first line, where there is none."""
        if span is None:
            span = Span(0, len(self._lines[0].rstrip("\r\n")))
        return types.Range(self._position(span.start), self._position(span.end))

    def _position(self, offset: int) -> types.Position:
        line = bisect_right(self._starts, offset) - 1
        before = self._lines[line][: offset - self._starts[line]]
        return types.Position(line, self._codec.client_num_units(before))

    def span(self, range: types.Range) -> Span:
        """The stretch of an editor's range."""
        return Span(self._offset(range.start), self._offset(range.end))

    def _offset(self, position: types.Position) -> int:
        if position.line >= len(self._lines):
            return self._starts[-1] + len(self._lines[-1])
        found = self._codec.position_from_client_units(self._lines, position)
        return self._starts[position.line] + found.character


@dataclass(frozen=True)
class Inspected:
    """A version of a text, and what was found in it."""

    version: int | None
    found: Inspection
    positions: Positions

    def touched(self, range: types.Range) -> list[Problem]:
        """The problems at a range; those of the whole text are nowhere."""
        asked = self.positions.span(range)
        return [one for one in self.found.problems if one.span and _touch(one.span, asked)]

    @cached_property
    def diagnostics(self) -> list[types.Diagnostic]:
        """All the problems as editors show them."""
        return [self.diagnostic(one) for one in self.found.problems]

    def diagnostic(self, problem: Problem) -> types.Diagnostic:
        """A problem as editors show it."""
        return types.Diagnostic(
            range=self.positions.range(problem.span),
            message=self.found.message(problem),
            severity=types.DiagnosticSeverity.Warning,
            code=problem.finding.constraint.name,
            source="redraft",
        )

    def edit(self, fix: RightForm) -> types.TextEdit:
        """A fix as editors apply it."""
        return types.TextEdit(self.positions.range(fix.span), fix.text)

    def fixes(self, problems: Sequence[Problem]) -> Iterator[RightForm]:
        """What mends these problems; of two that overlap, the first."""
        found = {one for problem in problems if (one := self.found.fix(problem))}
        end = -1
        for one in sorted(found, key=lambda one: (one.span.start, one.span.end)):
            if one.span.start >= end:
                yield one
                end = one.span.end


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


class Server(LanguageServer):
    """A language server that looks at texts when nobody has typed for a moment."""

    def __init__(self) -> None:
        super().__init__("redraft", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self._inspected: dict[str, Inspected] = {}
        self._told: set[str] = set()

    async def look(self, uri: str, pause: float = _PAUSE_S) -> None:
        """Show what is found in a text, unless it changes within the pause."""
        version = self._version(uri)
        await asyncio.sleep(pause)
        if self._version(uri) != version:
            return
        found = await self.inspected(uri, anew=True)
        if self._version(uri) != version:
            return
        diagnostics = found.diagnostics if found else []
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, diagnostics, version=version)
        )

    def _version(self, uri: str) -> int | None:
        """Of a text that is open."""
        document = self.workspace.text_documents.get(uri)
        return None if document is None else document.version

    async def look_again(self) -> None:
        """Look at all texts that are open: the house style may have changed."""
        for uri in list(self.workspace.text_documents):
            await self.look(uri, pause=0)

    async def inspected(self, uri: str, *, anew: bool = False) -> Inspected | None:
        """What is found in a text as it is now; None where it is none of ours, or nothing is asked of it."""
        document = self.workspace.get_text_document(uri)
        known = self._inspected.get(uri)
        if known is not None and known.version == document.version and not anew:
            return known
        self._inspected.pop(uri, None)
        try:
            found = await asyncio.to_thread(_inspect, copy(document), self.workspace.root_path)
        except RedraftError as error:
            self._tell(str(error))
            return None
        if found is not None and found.version == self._version(uri):
            self._inspected[uri] = found
        return found

    def forget(self, uri: str) -> None:
        """A text was closed: nothing is shown of it any more."""
        self._inspected.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _tell(self, problem: str) -> None:
        """Say what is wrong with the settings, each thing once."""
        if problem not in self._told:
            self._told.add(problem)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"redraft: {problem}"))


def _inspect(document: TextDocument, root: str | None) -> Inspected | None:
    """What is found in a document; all that takes time is done here, in a thread."""
    path = Path(document.path) if document.uri.startswith("file:") else None
    text = document.source
    format = _format_of(text, document.language_id, path)
    if format is None or len(text) > _LONGEST:
        return None
    settings = load_settings(directory=path.parent if path else Path(root or "."))
    constraints = _constraints(settings.house.model_dump_json(), settings.origin("house"))
    if not constraints:
        return None
    found = inspect_text(text, constraints, counting=settings.counting, format=format)
    inspected = Inspected(document.version, found, Positions(text, document.position_codec))
    inspected.diagnostics  # noqa: B018 - kept from now on
    return inspected


def _format_of(text: str, language: str | None, path: Path | None) -> Format | None:
    """The mark-up of a text; None where it is code, say."""
    if found := _FORMATS.get(language or ""):
        return found
    if language in _PLAIN or (path and path.suffix.lower() in TEXT_ENDINGS):
        return guess_format(text, path.name if path else None)
    return None


@lru_cache(maxsize=8)
def _constraints(house: str, where: str) -> tuple[Constraint, ...]:
    """What a house style asks of a text by itself."""
    found = house_constraints(House.model_validate_json(house), where)
    return tuple(one for one in found if not one.needs_original)


def build_server() -> Server:
    """A server with all that it can do."""
    server = Server()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await server.look(params.text_document.uri, pause=0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        await server.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        if params.text_document.uri.endswith(".toml"):
            await server.look_again()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        await server.look_again()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        found = await server.inspected(params.text_document.uri)
        here = types.Range(params.position, params.position)
        problems = found.touched(here) if found else []
        if not found or not problems:
            return None
        said = "\n\n".join(f"{one.finding.constraint}\n{one.finding.message}" for one in problems)
        # Plain, so that nothing in a text is taken for mark-up.
        shown = types.MarkupContent(types.MarkupKind.PlainText, said)
        return types.Hover(shown, found.positions.range(problems[0].span))

    actions = types.CodeActionOptions([types.CodeActionKind.QuickFix, _FIX_ALL])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, actions)
    async def mend(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, only = params.text_document.uri, params.context.only
        found = await server.inspected(uri)
        return [] if found is None else list(_actions(uri, found, params.range, only))

    return server


def _actions(
    uri: str, found: Inspected, range: types.Range, only: Sequence[str] | None
) -> Iterator[types.CodeAction]:
    """A quick fix for each problem at a range that has one, and one for all of the text."""
    for problem in found.touched(range) if _wants(only, types.CodeActionKind.QuickFix) else ():
        if fix := found.found.fix(problem):
            yield types.CodeAction(
                f"Write “{fix.text}”",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[found.diagnostic(problem)],
                is_preferred=True,
                edit=types.WorkspaceEdit({uri: [found.edit(fix)]}),
            )
    fixes = list(found.fixes(found.found.problems)) if _wants(only, _FIX_ALL) else []
    if fixes:
        yield types.CodeAction(
            "Fix all of house style",
            kind=_FIX_ALL,
            edit=types.WorkspaceEdit({uri: [found.edit(fix) for fix in fixes]}),
        )


def _wants(only: Sequence[str] | None, kind: str) -> bool:
    """Whether an editor asks for actions of a kind: `source` means all whose kinds begin with it."""
    return not only or any(kind == one or kind.startswith(f"{one}.") for one in only)


def serve_stdio() -> None:
    """Serve one editor; nothing but the protocol goes to standard output."""
    out: Any = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    build_server().start_io(stdout=out)
