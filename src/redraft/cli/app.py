"""The commands, put together."""

from __future__ import annotations

import typer

from redraft.cli import bench, cache, check, doctor, models, parse, quality, score, sentences, train
from redraft.cli.frame import Group, command, shared

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


command(app, "parse")(parse.parse)
command(app, "sentences")(sentences.sentences)
command(app, "check")(check.check)
command(app, "score")(score.score)
command(app, "quality")(quality.quality)
app.add_typer(bench.app, name="bench")
app.add_typer(train.app, name="train")
app.add_typer(models.app, name="models")
app.add_typer(cache.app, name="cache")
command(app, "doctor")(doctor.doctor)
