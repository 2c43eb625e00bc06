"""Options that say where work is done."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from redraft.cli.frame import note
from redraft.errors import InputError
from redraft.runs import Engine, LocalEngine, RayEngine


class EngineChoice(StrEnum):
    """Where work is done."""

    local = "local"
    ray = "ray"


EngineName = Annotated[EngineChoice, typer.Option("--engine", help="In this process, or on a Ray cluster.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Ray: how many workers.", show_default="one for two processors"),
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Ray: the cluster, or auto.", show_default="one on this machine"),
]


def open_engine(engine: EngineChoice, workers: int | None, address: str | None) -> Engine:
    """The engine that the options name."""
    if engine is EngineChoice.ray:
        return RayEngine(address, workers, note)
    for name, value in (("--workers", workers), ("--address", address)):
        if value is not None:
            raise InputError(f"{name} is for --engine ray")
    return LocalEngine()
