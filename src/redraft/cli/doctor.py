"""`redraft doctor`, `cache` and `trust`: what is installed and set, cached answers, trusted project files."""

from __future__ import annotations

import platform
import sys
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from redraft import __version__
from redraft.addresses import without_login
from redraft.cli.commands import command, shared
from redraft.cli.console import put, visible
from redraft.cli.models import larger_lines
from redraft.constraints import all_kinds
from redraft.errors import InputError
from redraft.models import (
    core_count,
    larger_status,
    list_adapters,
    memory_mb,
    open_cache,
    status,
    suggested_model,
    trust_of,
)
from redraft.project import (
    NAMES,
    distrust,
    is_trusted,
    project_files,
    read_project_file,
    trust as trust_file,
    trusted_files,
)
from redraft.settings import ROLES, Settings, load_settings, needs_trust

_PARTS = ("xllamacpp", "ctranslate2", "harper-py", "openai", "numpy", "pydantic", "typer")
_OPTIONAL = ("torch", "transformers", "peft")


def doctor() -> None:
    """Show the installation, every setting with its origin, models, weights, adapters and the cache."""
    settings = load_settings()
    put(f"redraft   {__version__}\npython    {platform.python_version()} ({sys.executable})\n")
    put(f"system    {platform.platform()}\n\n")
    for part in _PARTS:
        put(f"  {part:14} {_version(part) or 'NOT INSTALLED'}\n")
    for part in _OPTIONAL:
        put(f"  {part:14} {_version(part) or 'not installed'} (optional: redraft[train])\n")
    put(f"\nconstraint kinds: {len(all_kinds())}\n\nsettings\n")
    for name in Settings.model_fields:
        value = getattr(settings, name)
        shown = "set" if name == "api_key" and value else value
        put(f"  {name:15} {shown!s:44} {settings.origin(name)}\n")
    put("\nmodels\n")
    for role in ("model", *ROLES):
        if spec := getattr(settings, role):
            put(f"  {role:15} {spec:44} trust {trust_of(spec, settings.trust)}\n")
    put("\nembedded weights\n")
    for weights in status(settings.weights()):
        put(f"  {weights.name:32} {weights.state}\n")
    put("\nlarger models\n")
    for line in larger_lines(settings.weights()):
        put(f"  {line}\n")
    put(f"  {_suggestion(settings)}\n")
    put("\nadapters\n")
    for adapter in list_adapters(settings.weights()):
        origin = "added" if adapter.added else "shipped"
        put(f"  {adapter.name:32} {adapter.bytes / 1e6:6.1f} MB  {origin}\n")
    cache = open_cache(settings)
    found = cache.info()
    cache.close()
    put(f"\nanswer cache: {found.path or 'off'}, {sum(found.entries.values()):,} answers\n")


def _suggestion(settings: Settings) -> str:
    """Which larger model this machine could run."""
    memory, cores = memory_mb(), core_count()
    here = f"{cores} {'core' if cores == 1 else 'cores'}, {memory / 1000:.1f} GB of memory"
    model = suggested_model(memory, cores)
    if model is None:
        return f"none is suggested for this machine ({here}): it would be slow, or fill the memory"
    if larger_status(settings.weights())[model.name].intact:
        return f"--model embedded:{model.name} fits this machine ({here})"
    return f"this machine ({here}) could run {model.name}: {model.pull}"


def _version(part: str) -> str | None:
    try:
        return version(part)
    except PackageNotFoundError:
        return None


cache_app = typer.Typer(add_completion=False)


@cache_app.callback(invoke_without_command=True)
@shared
def cache(ctx: typer.Context) -> None:
    """What the cache of answers holds; emptying it; alone, what it holds."""
    if ctx.invoked_subcommand is None:
        info()


@command(cache_app, "info")
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


@command(cache_app, "clear")
def clear() -> None:
    """Delete every cached answer, and damaged files that were set aside; weights stay."""
    answers = open_cache(load_settings())
    removed = answers.clear()
    answers.close()
    put(f"{removed:,} {'answer' if removed == 1 else 'answers'} removed\n")


def trust(
    place: Annotated[
        Path,
        typer.Argument(metavar="FOLDER|FILE", help="The files of the project in a folder, or one file."),
    ] = Path(),
    remove: Annotated[bool, typer.Option("--remove", help="Trust it no longer.")] = False,
    show: Annotated[bool, typer.Option("--list", help="Show what is trusted.")] = False,
) -> None:
    """Trust a project's settings as they are now; once they change, they have to be trusted again."""
    if show:
        for name in trusted_files():
            put(visible(f"{name}{_state(Path(name))}") + "\n")
        return
    for path in _files(place):
        if remove:
            known = distrust(path)
            put(visible(f"{'trusted no longer' if known else 'was not trusted'}: {path}") + "\n")
            continue
        found = read_project_file(path) if path.name in NAMES else None
        trust_file(path, found.sha256 if found else None)
        put(visible(f"trusted as it is now: {path}") + "\n")
        for name, value in found.table.items() if found else ():
            if needs_trust(name, value):
                put(visible(f"  {name} = {without_login(str(value))}") + "\n")


def _files(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    found = [file.path for file in project_files(place, anyones=True)]
    if not found:
        names = "redraft.toml, or pyproject.toml with [tool.redraft]"
        raise InputError(f"there is no {names}, in {place.resolve()} or above it")
    return found


def _state(path: Path) -> str:
    if not path.is_file():
        return "  (is gone)"
    return "" if is_trusted(path) else "  (has changed since)"
