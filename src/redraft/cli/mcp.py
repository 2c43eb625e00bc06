"""`redraft mcp`: the tools for assistants that speak the Model Context Protocol."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.console import note
from redraft.cli.options import settings_from
from redraft.errors import MissingExtra


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP, not over standard input.")] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="With --http: the port.")] = 8485,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --http: clients need the token in this file.")
    ] = None,
    runs: Annotated[Path | None, typer.Option(metavar="DIR", help="A folder whose runs may be read.")] = None,
    model: Annotated[str | None, typer.Option(metavar="SPEC", help="The model of all roles.")] = None,
) -> None:
    """Serve parse, check, revise, simplify, score and quality to an assistant, as tools."""
    if find_spec("mcp") is None:
        raise MissingExtra("redraft mcp", "mcp")
    from redraft.mcp import serve_http, serve_stdio  # noqa: PLC0415 - the extra may not be installed

    settings = settings_from(model=model)
    if http:
        note(f"serving at http://{host}:{port}/mcp; Ctrl-C ends it")
        serve_http(settings, runs, host=host, port=port, token_file=token_file)
    else:
        serve_stdio(settings, runs)
