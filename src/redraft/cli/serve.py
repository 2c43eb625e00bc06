"""`redraft serve`: the workbench in the browser, and the HTTP API."""

from __future__ import annotations

import contextlib
import socket
import threading
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.cli.console import note
from redraft.cli.options import settings_from
from redraft.errors import InputError, MissingExtra


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8484,
    workers: Annotated[int, typer.Option(min=0, max=64, help="Processes that work on jobs.")] = 1,
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A token that others need; for any address but this machine's."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where documents and jobs are kept.")
    ] = None,
    runs: Annotated[Path | None, typer.Option(metavar="DIR", help="A folder of runs to show.")] = None,
    database_url: Annotated[
        str | None, typer.Option(metavar="URL", help="A PostgreSQL database to keep them in.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name by which we are reached, too.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="SPEC", help="The model of all roles.")] = None,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Serve the workbench and the API until Ctrl-C; documents and jobs outlive it."""
    try:
        from redraft.web import Options, Safety, Server, make_app, read_token  # noqa: PLC0415  optional
    except ImportError:
        raise MissingExtra("redraft serve", "serve") from None
    token = None if token_file is None else read_token(token_file)
    safety = Safety(host, tuple(allow_host or ()), token)
    settings = settings_from(model=model, data_dir=data, database_url=database_url)
    listening = _listen(host, port)
    app = make_app(Options(settings, safety, workers, runs))
    where = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"
    server = Server(app)
    note(f"redraft is at {where}  (Ctrl-C ends it; documents and jobs are kept)")
    if show:
        threading.Thread(target=_open_when_ready, args=(server, where), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_at(listening)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise InputError(f"{host}:{port} cannot be listened at: {error.strerror}; try --port") from None
    return listening


def _open_when_ready(server: Any, where: str) -> None:
    wait = threading.Event()
    while not server.started:
        wait.wait(0.1)
    webbrowser.open(where)
