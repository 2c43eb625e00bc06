"""`redraft score`: metrics on files."""

from __future__ import annotations

import json as json_module
from typing import Annotated, Any

import typer

from redraft.cli.frame import put, put_json
from redraft.cli.options import Counting, Json
from redraft.errors import InputError
from redraft.metrics import NORMALISATIONS, score as score_texts
from redraft.settings import load_settings
from redraft.text import read_text

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
        counting=load_settings({"counting": counting and counting.value}).counting,
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
