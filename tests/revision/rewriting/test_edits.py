"""The word sets of the rules: each one that is asked for is there, and each one that is there is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft.revision.rewriting import edits
from redraft.revision.rewriting.edits import WORDS


def test_rules_and_word_sets_name_the_same_sets() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in Path(edits.__file__).parents[1].rglob("*.py"))
    assert set(re.findall(r"\bWORDS\.(\w+)", code)) == set(vars(WORDS))


def test_a_set_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match="has no set of words called colours"):
        _ = WORDS.colours
