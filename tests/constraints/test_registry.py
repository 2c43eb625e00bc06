from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint

import pytest

from redraft.constraints import Constraint, Finding, Reading, all_kinds, base, parse, parse_call
from redraft.constraints.kinds import WordCount
from redraft.text import Span


@dataclass(frozen=True)
class Shouting(Constraint):
    """No word in capitals only: what another package might add."""

    longest: int = 4

    name = "shouting_check"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        loud = [word for word in revised.text.split() if word.isupper() and len(word) > self.longest]
        return Finding(self, not loud, len(loud), "no shouting", f"{len(loud)} loud words", float(len(loud)))

    def phrasings(self) -> Sequence[str]:
        return ["Do not shout."]

    @classmethod
    def read(cls, instruction: str) -> Iterable[tuple[Span, Constraint]]:
        at = instruction.lower().find("do not shout")
        return [(Span(at, at + len("do not shout")), cls(3))] if at >= 0 else []


class Nameless(Constraint):
    """A kind that forgot its name."""


class Usurper(Shouting):
    """A kind with a name of ours."""

    name = "word_count_check"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    entries: list[EntryPoint] = []
    real = base.entry_points
    monkeypatch.setattr(base, "entry_points", lambda group: [*entries, *real(group=group)])
    all_kinds.cache_clear()
    yield entries
    monkeypatch.undo()
    all_kinds.cache_clear()


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, base.GROUP)


def test_another_package_adds_a_kind_without_touching_ours(installed: list[EntryPoint]) -> None:
    installed.append(entry("shouting_check", f"{__name__}:Shouting"))
    assert parse_call("shouting_check(3)") == Shouting(3)
    assert parse_call("shouting_check()") == Shouting()  # what has a default may be left out
    found = parse("Do not shout, and stay under 50 words.")
    assert {constraint.call for constraint in found.constraints} == {
        "shouting_check(3)",
        'word_count_check(50, "less than")',
    }


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("broken_check", "no_such_package:Thing", "could not be loaded: No module named 'no_such_package'"),
        ("listed_check", "builtins:list", "is no subclass of redraft.Constraint"),
        ("other_check", f"{__name__}:Shouting", "calls itself 'shouting_check'"),
        ("nameless_check", f"{__name__}:Nameless", "calls itself 'nothing'"),
    ],
)
def test_a_kind_that_cannot_be_used_is_left_out_with_a_warning(
    installed: list[EntryPoint], name: str, value: str, says: str
) -> None:
    installed.append(entry(name, value))
    with pytest.warns(UserWarning, match="left out") as caught:
        assert name not in all_kinds()
    (warning,) = caught
    assert str(warning.message) == f"the constraint kind {name} ({value}) {says}; it is left out"


def test_ours_cannot_be_replaced(installed: list[EntryPoint]) -> None:
    installed.append(entry("word_count_check", "redraft.constraints.kinds.counts:SentenceCount"))
    installed.append(entry("word_count_check", f"{__name__}:Usurper"))
    with pytest.warns(UserWarning, match="left out") as caught:
        assert all_kinds()["word_count_check"] is WordCount
    assert [str(warning.message).partition(") ")[2] for warning in caught] == [
        "calls itself 'sentence_count_check'; it is left out",
        "has a name that is taken; it is left out",
    ]
