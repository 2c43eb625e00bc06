"""`redraft quality`: how good a text is, and how true to another."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from redraft.cli.frame import console, note, put, put_json
from redraft.cli.models import weights_progress
from redraft.cli.options import File, Json, MarkUp, format_of, reading_settings
from redraft.errors import InputError
from redraft.models import Models
from redraft.models.weights import EMBEDDING, SCORING, ensure
from redraft.quality import EmbeddedQuality, GrammarFinding, Quality
from redraft.settings import Settings
from redraft.text import Format, language, read_text

_AROUND = 30


def quality(
    file: File,
    original: Annotated[str | None, typer.Option(metavar="FILE", help="The text before revision.")] = None,
    format: MarkUp = None,
    json: Json = False,
) -> None:
    """Score a text without a reference: perplexity, grammar, and with --original likelihood and meaning."""
    settings = reading_settings(None, format)
    if file == "-" and original == "-":
        raise InputError("only one of the two texts can come from standard input")
    text = read_text(file)
    before = None if original is None else read_text(original)
    if language(text) not in ("en", None):
        note("warning: grammar and meaning are measured for English, and the text looks otherwise", "yellow")
    marked = format_of(settings, text, file)
    found, old = asyncio.run(_score(settings, text, before, marked))
    if json:
        put_json(found.to_dict() | ({} if old is None else {"original": old.to_dict()}))
    else:
        _show(found, old, text)


async def _score(
    settings: Settings, text: str, before: str | None, format: Format
) -> tuple[Quality, Quality | None]:
    """The scores of the text, and those of the original alone where there is one."""
    with weights_progress() as progress:
        ensure(SCORING, settings.weights(), progress)
        if before is not None:
            ensure(EMBEDDING, settings.weights(), progress)
    async with Models(settings) as models:
        scorer = EmbeddedQuality(models.scorer(), models.embedder(), format=format)
        with console().status("scoring"):
            if before is None:
                return (await scorer.score([text]))[0], None
            (found,) = await scorer.score([text], [before])
            return found, (await scorer.score([before]))[0]


def _show(found: Quality, old: Quality | None, text: str) -> None:
    fluent = f"the original's is {old.perplexity:.1f}; " if old else ""
    clean = f"the original's is {old.grammar:.1f}; " if old else ""
    _row("perplexity", found.perplexity, f"{fluent}lower is more fluent", 1)
    _row("grammar", found.grammar, f"{clean}errors per 100 words, 0 is clean", 1)
    if found.likelihood is not None:
        _row("likelihood", found.likelihood, "per token, given the original; nearer 0 is likelier")
    if found.meaning is not None:
        _row("meaning", found.meaning.similarity, "likeness to the original; 1 is the same")
    if found.entities is not None:
        _row("entities", found.entities, "share of the original's names, dates and numbers still there")
    for change in found.meaning.changes if found.meaning else ():
        put(f"changed     {change}\n")
    for finding in found.findings:
        put(f"{_place(text, finding)}\n")


def _row(name: str, value: float, meaning: str, digits: int = 2) -> None:
    put(f"{name:11} {value:7.{digits}f}  {meaning}\n")


def _place(text: str, finding: GrammarFinding) -> str:
    """A finding with its line's number and the words around it."""
    line = text.count("\n", 0, finding.start) + 1
    before = text[max(0, finding.start - _AROUND) : finding.start].rpartition("\n")[2]
    after = text[finding.end : finding.end + _AROUND].partition("\n")[0]
    shown = " ".join(f"{before}[{text[finding.start : finding.end]}]{after}".split())
    instead = " or ".join(repr(suggestion) for suggestion in finding.suggestions[:3])
    return f"line {line}: … {shown} …  {finding.message}{f' Try {instead}.' if instead else ''}"
