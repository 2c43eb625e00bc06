"""The wordings of each task that the editor was trained on, and a few that it was not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def read_phrasings() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """By task, then by part: `training` and `held_out`."""
    text = files(__package__).joinpath("phrasings.json").read_text(encoding="utf-8")
    return {
        task: {part: tuple(lines) for part, lines in parts.items()}
        for task, parts in json.loads(text).items()
    }
