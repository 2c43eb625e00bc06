"""Nouns that hide a verb, said by the verb: "make a decision" as "decide", "the removal of" as "removing"."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import capitalised
from redraft.text import VERB_FORMS, inflected, list_lines, plural, tagged, verb_forms


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
_LIGHT: Final = {
    form: base
    for base in ("make", "give", "provide", "offer", "have", "hold", "reach", "take", "conduct", "perform", "undertake",
                 "do", "submit", "place", "effect", "issue", "exert", "complete", "achieve", "carry", "come", "arrive",
                 "put", "enter", "cause", "deliver", "raise", "lodge")
    for form in verb_forms(base)
}  # fmt: skip
_PARTICLE: Final = {"carry": "out", "come": "to", "arrive": "at", "put": "forward", "enter": "into"}
_MAKERS: Final = {
    "cause": {"damage", "harm"}, "deliver": {"presentation"}, "raise": {"objection"}, "lodge": {"complaint", "objection"},
    "take": {"decision", "measurement"}, "hold": {"discussion", "meeting", "consultation", "negotiation"},
    "have": {"discussion", "meeting", "effect", "impact", "influence", "need", "intention", "preference", "doubt", "wish",
             "hope", "belief", "control", "plan"},
    "do": {"analysis", "check", "test", "review", "study", "comparison", "search", "count", "calculation", "assessment",
           "evaluation", "investigation", "inspection"},
    "reach": {"decision", "conclusion", "agreement"}, "come": {"decision", "conclusion", "agreement"},
    "arrive": {"decision", "conclusion"}, "achieve": {"reduction", "improvement", "increase"},
    "complete": {"analysis", "review", "assessment", "installation", "evaluation"},
    "exert": {"influence", "control"}, "issue": {"apology", "warning", "statement", "announcement"},
    "place": {"request"}, "enter": {"agreement", "negotiation", "discussion"}, "put": {"suggestion", "proposal"},
}  # fmt: skip
"""What is done by the less usual of these verbs; the others go with all."""
_ADVERBS: Final = {
    "": "", "careful": "carefully", "thorough": "thoroughly", "detailed": "in detail", "full": "fully", "brief": "briefly",
    "quick": "quickly", "final": "finally", "significant": "greatly", "major": "greatly", "big": "greatly",
    "direct": "directly", "regular": "regularly", "significantly": "greatly", "formal": "formally", "great": "greatly",
    "comprehensive": "fully", "immediate": "immediately", "frequent": "frequently", "critical": "critically",
}  # fmt: skip
_NOUN: Final = "|".join(sorted({*_HIDDEN, *map(plural, _HIDDEN)}, key=len, reverse=True))
_SINGULAR: Final = {plural(one): one for one in _HIDDEN}
_LINKS: Final = "|".join(sorted({link for one in _HIDDEN.values() for link in one.links}, key=len, reverse=True))
_PHRASE: Final = re.compile(
    rf"(?i)\b(?P<light>{'|'.join(sorted(_LIGHT, key=len, reverse=True))})(?P<particle> out| to| at| forward| into)? "
    rf"(?:an? |the |any |some )?(?:(?P<how>{'|'.join(filter(None, _ADVERBS))}) )?(?P<noun>{_NOUN})\b(?: (?P<link>{_LINKS})\b)?"
)
_DOING: Final = re.compile(
    r"(?i)(?P<before>\A|\b(?:for|by|on|after|before|prior to|about|regarding|concerning|without|from) )the "
    rf"(?P<noun>{'|'.join(sorted((name for name, one in _HIDDEN.items() if one.is_done), key=len, reverse=True))}) of "
    r"(?=(?:the |a |an |all |any |new |our |your |their |its |these |those )?[a-z])"
)
_RULES: Final = re.compile(
    r"(?i)\A[^,;.]*? (?:requires?|takes?|involves?|needs?|helps?|will|can|may|must|should|is (?:not )?(?:necessary|required"
    r"|important|essential|difficult|easy|hard|allowed|permitted|prohibited|forbidden))\b"
)
"""What is said of doing something, and not of what is done."""
_PASSIVES: Final = (
    (rf"(?:an? |the )?(?P<noun>{_NOUN}) (?P<be>was|were|is|are|will be|has been|have been) (?:held|had|carried out|undertaken"
     r"|conducted|performed|made|given|reached|done|obtained)(?: (?:on|of|about|regarding|concerning|to|into|for|in)) "
     r"(?P<what>[^.,;]+?)(?=[.,;]| but | and | (?:on|in|by|at|before|after|during) (?:\d|the meeting|Monday|Tuesday"
     r"|Wednesday|Thursday|Friday|\w+ \d{4}))"),
    (rf"(?:an? |the )?(?P<noun>{_NOUN}) (?P<be>took place|takes place|will take place) (?:on|of|about|regarding|concerning"
     r"|into|around) (?P<what>[^.,;]+?)(?=[.,;]| but )"),
    (rf"(?:an? |the )?(?P<noun>{_NOUN}) (?:of|in|to|into) (?P<what>[^.,;]{{3,50}}?) (?P<be>was|were|has been|have been|is|are|be|will be"
     r"|must be|should be|may be|can be) (?:given|made|carried out|achieved|effected|undertaken|done|performed|conducted)"),
)  # fmt: skip
_STATED: Final = re.compile(
    r"(?i)\bit (?P<be>is|was) (?:the (?P<noun>[a-z]+) of (?P<who>the [a-z]+(?: [a-z]+)?|[A-Z][\w. ]+?)|"
    r"(?P<own>my|our|his|her|their) (?P<noun2>[a-z]+)) that\b"
)
_CHARGED: Final = re.compile(
    r"\A(?P<what>The [^,;]{3,60}?) (?P<be>is|was|will be) the responsibility of (?P<who>[^,;.]{3,40})(?=[.,;])"
)
_SUBJECTS: Final = {"my": "I", "our": "we", "his": "he", "her": "she", "their": "they"}


def verbal(sentence: str) -> str | None:
    """The sentence with verbs for the nouns that hide them; None where there are none.

    >>> verbal("We carried out an analysis of the samples.")
    'We analysed the samples.'
    >>> verbal("He spoke about the removal of the trees.")
    'He spoke about removing the trees.'
    """
    made = _CHARGED.sub(r"\g<who> \g<be> responsible for \g<what>", _stated(sentence))
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
    if _PARTICLE.get(base, "") != particle or noun not in _MAKERS.get(base, {noun}):
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
    said = f"{how} {said}" if how and how != "in detail" and tag != "VBG" else said
    return f"{said} {then}".rstrip() if how != "in detail" else found[0]


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
        many = bool(re.match(r"(?i)(?:the |all |these |those |\w+ )*?\w+s\b(?! of)", what)) and not re.match(
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
