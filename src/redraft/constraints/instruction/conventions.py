"""Conventions of writing: the spelling, and the serial comma."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from redraft.constraints.base import Constraint
from redraft.constraints.kinds import SerialComma, Spelling
from redraft.text import Variant

from .keywords import Keywords
from .lexicon import WORDINGS, Tag
from .patterns import Found, Line

_VARIANTS: Final[tuple[Variant, ...]] = ("british", "american", "oxford")
_VARIANT: Final = "|".join(f"(?:{WORDINGS[name]})" for name in _VARIANTS)
_SPELLING: Final = (
    r"(?: (?:english|en))?(?: (?:spelling (?:conventions|rules)|spellings?|orthography)| english)"
)
_LOOSE: Final = rf"(?:{_SPELLING}| ones| english| style| way| variants?)?"
_HINT: Final = re.compile(r"spell|english|anglici|american|comma")
"""One of these is in every wording; it spares the long patterns."""
_FROM_TO: Final = re.compile(
    r" (?:(?:convert|change|switch|turn|replace|go|move|swap)(?: \w+){0,3}? )?(?:from )?"
    rf"(?:{_VARIANT}){_LOOSE}"
    rf" (?:to|into|with|by|for) (?:the )?(?P<variant>{_VARIANT}){_LOOSE}(?= )"
)
_RATHER: Final = re.compile(
    rf" (?P<variant>{_VARIANT}){_LOOSE}(?: ,| \()? (?:not|rather than|instead of|over|and not|never)(?: the)?"
    rf" (?:{_VARIANT})(?: ,)?{_LOOSE}(?= )"
)
_EITHER: Final = re.compile(rf" (?:{_VARIANT}){_LOOSE} (?:or|and|,|/|nor) (?:{_VARIANT})(?= )")
_PLAIN: Final = re.compile(rf" (?:en )?(?P<variant>{_VARIANT}){_SPELLING}(?= )")
_SAID_BEHIND: Final = re.compile(
    r" (?:the |all )?(?:words )?(?:(?:should|must|to) be |is |are )?spell(?:ings?|ed|t)?"
    r"(?: (?:everything|it|words|all|should|must|has to|needs to|to|is|are|be|:|=|follows?|in|the|use|uses"
    r"|conventions?)){0,4}"
    rf" (?P<variant>{_VARIANT})(?: english| way| style| spelling| conventions?| rules?)?(?= )"
)
_MADE_SO: Final = re.compile(r" (?P<made>american|anglic)i[sz]e (?:the |all |my |its |our )?spellings?(?= )")
_ISE: Final = re.compile(r" - ise (?:spellings?|endings?|forms?)(?: , (?:and )?not - ize)?(?= )")
_IZE: Final = re.compile(r" - ize\b")
_JOINS: Final = r"(?:and|or|Q|item)(?: (?:and|or|/) (?:the )?(?:Q|or))?"
_JOIN_WORDS: Final = ("and", "or")
_COMMA: Final = re.compile(
    r" (?:oxford|serial|harvard|series) commas?"
    r"(?: (?:in|before|for|to) (?:all |every |each |any |the |a )*(?:lists?|series|enumerations?|last item"
    r"(?: of (?:a|any|each|every|the) list)?|items?))?(?= )"
    r"| commas? before (?:the )?(?:final|last) (?:and|or|Q|item)(?: or Q)?"
    r"(?: (?:in|of) (?:a|any|each|every|the|all)? ?(?:lists?|series))?(?= )"
    rf"| commas? (?:before|in front of) (?:the |an |any )?(?:final |last )?{_JOINS} (?:in|of|for)"
    r"(?: (?:a|any|each|every|the|all|your|my))* (?:lists?|series|enumerations?)"
    r"(?: (?:of|with) (?:N|R)(?: (?:or more|and more|and up|\+|plus|items?|things?|elements?|words))*)?(?= )"
)
# Behind "in lists of three or more": "… put a comma before the 'and'"
_COMMA_IN_THEM: Final = re.compile(rf" commas? (?:before|in front of) (?:the )?{_JOINS}(?= )")
_LISTS: Final = re.compile(r" (?:lists?|series|enumerations?) ")

_FILLER: Final = rf"(?: (?:{WORDINGS['convention_filler']}))*"
_BREAK: Final = re.compile(r" (?:,|and|but|;|:|\() ")
_KEPT, _LEFT, _OUT, _ASKED = (
    re.compile(rf"\b(?:{WORDINGS[name]}){_FILLER} ?\Z")
    for name in ("not_changed", "lets_be", "rules_out", "asks_for")
)
_DENIED: Final = re.compile(r"\b(?:not|never|no longer)\b(?: \w+){0,3} ?\Z")
_ALLOWED: Final = re.compile(
    r" (?:(?:is|are)(?: both| also| all)? (?:fine|ok|okay|acceptable|allowed|good|correct|all right|optional)"
    r"|either way|or not|does not matter|do not matter|was|were|had|has|did|got|confuse[sd]|looks?)\b"
)
_UNSAID: Final = re.compile(
    r"(?: (?:please|also|then|and|the|all|always|but|,|:|-|make|making|sure|that|ensure|ensuring|so))*\s*"
)
_ENDS: Final = re.compile(
    r"\s*(?:\Z|[,;:(.)-]|(?:and|but|throughout|only|please|everywhere|always|in|for|with|while|alone|yes"
    r"|as|(?:should|must) be used|(?:is|are) (?:required|preferred|wanted|used|needed))\b)"
)
_TAIL: Final = re.compile(
    r" (?:\( - i[sz]e \) ?)?(?:throughout|only|please|everywhere|alone|: yes|as (?:it is|they are)"
    r"|where (?:it is|they are) missing|(?:should|must) be used"
    r"|(?:is|are) (?:not )?(?:required|preferred|wanted|used|needed))(?= )"
)
_ENSURED: Final = re.compile(r"\b(?:that|sure|ensure|ensuring|so|certain)\s*\Z")
_NEAR: Final = 150
"""So many characters before a convention can bear on it."""
_WORD: Final = re.compile(r"\S+")
_NO: Final = re.compile(r" (?:: no|(?:is|are|should|must)(?: not| never)(?: be)?(?: used| wanted)?)(?= )")


def convention_rules(line: Line) -> Iterator[Found]:
    """The spelling and the serial comma that a line asks for."""
    if _HINT.search(line.prose):
        yield from _spelling(line)
        yield from _serial_comma(line)


def _spelling(line: Line) -> Iterator[Found]:
    prose = line.prose
    if match := _FROM_TO.search(prose) or _RATHER.search(prose):
        if re.search("spell|english", match[0]):
            variant = _variant(match["variant"])
            denied = _DENIED.search(_ahead(prose, match))
            yield found_in(line, match, Spelling(_other(variant) if denied else variant))
        return
    if _EITHER.search(prose):
        return
    if match := _MADE_SO.search(prose):
        made: Variant = "american" if match["made"] == "american" else "british"
        denied = _DENIED.search(_ahead(prose, match))
        yield found_in(line, match, Spelling(_other(made) if denied else made))
        return
    if match := _ISE.search(prose):
        if asked_for(prose, match):
            yield found_in(line, match, Spelling("british"))
        return
    if match := _PLAIN.search(prose) or _SAID_BEHIND.search(prose):
        variant = _variant(match["variant"])
        if variant == "british" and _IZE.search(prose):
            variant = "oxford"
        asked = _wanted(prose, match) if match.re is _SAID_BEHIND else asked_for(prose, match)
        if asked:
            yield found_in(line, match, Spelling(_other(variant) if asked == "other" else variant))


def _serial_comma(line: Line) -> Iterator[Found]:
    match = _COMMA.search(line.prose)
    if match is None and (match := _COMMA_IN_THEM.search(line.prose)):
        match = match if _LISTS.search(line.prose, 0, match.start() + 1) else None
    if match and _joins_items(line, match) and (asked := asked_for(line.prose, match)):
        yield found_in(line, match, SerialComma("use" if asked == "same" else "avoid"))


def _joins_items(line: Line, match: re.Match[str]) -> bool:
    """Whether what is quoted is the word that joins the items of a list, and not "but"."""
    start, end = line.within(match)
    chunks = [chunk for chunk in line.chunks[start:end] if chunk.tag in (Tag.KEYWORDS, Tag.QUOTATION)]
    values = [chunk.value.texts if isinstance(chunk.value, Keywords) else (chunk.value,) for chunk in chunks]
    return all(str(text).lower() in _JOIN_WORDS for texts in values for text in texts)


def _variant(words: str) -> Variant:
    return next(name for name in _VARIANTS if re.fullmatch(WORDINGS[name], words))


def _other(variant: Variant) -> Variant:
    """What is left where a variant is ruled out."""
    return "american" if variant == "british" else "british"


def _wanted(prose: str, match: re.Match[str]) -> Literal["same"] | None:
    """Whether "the spelling is British" says how it is to be, and not how it is."""
    told = re.search(r" (?:is|are) ", match[0]) and not _ENSURED.search(_ahead(prose, match))
    return None if told else "same"


def asked_for(prose: str, match: re.Match[str]) -> Literal["same", "other"] | None:
    """Whether a convention is asked for, or the other one, or nothing at all."""
    ahead, behind = _ahead(prose, match), prose[match.end() :]
    if _ALLOWED.match(behind) or _LEFT.search(ahead):
        return None
    if _KEPT.search(ahead):
        return "same"
    if _NO.match(behind):
        return "other"
    if _DENIED.search(ahead):
        return "other"
    verb, out = _ASKED.search(ahead), _OUT.search(ahead)
    is_out = out is not None and (verb is None or out.start() <= verb.start())
    if is_out and not ahead.endswith((" to", " into", " with")):
        return "other"
    if verb:
        return "same"
    return "same" if _UNSAID.fullmatch(ahead) and _ENDS.match(behind) else None


def _ahead(prose: str, match: re.Match[str]) -> str:
    """What stands before it in its clause."""
    before = prose[max(0, match.start() - _NEAR) : match.start()]
    breaks = list(_BREAK.finditer(before + " "))
    return before[breaks[-1].end() - 1 :] if breaks else before


def found_in(line: Line, match: re.Match[str], constraint: Constraint) -> Found:
    """The chunks that say it, from the verb on."""
    start, end = line.within(match)
    ahead = _ahead(line.prose, match)
    verbs = [verb.start() for one in (_KEPT, _DENIED, _OUT, _ASKED) if (verb := one.search(ahead))]
    if verbs:
        verb = _WORD.search(line.prose, match.start() - len(ahead) + min(verbs))
        start = line.within(verb)[0] if verb else start
    tail = _TAIL.match(line.prose, match.end()) or _NO.match(line.prose, match.end())
    return Found(constraint, start, line.within(tail)[1] if tail else end)
