"""What is put in the place of what offends, where there is one right form and no sentence is rewritten.

Those are the spelling and its like, words that others replace, and contractions that can be read in one way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.constraints import Constraint, Contractions, Exact, Replacement, RightForm, read
from redraft.revision.rewriting.wording.contractions import contracted, expanded
from redraft.text import Document, Span, free_marks, is_english, quoted_sentences

_UNSURE: Final = ("'d", "’d")
"""He'd is he had or he would: what follows tells mostly, and not always."""


def find_fixes(constraint: Constraint, document: Document) -> list[RightForm]:
    """What mends each place where a constraint is not met; nothing where there is no exact way to.

    What is put may reach beyond the place: over an article that has to agree, say.

    >>> from redraft.constraints import parse_call
    >>> text = Document("We can't use that color.")
    >>> [fix.text for fix in find_fixes(parse_call('spelling_check("british")'), text)]
    ['colour']
    >>> [fix.text for fix in find_fixes(parse_call('contractions_check("none")'), text)]
    ['cannot']
    """
    if constraint.english_only and not is_english(document.text):
        return []
    match constraint:
        case Exact():
            return list(constraint.offences(document, quoted_sentences(document)))
        case Replacement() if not constraint.needs_original:
            return list(_replaced(constraint, document))
        case Contractions():
            return list(_contracted(constraint, document))
    return []


def _replaced(constraint: Replacement, document: Document) -> Iterator[RightForm]:
    """The old words, but for those that stand within the new."""
    left = constraint.check(None, read(document.text, format=document.format)).spans
    for span, text in constraint.edits(document):
        if any(span.start <= one.start and one.end <= span.end for one in left):
            yield RightForm(span, text)


def _contracted(constraint: Contractions, document: Document) -> Iterator[RightForm]:
    rule = expanded if constraint.relation == "none" else contracted
    for sentence in document.sentences:
        view = document.view[sentence.start : sentence.end]
        for place in free_marks(view, constraint.sought):
            ways = list(rule(view, place))
            is_sure = len(ways) == 1 and not view[place.start : place.end].endswith(_UNSURE)
            for start, end, text in ways if is_sure else ():
                if view[start:end] == sentence.text[start:end]:  # no mark-up inside
                    yield RightForm(Span(sentence.start + start, sentence.start + end), text)
