"""`redraft cache`: what the answer cache holds, and emptying it."""

from __future__ import annotations

from datetime import datetime

import typer

from redraft.cli.frame import command, put, shared
from redraft.models import open_cache
from redraft.settings import load_settings

app = typer.Typer(add_completion=False)


@app.callback(invoke_without_command=True)
@shared
def cache(ctx: typer.Context) -> None:
    """What the cache of answers holds; emptying it; alone, what it holds."""
    if ctx.invoked_subcommand is None:
        info()


@command(app, "info")
def info() -> None:
    """Show where the cache is, what it holds, and its limits."""
    settings = load_settings()
    answers = open_cache(settings)
    found = answers.info()
    answers.close()
    if found.path is None:
        put("the cache is off\n")
        return
    put(f"{found.path}  {found.bytes / 1e6:.1f} MB of at most {settings.cache_max_mb:g} MB\n")
    for kind, count in sorted(found.entries.items()):
        put(f"  {count:>8,} {kind}\n")
    if found.oldest is not None:
        oldest = datetime.fromtimestamp(found.oldest).isoformat(" ", "minutes")
        put(f"  oldest from {oldest}; kept for {settings.cache_max_days:g} days\n")
    for file in found.set_aside:
        put(f"  damaged, set aside: {file}; `redraft cache clear` deletes it\n")


@command(app, "clear")
def clear() -> None:
    """Delete every cached answer, and damaged files that were set aside; weights stay."""
    answers = open_cache(load_settings())
    removed = answers.clear()
    answers.close()
    put(f"{removed:,} {'answer' if removed == 1 else 'answers'} removed\n")
