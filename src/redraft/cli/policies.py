"""`redraft policies`: which ways to simplify there are, what they say, and what is wrong with one's own."""

from __future__ import annotations

from typing import Annotated

import typer

from redraft.cli.frame import command, note, problem, put, put_json, shared, visible
from redraft.cli.options import Json
from redraft.simplification import load_policy, policy_names, policy_text, policy_warnings, read_policy

app = typer.Typer(add_completion=False)


@app.callback(invoke_without_command=True)
@shared
def policies(ctx: typer.Context) -> None:
    """Show the policies of simplification, and check one's own; alone, the list."""
    if ctx.invoked_subcommand is None:
        list_policies()


@command(app, "list")
def list_policies() -> None:
    """Show the policies that come with redraft."""
    for name in policy_names():
        policy = load_policy(name)
        put(f"{name:10}{policy.title}: {policy.about}\n")


@command(app, "show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A policy that `list` shows, or a file.")],
) -> None:
    """Print a policy's YAML, to read it or to start one's own from it."""
    put(policy_text(name))


@command(app, "check")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A policy in YAML, or - for standard input.")],
    json: Json = False,
) -> None:
    """Say everything that is wrong with a policy: exit status 2 if anything is, 0 if it can be used."""
    policy, problems = read_policy(policy_text(file))
    warnings = policy_warnings(policy) if policy else []
    if json:
        listed = [{"line": one.line, "place": one.place, "says": one.says} for one in problems]
        put_json({"usable": policy is not None, "problems": listed, "warnings": warnings})
    else:
        for one in problems:
            problem(f"{file}: {one}")
        for warning in warnings:
            note(f"warning: {warning}", style="yellow")
    if policy is None:
        raise typer.Exit(2)
    if not json:
        put(f"{policy.name} can be used: {visible(policy.title)}; the {policy.decides} aspect decides\n")
