"""Text that was made to hang or to crash whoever reads it: time grows with its length, and errors are ours."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

import redraft
from redraft.constraints.calls import parse_call
from redraft.errors import RedraftError
from redraft.notation import DEEPEST, parse_json, parse_toml
from redraft.text import Document, RuleFinder, mask
from redraft.text.tagging import tag

UNITS = (
    *"=<>~_*`#|[({\"'$%&@^-+./\\:;,!?0aA \t\n\r",
    *(
        "\\a{",
        "\\begin{a}",
        "](",
        "<a ",
        "<!--",
        "$$",
        "“",
        "—",
        "1,",
        "1.",
        "A. ",
        ". ",
        "* ",
        "> ",
        "|a",
        "a\n",
    ),
    *(
        "http://",
        "漢",
        "🙂",
        "e\u0301",
        "\u200b",
        "not ",
        "under ",
        "3 words ",
        '"a" ',
        "sentence 1 and ",
        "Mr. ",
    ),
    *("no more than ", "keep ", "Van der ", "d'A", "the first and ", "word, "),
)
LENGTH = 3_000
READERS: dict[str, Callable[[str], object]] = {
    "parse": redraft.parse,
    "calls": lambda text: parse_call(f"keyword_keep_removal_check({text}"),
    "text": lambda text: len(Document(text).sentences),
    "markdown": lambda text: len(Document(text, "markdown").sentences),
    "latex": lambda text: len(Document(text, "latex").sentences),
    "mask": lambda text: mask(text, "markdown"),
    "tag": lambda text: tag(text.split()),
    "entities": lambda text: list(RuleFinder().find(text)),
    "check": lambda text: redraft.check(text, "Under 300 words, never say 'synergy', grade 8 at most."),
}


@pytest.mark.parametrize("name", READERS)
def test_time_grows_with_the_length_and_errors_are_ours(name: str) -> None:
    for unit in UNITS:
        # Three times the text takes three times as long, and nine times where it grows with the square. A second
        # is for what is too quick to be compared; a busy machine is given further tries.
        tries = ((_seconds(name, unit, LENGTH // 3), _seconds(name, unit, LENGTH)) for _ in range(4))
        assert any(whole < 5 * third + 1 for third, whole in tries), f"a row of {unit!r}"


def _seconds(name: str, unit: str, length: int) -> float:
    """Of the processor, for one reader to read a row of one thing."""
    started = time.process_time()
    with contextlib.suppress(RedraftError):
        READERS[name](unit * (length // len(unit)))
    return time.process_time() - started


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "[" * 200 + "]" * 200, '["' + "[" * 9_999]
)
def test_json_that_is_nested_without_end_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json's own is one too
        parse_json(text)


def test_what_is_nested_as_deep_as_anyone_needs_is_read() -> None:
    assert parse_json("[" * DEEPEST + "]" * DEEPEST)
    assert parse_json('{"a": "' + "[" * 500 + '"}') == {"a": "[" * 500}
    assert parse_toml('a.b = [[1], ["[[["]]') == {"a": {"b": [[1], ["[[["]]}}
    with pytest.raises(ValueError, match="nested more than"):
        parse_toml("a = " + "[" * 5_000 + "]" * 5_000)
