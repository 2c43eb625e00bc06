"""The commands, put together; each is imported when it is asked for."""

from __future__ import annotations

import typer

from redraft.cli.frame import Group, shared

_NAMES = """
    parse sentences check revise explain simplify compose policies quality score judge bench train models
    cache trust doctor
"""
Group.modules = {name: f"redraft.cli.{name}" for name in _NAMES.split()}

app = typer.Typer(
    cls=Group,
    epilog="Exit status: 0 done, 1 a constraint is not met, 2 bad input, 3 the constraints conflict, "
    "4 the model failed, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
@shared
def redraft() -> None:
    """Revise text under constraints that can be checked."""
