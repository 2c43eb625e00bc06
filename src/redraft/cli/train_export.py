"""`redraft train export`: an adapter from a training, ready for `redraft models add`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.cli.frame import note, put
from redraft.cli.train_running import base_file
from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.text import read_text
from redraft.train import export

CHAT_NAME = "SmolLM2-135M-Instruct (Apache-2.0) in 8 bits, the embedded model"


def train_export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a training.", exists=True)],
    out: Annotated[Path, typer.Option(metavar="FILE.gguf", help="The adapter for llama.cpp.")],
    name: Annotated[str | None, typer.Option(help="Its name; by default, the file's.")] = None,
    scores: Annotated[Path | None, typer.Option(metavar="FILE", help="Scores for the card, JSON.")] = None,
    licences: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Licences of the data by file or pattern, JSON.")
    ] = None,
    date: Annotated[str | None, typer.Option(help="A date for the card; there is none by default.")] = None,
    base: Annotated[
        Path | None,
        typer.Option(help="The GGUF it was trained on, if not the embedded model.", exists=True),
    ] = None,
    rank: Annotated[
        int | None,
        typer.Option("--rank", min=1, help="A lower rank, for a smaller file; how much is lost is said."),
    ] = None,
    small: Annotated[bool, typer.Option("--small", help="All of it in 8 bits (rank 32, 64, …).")] = False,
    precise: Annotated[
        bool,
        typer.Option("--precise", help="All of it in 16 bits; answers then depend a little on their batch."),
    ] = False,
) -> None:
    """Make a training's adapter ready for use: as GGUF, as fp16 for peft, and with a model card."""
    known = _json(licences)
    if known is not None and not isinstance(known, dict):
        raise InputError(f"{licences}: should be an object of file names and licences")
    written = export(
        folder,
        out,
        base_file(base),
        base_name=CHAT_NAME if base is None else None,
        name=name,
        scores=_json(scores),
        licences=known,
        date=date,
        rank=rank,
        eight_bits=small,
        precise=precise,
    )
    if written.error:
        note(f"rank {rank}: {written.error:.1%} of the adapter is lost (in the Frobenius norm)")
    note(f"{written.gguf.stat().st_size / 1e6:.1f} MB; also {written.peft} and {written.card}")
    put(f"{written.gguf}\n")


def _json(path: Path | None) -> Any:
    if path is None:
        return None
    try:
        return parse_json(read_text(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from None
