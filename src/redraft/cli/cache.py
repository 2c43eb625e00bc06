"""`redraft cache`: what the answer cache holds, and emptying it."""

from __future__ import annotations

from datetime import datetime

import typer

from redraft.cli.frame import command, put
from redraft.models.cache import open_cache
from redraft.settings import load_settings

app = typer.Typer(help="What the cache of answers holds; emptying it.", no_args_is_help=True)


@command(app, "info")
def info() -> None:
    """Show where the cache is, what it holds, and its limits."""
    settings = load_settings()
    cache = open_cache(settings)
    found = cache.info()
    cache.close()
    if found.path is None:
        put("the cache is off\n")
        return
    put(f"{found.path}  {found.bytes / 1e6:.1f} MB of at most {settings.cache_max_mb:g} MB\n")
    for kind, count in sorted(found.entries.items()):
        put(f"  {count:>8,} {kind}\n")
    if found.oldest is not None:
        oldest = datetime.fromtimestamp(found.oldest).isoformat(" ", "minutes")
        put(f"  oldest from {oldest}; kept for {settings.cache_max_days:g} days\n")


@command(app, "clear")
def clear() -> None:
    """Delete every cached answer; weights stay."""
    cache = open_cache(load_settings())
    removed = cache.clear()
    cache.close()
    put(f"{removed:,} answers removed\n")
