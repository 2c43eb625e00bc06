"""Sentences told in another form, by rule and in the light of the whole text, before anything else is done.

What is asked for may be the active voice, another person, another tense, commands or a list. The rules know
who acts elsewhere in the text, which no sentence says by itself. What they cannot do well is left to the
search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Final

from redraft.constraints import Constraint, Keyword, ListForm
from redraft.revision.draft import Draft, Unit
from redraft.revision.first.sentence_edits import carried, left_to_do
from redraft.revision.records import Change, Reason, explained
from redraft.revision.revision import Revision
from redraft.revision.rewriting.forms.addressees import spoken_to
from redraft.revision.rewriting.forms.commands import commanded
from redraft.revision.rewriting.forms.forms import without_form
from redraft.revision.rewriting.forms.lists import as_list, with_lists
from redraft.revision.rewriting.forms.narrators import continued, told
from redraft.revision.rewriting.forms.speakers import Speakers, advised, impersonal_by_text
from redraft.revision.rewriting.forms.who_speaks import Narrator
from redraft.revision.rewriting.voice.actors import Telling
from redraft.revision.rewriting.voice.without_passives import without_passives
from redraft.revision.task import FORM_KINDS, Task
from redraft.text import FORMS, NOUN, Document, Person, analyse_syntax, mask, quoted_sentences

BY: Final = "forms"
"""Who made such a change."""
_DONE: Final = "the sentences were put as asked, by rule: no model was asked"
_LEFT: Final = "the sentences were put as asked, as far as rules can: no model was asked"
_AS_LIST: Final = Reason("list")
_LATER: Final = {"today": "that day", "tomorrow": "the next day", "tonight": "that evening"}
_NOW: Final = re.compile(r"\b(?:today|tomorrow|tonight)\b")
_MARKER: Final = re.compile(r"(?:\(?\d{1,3}[.)]|[-*•/]|\([a-z]\))\s+")
_THIS: Final = (
    r"(?:it|this|that|the|my|text|draft|sentences?|bio|biography|essay|report|article|paragraph|summary)"
)
_NO_MORE: Final = re.compile(
    r"(?i)(?:(?:please|can you|could you) )*"
    r"(?:(?:rewrite|rephrase|redo|change|fix|convert|turn|put)"
    rf"(?: {_THIS})*"
    r"|(?:it['’]?s|it is|this is|that['’]?s) (?:for |going in(?:to)? |part of )?"
    r"(?:an?|the|my|our|your) (?P<kind>(?:\w+ ){0,2}\w+)"
    r"|(?:my|our|the) (?P<who>(?:\w+ ){0,2}?\w+)(?: (?:says?|said|wants?|insists?|asked))?"
    rf"|(?:write|tell|put)(?: {_THIS})* in(?:to)? the third person"
    r"|keep (?:the |all )*(?:facts|meaning|content))?(?: please)?"
)
"""What says no more than that the text is to be put so, or what it is for."""
_NEAR: Final = 2
"""So many sentences back stands what a pronoun means."""


class Retold:
    """A task after its sentences were put into the forms that are asked for."""

    def __init__(self, task: Task) -> None:
        self.given = task
        self._own = [task.original[one.start : one.end] for one in task.before.sentences]
        self._changes: list[Change] = []
        self._is_listed = False
        self._speakers, self._narrator = Speakers(), Narrator()
        self._near: tuple[list[str], str] = [], ""
        self.text = self._retold() if task.is_english and self._forms else task.original
        wanted = next((one for one in task.constraints if isinstance(one, ListForm)), None)
        if wanted is not None and task.format != "latex" and not wanted.check(None, task.read(self.text)).met:
            self._list(wanted)

    @property
    def _forms(self) -> list[str]:
        """The forms that have to go, in the order in which they do: who acts is put last."""
        found = [form for form in FORMS if form in self.given.banned_marks]
        if any(map(_bans_i, self.given.constraints)) and "first person" not in found:
            found = [*found, "first person singular"]
        return sorted(
            found, key=lambda form: (form != "told instruction", "tense" not in form, form == "passive")
        )

    def _retold(self) -> str:
        task = self.given
        sentences = task.before.sentences
        own = self._own
        fixed = {one.number for one in task.kept}
        quoted = quoted_sentences(task.before.document)
        is_fixed = task.before.document.is_in_table
        telling, self._speakers = Telling.of(own), Speakers.of(own)
        third = "second person" in self._forms or "passive" in self._forms
        self._narrator = Narrator.of(own, task.instruction, third=third)
        commands = spoken_to(own) if "told instruction" in self._forms else own
        units: list[Unit] = []
        at = 0
        for place, (sentence, text) in enumerate(zip(sentences, own, strict=True)):
            free = sentence.number not in fixed and text not in quoted and not is_fixed(sentence.start)
            spoken_of = _nouns(own[max(0, place - _NEAR) : place])
            self._near = [one.text for one in units[-_NEAR:]], "".join(own[place + 1 : place + 2])
            new = self._put(commands[place], telling, spoken_of) if free else text
            if new != text:
                new = continued(units[-1].text, new, self._narrator) if units else new
                why = (Reason("form", form) for form in self._forms if _is_about(text, new, form, task))
                self._changes.append(Change(text, new, BY, explained(why)))
            units.append(Unit(new, task.original[at : sentence.start], new))
            at = sentence.end
        return Draft(tuple(units), task.original[at:]).text if self._changes else task.original

    def _put(self, text: str, telling: Telling, spoken_of: frozenset[str]) -> str:
        """A sentence without the forms that have to go, as far as can be."""
        task = self.given
        hidden = mask(advised(text) if "first person" in self._forms else text, task.format)
        now, fault = text, task.fault(text)
        for form in self._forms:
            marker = _MARKER.match(hidden.text)
            at = marker.end() if marker else 0
            for made in self._versions(hidden.text[at:], form, telling, spoken_of):
                whole = hidden.tried(hidden.text[:at] + made)
                half = form.startswith("first person") and task.count_marks(whole or "", form)
                if whole is not None and whole != now and task.fault(whole) <= fault and not half:
                    now, fault, hidden = whole, task.fault(whole), mask(whole, task.format)
                    break
        return now

    def _versions(
        self, sentence: str, form: str, telling: Telling, spoken_of: frozenset[str]
    ) -> Iterator[str]:
        if form in ("passive", "told instruction"):
            by_rule = (
                without_passives(sentence, telling, spoken_of) if form == "passive" else commanded(sentence)
            )
            if by_rule is not None:
                yield by_rule
            return
        banned = self.given.banned_marks
        if form.startswith("first person"):
            person: Person = "first" if form == "first person" else "first singular"
            whole = told(sentence, self._narrator, person, *self._near)
            if whole is not None and not self._speakers.meets:
                yield whole
            named = impersonal_by_text(sentence, self._speakers) or sentence
            further = [one.text for one in without_form(named, form, banned)]
            yield from further[-1:] if named != sentence or not self._speakers.names_us else further
            if named != sentence:
                yield named
            if whole is not None:
                yield whole
        made = [one.text for one in without_form(sentence, form, banned)]
        if not made and form == "present tense":
            made = [one.text for one in without_form(_then(sentence), form, banned)]
        yield from made

    def _list(self, wanted: ListForm) -> None:
        """The text as a list, its changes told by the sentences of the original."""
        one_action = wanted.items == "one action" and self.given.is_english
        document = Document(self.text, self.given.format)
        if wanted.items == "enumerated":
            kept = {self._own[one.number - 1] for one in self.given.kept} | quoted_sentences(document)
            self.text, items = with_lists(document, wanted.style, kept)
        else:
            self.text, items = as_list(document, wanted.style, one_action=one_action)
        before = {change.after: change.before for change in self._changes}
        listed = [
            Change(
                before.get(source, source), "\n".join(one.line for one in group), BY, explained([_AS_LIST])
            )
            for source, group in groupby(items, key=attrgetter("source"))
        ]
        known = {change.before for change in listed}
        self._changes = [*(one for one in self._changes if one.before not in known), *listed]
        self._is_listed = bool(listed)

    @property
    def task(self) -> Task:
        """What is left to do: a list has more sentences than what it stands for, and so others move."""
        task = self.given.on(self.text)
        if not self._is_listed:
            return task
        made = {change.before: change.after for change in self._changes}
        changed = {place for place, text in enumerate(self._own) if text in made}
        constraints = [
            carried(one, self.given.before, partial(self._numbers, made), changed) for one in task.constraints
        ]
        return left_to_do(task, [one for one in constraints if one is not None])

    def _numbers(self, made: Mapping[str, str], places: Sequence[int]) -> list[int]:
        """The numbers of sentences of the original in the text as it is now."""
        numbers: dict[int, int] = {}
        number = 1
        for place, (sentence, text) in enumerate(zip(self.given.before.sentences, self._own, strict=True)):
            if not sentence.aside:
                numbers[place] = number
                number += len(self.given.read(made[text]).sentences) if text in made else 1
        return [numbers[place] for place in places if place in numbers]

    @property
    def is_all(self) -> bool:
        """Whether nothing else is asked for, and all of it is done."""
        task = self.given
        others = [one for one in task.constraints if not (_is_form(one) or _bans_i(one))]
        says_more = not all(_says_no_more(one.strip()) for one in re.split(r"[.,;:?!()]", task.style))
        return not (others or says_more) and task.check(self.text).met

    def revision(self) -> Revision:
        """The new forms alone."""
        findings = self.given.check(self.text)
        return self.told(Revision(self.text, findings, stopped=_DONE if findings.met else _LEFT))

    def told(self, found: Revision) -> Revision:
        """A revision of the text in its new forms, as one of the writer's own text."""
        changes = list(found.changes)
        for made in self._changes:
            places = [place for place, one in enumerate(changes) if made.after in one.before]
            for place in places:
                one = changes[place]
                changes[place] = replace(one, before=one.before.replace(made.after, made.before))
            if not places:
                changes.append(made)
        order = sorted(changes, key=lambda one: self.given.original.find(one.before))
        return replace(found, changes=tuple(order))


def _says_no_more(said: str) -> bool:
    """Whether a part of an instruction wishes for nothing: it names a text or a person, and no more."""
    found = _NO_MORE.fullmatch(said)
    if found is None:
        return False
    name = found["kind"] or found["who"]
    return name is None or {*analyse_syntax(f"the {name}").tags[1:]} <= NOUN


def _then(sentence: str) -> str:
    """A sentence of today, told later."""
    return _NOW.sub(lambda found: _LATER[found[0]], sentence)


def _is_form(constraint: Constraint) -> bool:
    return isinstance(constraint, FORM_KINDS)


def _bans_i(constraint: Constraint) -> bool:
    """Whether "I" may not be there: that is a person more than a word, and no sentence has to go for it."""
    return isinstance(constraint, Keyword) and (constraint.keyword, constraint.relation) == ("I", "remove")


def _is_about(before: str, after: str, form: str, task: Task) -> bool:
    """Whether a change has to do with a form."""
    return task.count_marks(after, form) != task.count_marks(before, form)


def _nouns(sentences: list[str]) -> frozenset[str]:
    reads = map(analyse_syntax, sentences)
    return frozenset(
        low for read in reads for low, tag in zip(read.low, read.tags, strict=True) if tag in NOUN
    )
