"""Rules of form that go with a wish for another tone: what no list of phrases can do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.revision.rewriting.edits import applied, capitalised, sound
from redraft.revision.rewriting.forms.address import ROLES, addressed_roles, to_reader
from redraft.revision.rewriting.forms.commands import commanded
from redraft.revision.rewriting.forms.gender import generic_they
from redraft.revision.rewriting.voice.actors import Telling, actor_edits
from redraft.revision.rewriting.wording.courtesy import courteous, is_order
from redraft.revision.rewriting.wording.nominal import verbal
from redraft.text import analyse_syntax, find_person, passive_verbs

_SPLICE: Final = re.compile(
    r"(?P<first>[^,;:]{12,}), (?P<next>(?:it|you|we|they|I|he|she|there|this|that)\b(?![^,;]*,).{8,})"
)
_WE: Final = re.compile(r"\b(?:[Ww]e|[Uu]s|[Oo]ur)\b")
_OPENS_CLAUSE: Final = re.compile(
    r"(?i)\A(?:if|when|as|while|because|since|after|before|although|though|once|unless|until|in|on|at"
    r"|for|to|by|with|whether"
    r"|what|however|then|first|also|well|yes|no|thanks|thank you|sorry|dear|so|and|but)\b"
)
_TOLD: Final = re.compile(r"(?i)\A(?!.*\byou(?:rs?)?\b)[^,;]* (?:should|must) be \w+(?:ed|en|t)\b")
_LEAD: Final = re.compile(r"(?:However|Therefore|Moreover|In addition|Furthermore|Thus|But|So|And),? ")
_STIFF_GREETING: Final = re.compile(
    r"(?i)\ADear (?:valued )?(customer|client|resident|tenant|member|subscriber|guest|applicant"
    r"|passenger|sir or madam|"
    r"sir/madam|sir|madam|colleague|parent|student|visitor|user)s?,"
)
_EVERY: Final = 3
"""So often an order gets a "please" where nothing more than a friendlier tone is wished."""


@dataclass
class Tone:
    """The rules that a wish for a tone calls for, and what they know of the whole text."""

    rules: tuple[str, ...]
    telling: Telling = field(default_factory=Telling)
    speaker: str = ""
    """How the writer speaks of themselves: "I", "we", or not at all."""
    roles: frozenset[str] = frozenset()
    turns: int = 0
    """How many sentences were made polite so far."""

    @classmethod
    def of(cls, rules: tuple[str, ...], sentences: Sequence[str]) -> Tone:
        """The rules for a text of these sentences."""
        text = " ".join(sentences)
        first = find_person(text, "first singular")
        speaker = "I" if first and len(first) >= len(_WE.findall(text)) else "we" if _WE.search(text) else ""
        roles = addressed_roles(sentences) if "address" in rules else _greeted(text)
        if "friendly" in rules and not roles:
            roles = _ruled(text, addressed_roles(sentences))
        telling = Telling.of(sentences) if "ours" in rules else Telling()
        if roles:
            telling = replace(telling, addressed=True)
        if roles and "friendly" in rules and "address" not in rules:
            rules = ("address", *rules)
        return cls(rules, telling, speaker, roles)

    def of_sentence(self, sentence: str) -> str | None:
        """The sentence as the rules have it; None where they have nothing to say of it."""
        text = sentence
        for rule in self.rules:
            text = next(iter(self._made(rule, text)), text)
        return text if text != sentence else None

    def _made(self, rule: str, sentence: str) -> Iterator[str]:
        match rule:
            case "polite" | "apologetic":
                apologetic = "apologetic" in self.rules
                yield from courteous(sentence, apologetic, speaker=self.speaker, turn=self.turns)
            case "friendly" if _STIFF_GREETING.match(sentence):
                yield _STIFF_GREETING.sub("Hello,", sentence)
            case "friendly" if self.roles and _TOLD.search(sentence) and (made := commanded(sentence)):
                yield from courteous(made) if self.turns % _EVERY == 0 else [made]
            case "friendly" if is_order(sentence) and self.turns % _EVERY == 0:
                yield from courteous(sentence)
            case "ours" if made := _active(sentence, self.telling):
                yield made
            case "verbal" if made := verbal(sentence):
                yield made
            case "address" if made := to_reader(sentence, self.roles):
                yield made
            case "generic" if made := generic_they(sentence):
                yield made
            case "formal" if made := _unspliced(sentence):
                yield made


def _greeted(text: str) -> frozenset[str]:
    """Whom a letter greets by a role: "Dear Member"."""
    found = _STIFF_GREETING.search(text)
    role = found[1].lower() if found else ""
    return frozenset({role} & ROLES)


def _ruled(text: str, roles: frozenset[str]) -> frozenset[str]:
    """Whom a text gives rules to, where nobody else is spoken of or to."""
    told = "are (?:required|asked|advised|requested|reminded)"
    rule = rf"(?i)\b(?:{'|'.join(roles)})s? (?:must|shall|should|may|can|will|{told})\b"
    return roles if len(roles) == 1 and re.search(rule, text) else frozenset()


def _active(sentence: str, telling: Telling) -> str | None:
    """A passive as what "we" do or "you" can do, where its subject opens the sentence and is plain."""
    read = analyse_syntax(sentence)
    for verb in passive_verbs(read):
        end = read.noun_phrase(0)
        while read.word(end) in ("of", "for") and read.noun_phrase(end + 1) > end + 1:
            end = read.noun_phrase(end + 1)
        if verb.first != end or read.held[verb.first] or read.quoted:
            return None
        edits = actor_edits(read, verb, telling)
        made = capitalised(applied(sentence, edits)) if edits else None
        return made if made is not None and sound(sentence, made) else None
    return None


def _unspliced(sentence: str) -> str | None:
    """A comma that joins two sentences as a semicolon: "it is not all bad, you can get help"."""
    lead = _LEAD.match(sentence)
    if lead is not None:
        made = _unspliced(sentence[lead.end() :])
        return f"{lead[0]}{made}" if made is not None else None
    found = _SPLICE.fullmatch(sentence)
    if found is None or _OPENS_CLAUSE.match(sentence):
        return None
    first, second = analyse_syntax(found["first"]), analyse_syntax(found["next"])
    whole = second.subject_and_verb(0) and (
        (first.subject_and_verb(0) and first.main is not None) or is_order(f"{found['first']}.")
    )
    return f"{found['first']}; {found['next']}" if whole and not first.quoted else None
