"""Every adapter that ships has a card, which is about that very file."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ADAPTERS = Path(__file__).parents[2] / "src" / "redraft" / "models" / "adapters"
FILES = sorted(ADAPTERS.rglob("*.gguf"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_card_is_of_the_file(file: Path) -> None:
    card = file.with_suffix(".md").read_text(encoding="utf-8")
    content = file.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    assert f"| `{file.name}` | {len(content):,} | `{digest}` |" in card
    assert "## Data" in card
    assert "## Scores" in card


@pytest.mark.parametrize("card", sorted(ADAPTERS.rglob("*.md")), ids=lambda card: card.stem)
def test_a_card_names_no_folders_of_who_made_it(card: Path) -> None:
    assert not re.findall(r"(?:[\s=`]|^)/\w+/\S*", card.read_text(encoding="utf-8"))


def test_the_adapters_are_small() -> None:
    own = [file for file in FILES if file.parent == ADAPTERS]
    assert sum(file.stat().st_size for file in own) <= 57_000_000
    assert all(file.stat().st_size <= 24_000_000 for file in FILES)
