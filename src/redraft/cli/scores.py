"""`redraft score` and `quality`: metrics against references, and how good a text is without one."""

from __future__ import annotations

import asyncio
import json as json_module
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from redraft.cli.console import note, put, put_json, visible
from redraft.cli.models import weights_progress
from redraft.cli.options import (
    Counting,
    File,
    Json,
    MarkUp,
    NoCache,
    format_of,
    read_pair,
    settings_from,
    warn_unless_english,
)
from redraft.cli.runs import counted
from redraft.errors import InputError
from redraft.metrics import NORMALISATIONS, score as score_texts
from redraft.models import EMBEDDING, SCORING, Models, ensure
from redraft.quality import GrammarFinding, Quality, open_quality
from redraft.settings import Settings
from redraft.text import Format, read_text

Metrics = Annotated[list[str], typer.Argument(metavar="METRIC...", help="sari, gleu, bleu, em, rouge1, …")]


def score(
    metrics: Metrics,
    predictions: Annotated[str, typer.Option(metavar="FILE", help="The edited texts; - is standard input.")],
    sources: Annotated[str | None, typer.Option(metavar="FILE", help="The texts before editing.")] = None,
    references: Annotated[
        list[str] | None, typer.Option(metavar="FILE...", help="Edits by people; several files or one JSONL.")
    ] = None,
    calls: Annotated[
        str | None, typer.Option(metavar="FILE", help="JSONL: the calls each text must meet.")
    ] = None,
    counting: Counting = None,
    normalisation: Annotated[str, typer.Option(help=f"{' or '.join(NORMALISATIONS)}.")] = "none",
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap resamples; 0 for no interval.")] = 1000,
    json: Json = False,
) -> None:
    """Score edited texts against their sources and references.

    A plain file has one text a line; a .jsonl file has one JSON value a line: a string, a list of strings
    (references), or an object with the key `text`, or named like the option (`source`, `prediction`, …).
    """
    if [predictions, sources, calls, *(references or [])].count("-") > 1:
        raise InputError("only one file can be standard input")
    outputs = [_one(value, predictions) for value in _values(predictions, "prediction")]
    inputs = None if sources is None else [_one(value, sources) for value in _values(sources, "source")]
    columns = [_values(file, "references") for file in references or []]
    for file, column in zip(references or [], columns, strict=True):
        if len(column) != len(outputs):
            raise InputError(f"{file} has {len(column)} lines, but there are {len(outputs)} predictions")
    edits = [[text for value in row for text in _many(value)] for row in zip(*columns, strict=True)]
    wanted = None if calls is None else [_many(value) for value in _values(calls, "calls")]
    found = score_texts(
        metrics,
        inputs,
        outputs,
        edits if references else None,
        calls=wanted,
        counting=settings_from(counting=counting).counting,
        normalisation=normalisation,
        resamples=resamples,
    )
    if json:
        put_json({name: result.to_dict() for name, result in found.items()})
        return
    for name, result in found.items():
        interval = (
            "" if result.interval is None else f"  [{result.interval[0]:.2f}, {result.interval[1]:.2f}]"
        )
        parts = "".join(f"  {part} {value:.2f}" for part, value in result.components.items())
        put(f"{name:16} {result.value:6.2f}{interval}{parts}  {result.signature}\n")


def _values(file: str, name: str) -> list[Any]:
    """The texts of a file, one a line."""
    lines = read_text(file).removeprefix("\ufeff").split("\n")
    lines = [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]
    if not file.endswith((".jsonl", ".json")) and not (
        file == "-" and lines and lines[0].startswith(("{", "["))
    ):
        return lines
    found = []
    for number, line in enumerate(lines, 1):
        try:
            value = json_module.loads(line)
        except ValueError as error:
            raise InputError(f"{file}, line {number}: not JSON: {error}") from None
        if isinstance(value, dict):
            other = "input" if name == "source" else "output"
            keys = tuple(dict.fromkeys((name, name.rstrip("s"), "text", other)))
            key = next((key for key in keys if key in value), None)
            if key is None:
                raise InputError(f"{file}, line {number}: the object has none of the keys {', '.join(keys)}")
            value = value[key]
        found.append(value)
    return found


