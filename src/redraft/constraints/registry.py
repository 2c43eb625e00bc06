"""The kinds of constraint that are installed: ours and those of other packages.

A package adds a kind with an entry point in the group `redraft.constraints`, named like its call:

    [project.entry-points."redraft.constraints"]
    hedging_check = "mypackage.hedging:Hedging"
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from redraft.constraints.base import Constraint

GROUP = "redraft.constraints"


@lru_cache(maxsize=1)
def all_kinds() -> Mapping[str, type[Constraint]]:
    """Every installed kind by the name of its call; one that cannot be used is left out with a warning."""
    found: dict[str, type[Constraint]] = {}
    # Ours first: another package may add a kind, never replace one.
    for entry in sorted(entry_points(group=GROUP), key=_foreign):
        try:
            kind = entry.load()
        except Exception as error:  # whatever another package raises must not stop us
            _warn(entry, f"could not be loaded: {error}")
            continue
        if not (isinstance(kind, type) and issubclass(kind, Constraint)):
            _warn(entry, "is no subclass of redraft.Constraint")
        elif getattr(kind, "name", None) != entry.name:
            _warn(entry, f"calls itself {getattr(kind, 'name', 'nothing')!r}")
        elif entry.name in found and found[entry.name] is not kind:
            _warn(entry, "has a name that is taken")
        else:
            found[entry.name] = kind
    return found


def _foreign(entry: EntryPoint) -> bool:
    return not entry.value.startswith("redraft.constraints.kinds:")


def _warn(entry: EntryPoint, why: str) -> None:
    warnings.warn(f"the constraint kind {entry.name} ({entry.value}) {why}; it is left out", stacklevel=3)
