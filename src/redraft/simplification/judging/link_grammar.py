"""Link Grammar as a parser, where its program is installed: constituents, with our tags on the words."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redraft.simplification.judging.trees import Parsed, Tree, bare, difference, read_tree
from redraft.text import Tagged, tagged

PROGRAM: Final = "link-parser"
_OPTIONS: Final = (
    "en", "-constituents=3", "-graphics=0", "-verbosity=0", "-echo=1", "-spell=0", "-limit=100",
)  # fmt: skip
_SECONDS: Final = 5
"""For one sentence; a sentence that takes longer is tried once more in a hurry, for as long at most.

The program counts seconds in which it computes, so that a busy machine changes nothing.
"""
_START: Final = 300
_BUSY: Final = 20
"""By how much a busy machine may be slower before the program is given up: this is for one that hangs."""
_MOST_WORDS: Final = 150
"""Of a sentence; the program itself takes no more than 250, and hours for some of them."""
_MOST_OUTPUT: Final = 20_000_000

_ROUND: Final = re.compile(r"\s*[()\[\]{}]\s*")
_COMMAND: Final = re.compile(r"^[^\w\"“‘'$]+")
_GUESS: Final = re.compile(r"\{[?!~]\}|(?<=.)\[[?!~][^\]]*\]")
_SUBSCRIPT: Final = re.compile(r"(?<=.)\.[a-z#][\w#-]*$")

_HOLDING: Final = frozenset({("S", "VP"), ("SBAR", "S"), ("SBAR", "VP")})
"""What may hold one phrase alone."""


def program() -> str | None:
    """Where the program is; None where it is not installed, or lies where the user stands."""
    found = shutil.which(PROGRAM)
    return found if found and Path(found).is_absolute() else None


class LinkParser:
    """Parses with Link Grammar, in one process for all the sentences of a call."""

    name: Final = "link"

    async def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        lines = {sentence: line(sentence) for sentence in sentences}
        wanted = [given for given in dict.fromkeys(lines.values()) if given and _fits(given)]
        trees = read_output(await _run(wanted), wanted) if wanted else {}
        found = {sentence: _parsed(sentence, given, trees.get(given)) for sentence, given in lines.items()}
        return tuple(found[sentence] for sentence in sentences)


def line(sentence: str) -> str:
    """The sentence as one line that is no command, with commas for brackets, which trees are written with."""
    return _COMMAND.sub("", _ROUND.sub(" , ", " ".join(sentence.split()))).strip(" ,")


def read_output(output: str, lines: Sequence[str]) -> dict[str, str]:
    """The first tree that the program printed for each line; it repeats the line before it."""
    found: dict[str, str] = {}
    printed = iter(output.splitlines())
    waiting = list(lines)
    current: str | None = None
    for row in printed:
        if waiting and row.strip() == waiting[0]:
            current = waiting.pop(0)
        elif current is not None and row.startswith("("):
            found.setdefault(current, row)
    return found


def read_constituents(row: str, sentence: str) -> Tree:
    """A tree as the program prints it, with the words and tags that we give the sentence."""
    tree = _cleaned(read_tree(row, untagged="X"))
    if (problem := difference(tree, sentence)) is not None:
        raise ValueError(problem)
    dressed = _dressed(tree, deque(word for word in tagged(sentence) if bare(word.text)), _Letters())
    if not dressed:
        raise ValueError("there is no word in it")
    return dressed[0]


async def _run(lines: Sequence[str]) -> str:
    """What the program prints, as far as it came in the time that it has."""
    found = program()
    if found is None:
        return ""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as printed,
        tempfile.TemporaryDirectory() as folder,
    ):
        given.write("\n".join([*lines, ""]).encode("utf-8", "replace"))
        given.seek(0)
        process = await asyncio.create_subprocess_exec(
            found,
            *_OPTIONS,
            f"-timeout={_SECONDS}",
            stdin=given,
            stdout=printed,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=folder,  # it would take the dictionary of a folder `en` where the user stands
            start_new_session=True,
        )
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _START + 2 * _BUSY * _SECONDS * len(lines))
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.send_signal(signal.SIGKILL)
                await process.wait()
        printed.seek(0)
        return printed.read(_MOST_OUTPUT).decode("utf-8", "replace")


def _fits(given: str) -> bool:
    return len(given.split()) <= _MOST_WORDS


def _parsed(sentence: str, given: str, row: str | None) -> Parsed:
    if not given or not _fits(given):
        return Parsed(None, "there are no words in it" if not given else f"it has over {_MOST_WORDS} words")
    if row is None:
        return Parsed(None, "Link Grammar found no tree for it in time")
    try:
        return Parsed(read_constituents(row, sentence))
    except ValueError as error:
        return Parsed(None, f"what Link Grammar found cannot be used: {error}")


def _cleaned(tree: Tree) -> Tree:
    """The tree without what the program writes on words: guesses, subscripts, braces for words left over."""
    if tree.word is None:
        return Tree(tree.label, tuple(map(_cleaned, tree.children)))
    word = _GUESS.sub("", tree.word)
    if word.startswith("{") and word.endswith("}"):
        word = word[1:-1]
    word = _SUBSCRIPT.sub("", word)
    return Tree(tree.label if bare(word) else word or ",", word=word or ",")


@dataclass
class _Letters:
    """How many letters of a sentence have been read, in the tree and in our words."""

    tree: int = 0
    words: int = 0


def _dressed(tree: Tree, words: deque[Tagged], read: _Letters) -> tuple[Tree, ...]:
    """The tree with our words, each where its first letter stands; a phrase that is left without any goes."""
    if tree.word is None:
        children = [one for child in tree.children for one in _dressed(child, words, read)]
        return (_plain(Tree(tree.label, tuple(_governed(children, tree.label)))),) if children else ()
    if not bare(tree.word):
        return (tree,)
    read.tree += len(bare(tree.word))
    found = []
    while words and read.words < read.tree:
        word = words.popleft()
        read.words += len(bare(word.text))
        found.append(Tree(word.tag, word=word.text))
    return tuple(found)


def _governed(children: Sequence[Tree], label: str) -> Iterator[Tree]:
    """The parts of a phrase; a preposition that stands beside its noun phrase, as "of" does, joins it."""
    place = 0
    while place < len(children):
        pair = children[place : place + 2]
        inside = place or label != "PP"
        if inside and len(pair) == 2 and pair[0].label == "IN" and pair[1].label == "NP":
            yield Tree("PP", tuple(pair))
            place += 2
        else:
            yield children[place]
            place += 1


def _plain(phrase: Tree) -> Tree:
    """What a phrase holds where that is one other phrase; the program puts many around nothing else."""
    (first, *more) = phrase.children
    holds = more or first.word is not None or (phrase.label, first.label) in _HOLDING
    return phrase if holds else first
