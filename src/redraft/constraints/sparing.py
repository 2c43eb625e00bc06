"""What stays word for word, and is therefore spared by demands on form.

"Don't alter the dialogue, no contractions elsewhere" is no contradiction, and neither is "keep the headings;
spell out numbers": how something is written is asked of what may be written anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from redraft.constraints.base import Constraint, Keeps
from redraft.constraints.counting import Reading, Spared, plain
from redraft.constraints.exact import Exact
from redraft.constraints.kinds import Parts, Preserve, SentenceModification
from redraft.text import Sentence, quotations


def spared_by(constraints: Iterable[Constraint], original: Reading) -> Spared:
    """What of an original stays by some constraints; nothing by a convention that is not ours.

    >>> from redraft.constraints.counting import read
    >>> text = read("He left. “I don’t care,” she said.")
    >>> spared_by([Parts(("dialogue",), "unchange")], text).sentences
    frozenset({'“I don’t care,” she said.'})
    """
    if original.counting != "default":
        return Spared()
    whole: set[str] = set()
    numbered: set[str] = set()
    stretches: set[str] = set()
    for constraint in constraints:
        if isinstance(constraint, Exact):
            continue
        kept = {plain(one.text) for one in _kept(constraint, original)}
        by_number = isinstance(constraint, SentenceModification) and constraint.relation == "unchange"
        (numbered if by_number else whole).update(kept)
        stretches.update(_stretches(constraint, original))
    return Spared(frozenset(whole | numbered), frozenset(numbered - whole), frozenset(stretches))


def _kept(constraint: Constraint, original: Reading) -> Iterable[Sentence]:
    demands = (demand for demand in constraint.demands(original) if isinstance(demand, Keeps))
    return [sentence for demand in demands for sentence in demand.sentences]


def _stretches(constraint: Constraint, original: Reading) -> Iterable[str]:
    """What stays within sentences of which the rest may change."""
    if isinstance(constraint, Parts):
        return constraint.stretches(original)
    if isinstance(constraint, Preserve) and constraint.what == "quotations":
        return [plain(original.text[one.start : one.end]) for one in quotations(original.text)]
    return ()
