"""How a sentence is built: constituency trees in the brackets of the Penn Treebank, and measures of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

MOST_DEPTH: Final = 100
MOST_LETTERS: Final = 50_000
"""Of the brackets of a tree that is read."""

CLAUSES: Final = frozenset({"S", "SINV", "SQ"})
_LINKED: Final = frozenset({"SBAR", "SBARQ"})
_VERBS: Final = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "AUX"})
_BRACKETS: Final = frozenset({"-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"})
_PIECE: Final = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Tree:
    """A phrase with its parts, or a tag with its word."""

    label: str
    children: tuple[Tree, ...] = ()
    word: str | None = None

    def brackets(self) -> str:
        """On one line, as `read_tree` reads it."""
        if self.word is None:
            return f"({self.label} {' '.join(child.brackets() for child in self.children)})"
        return f"({self.label} {self.word.replace('(', '-LRB-').replace(')', '-RRB-')})"

    def nodes(self) -> Iterator[Tree]:
        """This and all below it, from the left."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def words(self) -> tuple[str, ...]:
        """The words and marks, from the left."""
        return tuple(node.word for node in self.nodes() if node.word is not None)

    @property
    def depth(self) -> int:
        """The most phrases inside one another; a tag with its word is no phrase."""
        if self.word is not None:
            return 0
        return 1 + max((child.depth for child in self.children), default=0)

    @property
    def kind(self) -> str:
        """The label without what is added to it: NP for NP-SBJ."""
        return self.label if self.label in _BRACKETS else re.split(r"(?<=.)[-=|]", self.label)[0]

    @property
    def is_clause(self) -> bool:
        """Whether this has a subject or a verb of its own and is not just a frame around other clauses."""
        kinds = [child.kind for child in self.children]
        if self.kind in _LINKED:
            return not CLAUSES.intersection(kinds)
        return self.kind in CLAUSES and ("VP" in kinds or not CLAUSES.intersection(kinds))

    @property
    def clauses(self) -> int:
        """Clauses: a main clause is one, and so is each that is joined to it or stands in it."""
        return sum(node.is_clause for node in self.nodes())

    @property
    def subordinate(self) -> int:
        """Clauses that stand inside another clause."""
        return sum(sum(node.is_clause for node in outer.nodes()) - 1 for outer in _outermost(self))

    @property
    def nested_prepositions(self) -> int:
        """Prepositional phrases inside another one, such as "of China" in "to the actions of China"."""
        return _inside(self, "PP", within=False)

    @property
    def words_before_verb(self) -> int:
        """Words before the verb of the main clause; 0 where there is no verb."""
        main = next(_outermost(self), None)
        phrase = next((child for child in main.children if child.kind == "VP"), None) if main else None
        if phrase is None:
            return 0
        count = 0
        reached = False
        for node in self.nodes():
            reached = reached or node is phrase
            if reached and node.word is not None and node.kind in _VERBS:
                return count
            count += node.word is not None and bare(node.word) != ""
        return 0


def read_tree(text: str, *, untagged: str | None = None) -> Tree:
    """The tree that a text is; ValueError says what is wrong with it.

    Marks may stand without their tags, and other words with the tag `untagged` where one is given; a bracket
    without a label around the whole, as the treebank has it, is left out.

    >>> read_tree("(S (NP (PRP We)) (VP (VBP run)) .)").brackets()
    '(S (NP (PRP We)) (VP (VBP run)) (. .))'
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"it is longer than {MOST_LETTERS} characters")
    # Each open bracket: its label, and its parts so far.
    opened: list[tuple[str, list[Tree | str]]] = []
    whole: Tree | None = None
    pieces = list(_PIECE.finditer(text))
    for number, piece in enumerate(pieces):
        token = piece[0]
        if whole is not None:
            raise ValueError(f"something follows the whole tree: {text[piece.start() :][:40]!r}")
        if token == "(":
            if len(opened) == MOST_DEPTH:
                raise ValueError(f"more than {MOST_DEPTH} brackets stand inside one another")
            opened.append(("", []))
        elif not opened:
            raise ValueError(f"it does not begin with an opening bracket but with {token[:40]!r}")
        elif token == ")":
            built = _built(*opened.pop(), untagged)
            if opened:
                opened[-1][1].append(built)
            else:
                whole = built
        elif pieces[number - 1][0] == "(":
            opened[-1] = (token, [])
        else:
            opened[-1][1].append(token)
    if whole is None:
        count = len(opened)
        raise ValueError(f"{count} opening brackets are not closed" if count else "there is no bracket in it")
    return whole


def _built(label: str, parts: list[Tree | str], untagged: str | None) -> Tree:
    if not parts:
        if label and not bare(label):
            return Tree(label, word=label)
        raise ValueError(f"({label}) has neither words nor parts")
    if not label:
        if len(parts) == 1 and isinstance(parts[0], Tree):
            return parts[0]
        raise ValueError("a bracket has no label")
    if len(parts) == 1 and isinstance(parts[0], str) and untagged is None:
        return Tree(label, word=parts[0])
    children: list[Tree] = []
    for part in parts:
        if isinstance(part, Tree):
            children.append(part)
        elif not bare(part):
            children.append(Tree(part, word=part))
        elif untagged is not None:
            children.append(Tree(untagged, word=part))
        else:
            raise ValueError(f"a word stands without its tag in ({label} …): {part!r}; write (TAG {part})")
    return Tree(label, tuple(children))


def difference(tree: Tree, sentence: str) -> str | None:
    """In what the words of a tree differ from a sentence, marks and capitals aside; None where they agree.

    >>> difference(read_tree("(S (NP (PRP We)) (VP (VBP run)) (. .))"), "We run fast.")
    "the sentence goes on with 'fast' where the tree ends"
    """
    found = [bare(word) for word in tree.words() if word not in _BRACKETS]
    wanted = [bare(word) for word in sentence.split()]
    left, right = "".join(found), "".join(wanted)
    if left == right:
        return None
    same = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if same is None:
        same = min(len(left), len(right))
    one, two = _at(found, same), _at(wanted, same)
    if not one:
        return f"the sentence goes on with {two!r} where the tree ends"
    if not two:
        return f"the tree goes on with {one!r} where the sentence ends"
    return f"the tree has {one!r} where the sentence has {two!r}"


def _at(words: list[str], letter: int) -> str:
    for word in words:
        letter -= len(word)
        if letter < 0:
            return word
    return ""


def bare(word: str) -> str:
    """The letters and digits of a word, in small letters."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", word).casefold() if letter.isalnum())


def _outermost(tree: Tree) -> Iterator[Tree]:
    """The clauses that stand in no other clause."""
    if tree.is_clause:
        yield tree
        return
    for child in tree.children:
        yield from _outermost(child)


def _inside(tree: Tree, kind: str, within: bool) -> int:
    here = tree.word is None and tree.kind == kind
    return (here and within) + sum(_inside(child, kind, within or here) for child in tree.children)


class Parsed(NamedTuple):
    """The tree of a sentence, or why there is none."""

    tree: Tree | None
    problem: str = ""


class Parser(Protocol):
    """Finds how sentences are built."""

    @property
    def name(self) -> str:
        """Who parses, for records."""

    async def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        """A tree for each sentence; where there is none, the others still have theirs."""
