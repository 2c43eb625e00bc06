"""`redraft doctor`: what is installed, what is set, and where each value came from."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from redraft import __version__
from redraft.cli.frame import put
from redraft.constraints import all_kinds
from redraft.models import list_adapters, open_cache, status
from redraft.settings import Settings, load_settings

_PARTS = ("xllamacpp", "ctranslate2", "harper-py", "openai", "numpy", "pydantic", "typer")
_OPTIONAL = ("torch", "transformers", "peft")


def doctor() -> None:
    """Show the installation, every setting with its origin, the weights, the adapters and the cache."""
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
    put("\nembedded weights\n")
    for weights in status(settings.weights()):
        put(f"  {weights.name:32} {weights.state}\n")
    put("\nadapters\n")
    for adapter in list_adapters(settings.weights()):
        origin = "added" if adapter.added else "shipped"
        put(f"  {adapter.name:32} {adapter.bytes / 1e6:6.1f} MB  {origin}\n")
    cache = open_cache(settings)
    found = cache.info()
    cache.close()
    put(f"\nanswer cache: {found.path or 'off'}, {sum(found.entries.values()):,} answers\n")


def _version(part: str) -> str | None:
    try:
        return version(part)
    except PackageNotFoundError:
        return None
