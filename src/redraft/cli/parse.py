"""`redraft parse`: what an instruction demands, as calls."""

from __future__ import annotations

from typing import Annotated

import typer

from redraft.cli.frame import note, put, put_json
from redraft.cli.options import Json
from redraft.constraints import parse as parse_instruction
from redraft.text import language


def parse(
    instruction: Annotated[str, typer.Argument(help="The instruction in plain English.")],
    json: Json = False,
) -> None:
    """Read the constraints in an instruction; print one call a line."""
    found = parse_instruction(instruction)
    if json:
        put_json([constraint.to_dict() for constraint in found.constraints])
    else:
        put("".join(f"{constraint.call}\n" for constraint in found.constraints))
    if language(instruction) not in ("en", None):
        note("warning: the instruction does not look English, the one language that is read", style="yellow")
    if found.style:
        note(f"not a constraint, passed on as style: {found.style}")
    elif not found.constraints:
        note("no constraint in this instruction")
