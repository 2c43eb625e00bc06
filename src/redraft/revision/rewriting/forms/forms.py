"""A sentence without a form of words that may not be there: a passive, a person, a tense."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.forms.commands import commanded
from redraft.revision.rewriting.forms.impersonal import impersonal
from redraft.revision.rewriting.forms.tense import to_past, to_present
from redraft.revision.rewriting.voice.activation import active_versions
from redraft.text import WORDINGS, Person, find_marks, find_wording, rewordings

_PERSONS: Final[dict[str, Person]] = {
    "first person": "first",
    "first person singular": "first singular",
    "second person": "second",
}


def without_form(sentence: str, form: str, banned: Collection[str] = ()) -> list[Candidate]:
    """Versions with fewer of a form; none of them has more of another that is `banned`.

    >>> without_form("The bridge was built by the Romans.", "passive")[0].text
    'The Romans built the bridge.'
    """
    before = len(find_marks(sentence, form))
    why = (Reason("form", form),)
    return [
        Candidate(text, "forms", why)
        for text in _versions(sentence, form, banned)
        if len(find_marks(text, form)) < before
        and all(len(find_marks(text, other)) <= len(find_marks(sentence, other)) for other in banned)
    ]


def _versions(sentence: str, form: str, banned: Collection[str]) -> Iterator[str]:
    if form in _PERSONS:
        # In the third person somebody still does it: a passive would say that nobody need have.
        third = {"first person", "second person"} <= {*banned}
        yield from impersonal(sentence, _PERSONS[form], passive="passive" not in banned and not third)
        return
    if form in WORDINGS:
        yield from rewordings(sentence, find_wording(sentence, [WORDINGS[form]]))
        return
    if form == "passive":
        yield from active_versions(sentence)
        return
    if form == "told instruction":
        made = commanded(sentence)
        if made is not None:
            yield made
        return
    change = to_past if form == "present tense" else to_present
    made = change(sentence, loose=True)
    if made is not None:
        yield made