def _one(value: Any, file: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{file}: each line must be one text")
    return value


def _many(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in values):
        raise InputError("references and calls must be strings or lists of strings")
    return values


_AROUND = 30


def quality(
    file: File,
    original: Annotated[str | None, typer.Option(metavar="FILE", help="The text before revision.")] = None,
    provider: Annotated[
        Literal["embedded", "torch"] | None,
        typer.Option(help="The models that score: ours, or published ones.", show_default="embedded"),
    ] = None,
    quality_models: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the published models are.")
    ] = None,
    format: MarkUp = None,
    json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Score a text without a reference: perplexity, grammar, and with --original likelihood and meaning."""
    settings = settings_from(
        format=format, no_cache=no_cache, quality=provider, quality_models=quality_models
    )
    text, before = read_pair(file, original)
    for name, read in (("text", text), ("original", before or "")):
        warning = f"grammar and meaning are measured for English, and the {name} looks otherwise"
        warn_unless_english(read, warning)
    if _is_empty(text):
        note("there is nothing to score: the text is empty")
        if not json:
            return
    if before is not None and _is_empty(before):
        note("there is nothing to compare with: the original is empty")
    marked = format_of(settings, text, file)
    marked_before = format_of(settings, before or "", original or "-")
    found, old = asyncio.run(_score(settings, text, before, marked, marked_before))
    if json:
        put_json(found.to_dict() | ({} if old is None else {"original": old.to_dict()}))
    else:
        _show(found, old, text)


async def _score(
    settings: Settings, text: str, before: str | None, format: Format, format_before: Format
) -> tuple[Quality, Quality | None]:
    """The scores of the text, and those of the original alone where there is one."""
    with weights_progress() as progress:
        if settings.quality == "embedded":
            ensure(SCORING, settings.weights(), progress)
        if before is not None:
            ensure(EMBEDDING, settings.weights(), progress)
    async with Models(settings) as models:
        scorer = open_quality(models, format=format)
        with counted("scoring"):
            if before is None:
                return (await scorer.score([text]))[0], None
            (found,) = await scorer.score([text], [before])
            alone = open_quality(models, format=format_before)
            return found, (await alone.score([before]))[0]


def _show(found: Quality, old: Quality | None, text: str) -> None:
    fluent = f"the original's is {old.perplexity:.1f}; " if old else ""
    clean = f"the original's is {old.grammar:.1f}; " if old else ""
    _row("perplexity", found.perplexity, f"{fluent}lower is more fluent", 1)
    _row("grammar", found.grammar, f"{clean}errors per 100 words that Harper finds", 1)
    if found.some is not None:
        judged = f"the original's is {old.some:.2f}; " if old and old.some is not None else ""
        _row("some", found.some, f"{judged}SOME, 1 is best")
    if found.likelihood is not None:
        _row("likelihood", found.likelihood, "per token, given the original; nearer 0 is likelier")
    if found.meaning is not None:
        _row("meaning", found.meaning.similarity, "likeness to the original; 1 is the same")
    if found.entities is not None:
        _row("entities", found.entities, "share of the original's names, dates and numbers still there")
    for change in found.meaning.changes if found.meaning else ():
        put(f"changed     {visible(change)}\n")
    for finding in found.findings:
        put(f"{visible(_place(text, finding))}\n")


def _row(name: str, value: float, meaning: str, digits: int = 2) -> None:
    put(f"{name:11} {value:7.{digits}f}  {meaning}\n")


def _place(text: str, finding: GrammarFinding) -> str:
    """A finding with its line's number and the words around it."""
    line = text.count("\n", 0, finding.start) + 1
    before = text[max(0, finding.start - _AROUND) : finding.start].rpartition("\n")[2]
    before = before.removeprefix("\ufeff")
    after = text[finding.end : finding.end + _AROUND].partition("\n")[0]
    shown = " ".join(f"{before}[{text[finding.start : finding.end]}]{after}".split())
    instead = " or ".join(repr(suggestion) for suggestion in finding.suggestions[:3])
    return f"line {line}: … {shown} …  {finding.message}{f' Try {instead}.' if instead else ''}"


def _is_empty(text: str) -> bool:
    return not text.removeprefix("\ufeff").strip()
