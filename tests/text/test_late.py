from __future__ import annotations

import re

import pytest

from redraft.text import late_pattern


def test_a_late_pattern_is_compiled_when_it_is_first_used() -> None:
    wrong = late_pattern("(")
    with pytest.raises(re.error):
        wrong.search("a")


def test_it_does_what_a_pattern_does() -> None:
    found = late_pattern(r"(?P<word>b\w)", re.IGNORECASE)
    assert [match["word"] for match in found.finditer("abc BCD", 1)] == ["bc", "BC"]
    assert found.sub("-", "abc") == "a-"
    assert found.flags & re.IGNORECASE
