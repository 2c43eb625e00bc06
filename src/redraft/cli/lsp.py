"""`redraft lsp`: the house style in editors that speak the Language Server Protocol."""

from __future__ import annotations

from importlib.util import find_spec

from redraft.errors import MissingExtra


def lsp() -> None:
    """Serve an editor over standard input: diagnostics, hovers and quick fixes from the house style."""
    if find_spec("pygls") is None:
        raise MissingExtra("redraft lsp", "lsp")
    from redraft.lsp import serve_stdio  # noqa: PLC0415 - the extra may not be installed

    serve_stdio()
