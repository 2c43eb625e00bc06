"""The list of simpler words: every line can be used, and says something."""

from __future__ import annotations

import re
from collections import Counter

from redraft.simplification import tuning
from redraft.text import list_lines

PACKAGE = "redraft.simplification"
LINE = re.compile(
    r"(?P<said>[a-z][a-z' -]*[a-z]) (?P<kind>[nvarw]) \| (?P<new>[a-z][a-z' -]*(; [a-z][a-z' -]*)*)"
)


def entries() -> list[tuple[str, str, tuple[str, ...]]]:
    found = []
    for line in list_lines(PACKAGE, "simpler.txt"):
        read = LINE.fullmatch(line)
        assert read, line
        found.append((read["said"], read["kind"], tuple(read["new"].split("; "))))
    return found


def test_every_line_is_a_word_a_kind_and_simpler_words() -> None:
    assert len(entries()) > 900
    twice = [
        entry for entry, count in Counter((said, kind) for said, kind, _ in entries()).items() if count > 1
    ]
    assert twice == []


def test_nothing_is_put_for_itself_or_named_twice() -> None:
    for said, _, new in entries():
        assert said not in new
        assert len(set(new)) == len(new), said


def test_nothing_leads_back_to_itself() -> None:
    known = {(said, kind): new for said, kind, new in entries()}
    back = [
        (said, one)
        for (said, kind), new in known.items()
        for one in new
        if said in known.get((one, kind), ())
    ]
    assert back == []


def test_phrases_are_short_enough_to_be_found() -> None:
    assert [said for said, _, _ in entries() if len(said.split()) > tuning.LIST_PHRASE_WORDS] == []
