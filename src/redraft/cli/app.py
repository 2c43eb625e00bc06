"""The commands, put together."""

from __future__ import annotations

import typer

from redraft.cli import cache, check, doctor, models, parse, sentences
from redraft.cli.frame import Command, Group

app = typer.Typer(
    cls=Group,
    help="Revise text under constraints that can be checked.",
    epilog="Exit status: 0 done, 1 a constraint is not met, 2 bad input, 3 the constraints conflict, "
    "4 the model failed, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

app.command("parse", cls=Command)(parse.parse)
app.command("sentences", cls=Command)(sentences.sentences)
app.command("check", cls=Command)(check.check)
app.add_typer(models.app, name="models")
app.add_typer(cache.app, name="cache")
app.command("doctor", cls=Command)(doctor.doctor)
