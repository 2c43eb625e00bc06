"""Nouns that hide a verb, said by the verb: "make a decision" as "decide", "the removal of" as "removing"."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import capitalised
from redraft.text import VERB_FORMS, inflected, list_lines, plural, tagged, verb_forms, word_sets


class _Hidden(NamedTuple):
    verb: str
    links: dict[str, str]
    """The preposition behind the noun, and what stands behind the verb in its place."""
    is_done: bool
    """Whether "the noun of something" is doing it."""


def _read() -> dict[str, _Hidden]:
    found: dict[str, _Hidden] = {}
    for line in list_lines(__package__, "nominal.txt"):
        noun, verb, links, *further = line.split()
        parts = dict(one.split(":", 1) for one in links.split(","))
        known = found.get(noun)
        found[noun] = _Hidden(verb, {**(known.links if known else {}), **parts}, "ing" in further)
    return found


_HIDDEN: Final = _read()
_VERBS: Final = word_sets(__package__, "nominal-verbs.txt")
_ADVERBS: Final = {"": "", **dict(one.split("=") for one in _VERBS["adverbs"])}
_MAKERS: Final = {name: nouns for name, nouns in _VERBS.items() if name not in ("all", "adverbs")}
"""What is done by the less usual of these verbs; the others go with all."""
_PARTICLE: Final = dict(one.split("_") for one in (*_VERBS["all"], *_MAKERS) if "_" in one)
_LIGHT: Final = {
    form: base
    for one in (*_VERBS["all"], *_MAKERS)
    for base in [one.split("_")[0]]
    for form in verb_forms(base)
}
_NOUN: Final = "|".join(sorted({*_HIDDEN, *map(plural, _HIDDEN)}, key=len, reverse=True))
_SINGULAR: Final = {plural(one): one for one in _HIDDEN}
_LINKS: Final = "|".join(
    sorted({link for one in _HIDDEN.values() for link in one.links}, key=len, reverse=True)
)
_PHRASE: Final = re.compile(
    rf"(?i)\b(?P<light>{'|'.join(sorted(_LIGHT, key=len, reverse=True))})(?P<particle> out| to| at|"
    rf" forward| into)? "
    rf"(?:an? |the |any |some )?(?:(?P<how>{'|'.join(filter(None, _ADVERBS))}) )?(?P<noun>{_NOUN})\b(?:"
    rf" (?P<link>{_LINKS})\b)?"
)
_DONE: Final = "|".join(name for name, one in _HIDDEN.items() if one.is_done)
_DOING: Final = re.compile(
    r"(?i)(?P<before>\A|\b(?:for|by|on|after|before|prior to|about|regarding|concerning|without|from) )the "
    rf"(?P<noun>{_DONE}) of "
    r"(?=(?:the |a |an |all |any |new |our |your |their |its |these |those )?[a-z])"
)
_RULES: Final = re.compile(
    r"(?i)\A[^,;.]*? (?:requires?|takes?|involves?|needs?|helps?|will|can|may|must|should|is (?:not"
    r" )?(?:necessary|required"
    r"|important|essential|difficult|easy|hard|allowed|permitted|prohibited|forbidden))\b"
)
"""What is said of doing something, and not of what is done."""
_PASSIVES: Final = (
    (rf"(?:an? |the )?(?P<noun>{_NOUN}) (?P<be>was|were|is|are|will be|has been|have been) (?:held|had"
     rf"|carried out|undertaken"
     r"|conducted|performed|made|given|reached|done|obtained)(?: (?:on|of|about|regarding|concerning|to"
     r"|into|for|in)) "
     r"(?P<what>[^.,;]+?)(?=[.,;]| but | and | (?:on|in|by|at|before|after|during) (?:\d|the meeting"
     r"|Monday|Tuesday"
     r"|Wednesday|Thursday|Friday|\w+ \d{4}))"),
    (rf"(?:an? |the )?(?P<noun>{_NOUN}) (?P<be>took place|takes place|will take place) (?:on|of|about"
     rf"|regarding|concerning"
     r"|into|around) (?P<what>[^.,;]+?)(?=[.,;]| but )"),
    (rf"(?:an? |the )?(?P<noun>{_NOUN}) (?:of|in|to|into) (?P<what>[^.,;]{{3,50}}?) (?P<be>was|were|has"
     rf" been|have been|is|are|be|will be"
     r"|must be|should be|may be|can be) (?:given|made|carried out|achieved|effected|undertaken|done"
     r"|performed|conducted)"),
)  # fmt: skip
_STATED: Final = re.compile(
    r"(?i)\bit (?P<be>is|was) (?:the (?P<noun>[a-z]+) of (?P<who>the [a-z]+(?: [a-z]+)?|[A-Z][\w. ]+?)|"
    r"(?P<own>my|our|his|her|their) (?P<noun2>[a-z]+)) that\b"
)
_CHARGED: Final = re.compile(
    r"\A(?P<what>The [^,;]{3,60}?) (?P<be>is|was|will be) the responsibility of"
    r" (?P<who>[^,;.]{3,40})(?=[.,;])"
)
_BY_WHOM: Final = re.compile(
    rf"\A(?:An? |The )?(?P<noun>(?i:{_NOUN})) (?:was|were) (?:given|held|had|made|carried out|conducted"
    rf"|undertaken|performed) by "
    r"(?P<who>(?:the |our |an? )?(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?\w+(?: \w+)??) (?P<link>on|of|about"
    r"|regarding|to|into|with regard to) "
)
_DECIDED: Final = re.compile(r"\A(?:The|A) decision was (?:made|taken) to\b")
_SUBJECTS: Final = {"my": "I", "our": "we", "his": "he", "her": "she", "their": "they"}


def verbal(sentence: str) -> str | None:
    """The sentence with verbs for the nouns that hide them; None where there are none.

    >>> verbal("We carried out an analysis of the samples.")
    'We analysed the samples.'
    >>> verbal("He spoke about the removal of the trees.")
    'He spoke about removing the trees.'
    """
    made = _CHARGED.sub(r"\g<who> \g<be> responsible for \g<what>", _stated(sentence))
    made = _BY_WHOM.sub(_done_by, made)
    made = _DECIDED.sub("It was decided to", made)
    made = _without_passives(made)
    made = _PHRASE.sub(lambda found: _said(found, made), made)
    made = _DOING.sub(_done, made)
    if made == sentence:
        return None
    return capitalised(made) if sentence[:1].isupper() else made


def _said(found: re.Match[str], sentence: str) -> str:
    base = _LIGHT[found["light"].lower()]
    noun = found["noun"].lower()
    noun = _SINGULAR.get(noun, noun)
    hidden = _HIDDEN[noun]
    particle = (found["particle"] or "").strip()
    name = f"{base}_{particle}" if particle else base
    if _PARTICLE.get(base, "") != particle or noun not in _MAKERS.get(name, {noun}):
        return found[0]
    link = (found["link"] or "").lower()
    if link not in hidden.links:
        return found[0]
    tag = next((one.tag for one in tagged(sentence) if one.start == found.start("light")), "")
    if tag not in VERB_FORMS:
        return found[0]
    how = _ADVERBS[(found["how"] or "").lower()]
    then = hidden.links[link]
    said = inflected(hidden.verb, tag)
    said = f"{how} {said}" if how and tag != "VBG" else said
    return f"{said} {then}".rstrip()


def _done_by(found: re.Match[str]) -> str:
    """ "A presentation was given by Mr Li about the roof" as "Mr Li presented the roof"."""
    noun = found["noun"].lower()
    hidden = _HIDDEN[_SINGULAR.get(noun, noun)]
    link = "about" if found["link"] == "with regard to" else found["link"]
    then = hidden.links.get(
        link, "" if "of" in hidden.links and link in ("about", "on", "regarding") else None
    )
    if then is None:
        return found[0]
    return f"{capitalised(found['who'])} {inflected(hidden.verb, 'VBD')} {then}{' ' if then else ''}"


def _done(found: re.Match[str]) -> str:
    if not found["before"] and not _RULES.match(found.string, found.end()):
        return found[0]
    hidden = _HIDDEN[found["noun"].lower()]
    rest = hidden.links.get("of", "")
    return f"{found['before']}{inflected(hidden.verb, 'VBG')} {rest}{' ' if rest else ''}"


def _without_passives(sentence: str) -> str:
    """ "Consideration was given to the plan" as "the plan was considered"."""
    for pattern in _PASSIVES:
        found = re.search(rf"(?i)(?:\A|(?<=\bthat )){pattern}", sentence)
        if found is None:
            continue
        noun = found["noun"].lower()
        hidden = _HIDDEN[_SINGULAR.get(noun, noun)]
        what = found["what"].strip()
        many = bool(re.match(r"(?i)(?:\w+ ){0,8}?\w+s\b(?! of)", what)) and not re.match(
            r"(?i)(?:the|a|an) \w+(?<!s) (?:of|for|in)\b", what
        )
        be = found["be"].lower()
        be = {"took place": "was", "takes place": "is", "will take place": "will be"}.get(be, be)
        be = {"was": "were", "is": "are", "has been": "have been"}.get(be, be) if many else (
            {"were": "was", "are": "is", "have been": "has been"}.get(be, be)
        )  # fmt: skip
        what = what if found.start() else capitalised(what)
        done = inflected(hidden.verb, "VBN")
        return f"{sentence[: found.start()]}{what} {be} {done}{sentence[found.end() :]}"
    return sentence


def _stated(sentence: str) -> str:
    """ "It was the recommendation of the auditor that" as "the auditor recommended that"."""

    def turned(found: re.Match[str]) -> str:
        hidden = _HIDDEN.get((found["noun"] or found["noun2"]).lower())
        if hidden is None or "that" not in hidden.links:
            return found[0]
        who = found["who"] or _SUBJECTS[found["own"].lower()]
        is_past = found["be"].lower() == "was"
        many = who in ("I", "we", "they") or who.endswith("s")
        tag = "VBD" if is_past else "VBP" if many else "VBZ"
        return f"{who} {inflected(hidden.verb, tag)} that"

    made = _STATED.sub(turned, sentence)
    return capitalised(made) if made != sentence and sentence[:1].isupper() else made
