"""Options that commands of `redraft judge` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RubricName = Annotated[str, typer.Option("--rubric", metavar="NAME|FILE", help="What to judge by.")]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", metavar="SPEC", help="A model that judges; given several times, a jury."),
]
Repeat = Annotated[int, typer.Option(min=1, help="How often each question is asked.")]
Temperature = Annotated[float, typer.Option(min=0, max=2, help="How freely the judge answers.")]
Seed = Annotated[int, typer.Option(help="For drawing texts and orders, and for the judge.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Judge so many, drawn by the seed.")]
Apart = Annotated[bool, typer.Option("--apart", help="Ask about each aspect by itself.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Where judgements are kept, one a line; what is there is not asked again."
    ),
]
Room = Annotated[
    int,
    typer.Option("--answer-tokens", min=50, help="Room for an answer; models that think first need more."),
]
