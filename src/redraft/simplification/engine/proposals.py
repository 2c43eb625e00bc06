"""Single changes out of whole answers of the editor: what is good in an answer is seldom all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from redraft.editor import EditorAnswer
from redraft.revision import Parts, Reason, parts
from redraft.simplification.engine.changes import Change
from redraft.simplification.engine.rewriting import TELLING
from redraft.text import Tagged

_MOST_WORDS: Final = 5
"""A stretch of more is another sentence, not a change of one."""
_NAMES: Final = frozenset({"NNP", "NNPS", "CD"})
_CONTENT: Final = ("NN", "NNS", "JJ", "JJR", "JJS", "RB", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_STEM: Final = 4
_MARKS: Final = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "--", "..."})


def proposed(source: Parts, answers: Sequence[EditorAnswer]) -> list[Change]:
    """The changes that the answers make to a sentence, each with the share of them that have it."""
    total = sum(answer.votes for answer in answers)
    votes: defaultdict[tuple[int, int, str], int] = defaultdict(int)
    for answer in answers:
        for change in _steps(source, parts(answer.text)):
            votes[change] += answer.votes
    return [
        Change(start, end, said, new, "replace", "editor", Reason("replace", said, new), count / total)
        for (start, end, new), count in votes.items()
        for said in (source.text[start:end],)
    ]


def _steps(source: Parts, answer: Parts) -> Iterator[tuple[int, int, str]]:
    """Words replaced by others that say as much; what is only added, or left out, is passed over."""
    matcher = SequenceMatcher(None, source.low, answer.low, autojunk=False)
    for step, i, k, j, m in matcher.get_opcodes():
        if step != "replace" or max(k - i, m - j) > _MOST_WORDS:
            continue
        if any(source.held[i:k]) or _fixed(source.words[i:k]) or _fixed(answer.words[j:m]):
            continue
        if _instead(source.words[i:k], answer.words[j:m]):
            yield source.words[i].start, source.words[k - 1].end, answer.said(j, m)


def _instead(old: Sequence[Tagged], new: Sequence[Tagged]) -> bool:
    """Whether new words may stand for old ones: telling as much, or nearly, and not just in other forms."""
    before, after = ([word for word in words if word.tag in _CONTENT] for words in (old, new))
    if {word.text.lower() for word in new} & TELLING - {word.text.lower() for word in old}:
        return False
    if {old[-1].tag, new[-1].tag} == {"NN", "NNS"}:
        return False  # "a snippet" is no "features"
    stems = [{word.text[:_STEM].lower() for word in words} for words in (before, after)]
    return len(after) >= min(len(before), max(len(before) - 1, 1)) and (not before or stems[0] != stems[1])


def _fixed(words: Sequence[Tagged]) -> bool:
    """Whether there are names, numbers or marks among the words: no small model is to change those."""
    return any(word.tag in _NAMES | _MARKS or not word.text[:1].isalpha() for word in words)
