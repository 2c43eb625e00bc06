"""Named parts of the text, read before anything else: "keep the title", "the last paragraph under 50 words".

The rules for counts would take the bound of a part for one on the whole text, so what is said of a part is
looked for in the text itself and taken out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Constraint
from redraft.constraints.bounds import relate
from redraft.constraints.kinds import PartLength, Parts
from redraft.constraints.kinds.parts import Unit
from redraft.constraints.worded_bounds import BEHIND, BOUND, NUMBER, worded_number, worded_relation
from redraft.text import CARDINALS, ORDINALS, Span, late_pattern

_NEAR: Final = 60
"""Characters before a demand that bear on it."""
_MOST: Final = 50
"""Demands on parts that are read in one instruction."""
_ABOUT: Final = 0.1
"""How far "about 50 words" may be off, either way."""

_NTH: Final = rf"(?:{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)|last|final|closing|opening)"
_OF: Final = r"(?:the|my|our|your|its)\ (?:very\ )?"
# Not "the abstract" and "the summary", which mostly are the whole text
_SECTIONS: Final = (
    r"(?:introduction|intro|conclusions?|methods|results|discussion|background|ending|beginning)"
)
_CALLED: Final = (
    r"(?:“[^”\n]{1,60}”|\"[^\"\n]{1,60}\"|['‘][^'’\n]{1,60}['’]"
    r"|[A-Z][\w&-]{0,40}(?:\ (?:and\ |of\ |the\ )*[A-Z][\w&-]{0,40}){0,4})"
)
# Case tells a name from other words: "the Methods section", but not "the longest section".
_SECTION: Final = (
    rf"(?:(?i:(?:{_OF})?)(?:{_CALLED}|(?i:{_SECTIONS}|abstract|summary))\ (?i:section|chapter)"
    rf"|(?i:(?:{_OF})?(?:section|chapter))\ (?i:called\ |named\ |titled\ )?{_CALLED}"
    rf"|(?i:{_OF}{_SECTIONS}|{_OF}{_NTH}\ section\b))"
)
_PARAGRAPH: Final = rf"(?i:paragraph\ [1-9]\d{{0,2}}\b|{_OF}{_NTH}\ paragraph\b)"
_TITLE: Final = rf"(?i:(?:{_OF}|a\ )?title\b(?!\ (?:case|page)))"
_ITEM: Final = (
    r"(?:bullet(?:[ -]?point|ed\ item)?|list\ item|(?:sub-?)?(?:section\ )?(?:heading|header|headline))"
)
REGION: Final = rf"(?:{_PARAGRAPH}|{_TITLE}|{_SECTION}|(?i:{_ITEM}\ [1-9]\d{{0,2}}\b|{_OF}{_NTH}\ {_ITEM}\b))"
_ONE_OF_EACH: Final = rf"(?:{_ITEM}|section)"
_EACH: Final = (
    rf"(?i:(?:each|every|any)(?:\ (?:single|one\ of\ (?:the|my|our)))?\ {_ONE_OF_EACH}s?\b"
    rf"|(?:each|all|any)\ (?:of\ )?(?:the\ |my\ |our\ )?{_ONE_OF_EACH}s\b"
    rf"|(?:the\ |my\ |our\ |your\ )?{_ONE_OF_EACH}s\b)"
)
_BOUNDED: Final = rf"(?P<part>{REGION}|{_EACH})"

_KINDS: Final[tuple[tuple[str, str], ...]] = (
    ("headings", r"(?:sub-?)?(?:section\ )?(?:headings|headers|headlines|subheads)(?:\ and\ sub-?headings)?"),
    ("bullets", r"(?:bullets|bullet(?:ed)?[ -]?(?:points|lists?|items)|list\ items|(?:numbered\ )?lists?)"),
    ("greeting", r"(?:greeting|salutation)"),
    ("signature", r"(?:signature(?:\ block)?|sign-?\ ?off|complimentary\ close|valediction)"),
    ("equations", r"(?:equations|formulae?s?|maths?)"),
    ("code", r"(?:inline\ )?(?:code(?:[ -](?:blocks?|snippets?|samples?|examples?|listings?))?|snippets)"),
    ("dialogue", r"(?:dialogues?|direct\ speech)"),
)
_ALL: Final = rf"(?:any\ of\ |all\ (?:of\ )?)?(?:{_OF})?"
_BEHIND_LAST: Final = (
    r"(?:second|2nd|next)[ -](?:to[ -])?(?:the[ -])?(?:last|final)|penultimate|last\ but\ one"
)
_NAMED: Final = (
    rf"(?:(?i:{_OF}(?:{_BEHIND_LAST})\ sentence|{_OF}last\ sentence\ but\ one)"
    rf"|(?i:{_OF}(?:last|final|closing)(?:\ (?:\d{{1,2}}|{'|'.join(CARDINALS)}))?\ sentences?\b(?!\ but))"
    rf"|(?i:paragraphs?\ \d{{1,3}}(?:(?:,\ |,?\ (?:and|or)\ )\d{{1,3}}\b){{0,12}}"
    rf"|{_OF}{_NTH}(?:(?:,\ |,?\ (?:and|or)\ )(?:the\ )?{_NTH}){{0,12}}\ paragraphs?)"
    rf"|(?i:{_ALL}(?:{'|'.join(way for _, way in _KINDS)}))\b"
    rf"|{_TITLE}|{_SECTION}"
    r"|(?i:(?:every|each)\ (?:single\ )?sentence|all\ (?:of\ )?(?:the\ |my\ |our\ )?sentences)\b)"
)
# What other rules read in the same list, and keep: "the title and all numbers"
_OTHER: Final = (
    r"(?i:(?:all\ |any\ |every\ )?(?:of\ )?(?:the\ |my\ |our\ )?"
    r"(?:numbers|figures|names|citations|references|links|urls|quotes|quotations|dates)\b"
    rf"|sentences?\ \d{{1,3}}\b(?:(?:,\ |,?\ (?:and|or)\ )\d{{1,3}}\b){{0,12}}"
    rf"|{_OF}{_NTH}(?:(?:,\ |,?\ (?:and|or)\ )(?:the\ )?{_NTH}){{0,12}}\ sentences?\b(?!\ but))"
)
_AND: Final = r"(?:,\s|,?\s(?:and|or|nor|plus|as\ well\ as)\s|\s?[+&/]\s?)"
_LIST: Final = rf"(?:(?:{_NAMED}|{_OTHER})(?:{_AND}(?:{_NAMED}|{_OTHER})){{0,12}})"
STILL: Final = (
    r"(?i:(?:exactly\ |just\ |completely\ )?(?:alone|unchanged|untouched|intact|verbatim|word\ for\ word"
    r"|as[ -]is|(?:the\ way|as)\ (?:it|they)\ (?:is|are|stands?)|the\ same)|exactly)"
)
# Not "the last sentence but one", nor "… and the tone", which no part says
END: Final = (
    r"(?=\s*(?:[.;:!?)]|\Z|(?i:(?:,\s*)?\b(?:and|but)\ (?!(?:the|my|our|its|all|any|one|two)\b))"
    r"|,\ (?!(?:the|my)\b(?!\ (?:rest|others?)\b))|\n|\ [–—-]\ "
    r"|(?i:please|pls|plz|thx|thanks|at\ all|while|because|since|though)\b))"
)
TOUCH: Final = "touch|change|edit|alter|modify|rewrite|revise|reword"
TOUCHING: Final = "touching|changing|editing|altering|modifying|rewriting|revising|rewording"
_TOUCHED: Final = (
    r"(?i:(?:be\ |get\ )?(?:touched|changed?|edited|altered|modified|rewritten|revised|reworded"
    r"|messed\ with|tampered\ with))"
)
_EDITS: Final = r"(?i:(?:changes?|edits?|modifications|alterations|revisions|corrections|rewriting|editing))"
MUST: Final = r"(?i:must|should|shall|has\ to|have\ to|needs?\ to|(?:is|are)\ to|gotta)"
_MUST_NOT: Final = (
    r"(?i:(?:must|should|may|can|could|shall|will)(?:\ not|\ never|n['’]?t)|cannot|can['’]?t"
    r"|(?:is|are)(?:\ not|\ never|n['’]?t)\ (?:to|allowed\ to|permitted\ to|supposed\ to|meant\ to)"
    r"|(?:has|have|needs?)\ to\ not)"
)
_MAY: Final = (
    r"(?i:may|should|can|could|must|shall|needs?\ to|has\ to|have\ to|gets?\ to|(?:is|are)\ (?:allowed\ )?to)"
)
_BUT: Final = r"(?i:(?:,\ )?(?:but|except|apart\ from|aside\ from|other\ than|besides|save|bar)(?:\ for)?)"
STAYS: Final = (
    rf"(?:(?i:stays?|remains?|be\ (?:kept|left)|(?:is|are)\ (?:kept|left|staying))\ {STILL}"
    r"|(?i:stays?(?:\ (?:in|put|there|in\ there|where\ (?:it\ is|they\ are)))?))"
)
_LIKED: Final = r"(?i:(?:already\ )?(?:fine|good|perfect|great|ok|okay|approved|final|done))"
_LET_BE: Final = (
    rf"(?i:(?:so|and|but|please|just)\ )*(?i:(?:leave|keep)\ (?:it|them|that|those)\ {STILL}"
    rf"|(?:do\ not|don['’]?t|never)\ (?:{TOUCH})\ (?:it|them|that|those))"
)
_NOT_SPARED: Final = "".join(
    rf"(?<!(?i:{word})\ but\ )" for word in ("everything", "anything", "nothing", "all", "none")
)
# The parts stand once in each of these, for their pattern is long; what may follow hangs on what is ahead.
_KEPT: Final = late_pattern(
    rf"""
    (?<![\w-])
    (?:
        (?i:(?:do\ not|don['’]?t|never)\ (?:{TOUCH})|keep|preserve|without\ (?:{TOUCHING}))
      | (?i:you\ )(?:{_MUST_NOT}|{MUST}\ not)\ (?i:{TOUCH})
      | (?i:you['’]re\ not\ (?:allowed|permitted|supposed)\ to\ (?:{TOUCH}))
      | (?i:(?:you\ (?:may|can)\ )?(?:{TOUCH})\ (?:everything|anything|all|whatever\ you\ (?:like|want)))
        \ {_BUT}
      | (?i:(?:keep\ your\ )?hands\ off)
      | (?i:(?:make\ |with\ )?no)\ {_EDITS}\ (?i:to|in)
      | (?i:everything|anything)(?i:\ else)?\ {_MAY}\ {_TOUCHED},?\ {_BUT}
      | (?P<leave>(?i:leave))
      | (?P<like>(?i:I|we)\ (?i:(?:really\ )?(?:like|love)))
      | (?P<spare>(?i:everything|anything)\ {_BUT})
      | (?P<first>{_NOT_SPARED})
    )
    (?(first)|\ )(?P<list>{_LIST})
    (?(leave) \ {STILL}
      | (?(like) ,?\ {_LET_BE}
      | (?(spare) \ {_MAY}\ {_TOUCHED}
      | (?(first)
        (?:
            \ (?:{MUST}\ )?{STAYS}
          | \ (?:{_MUST_NOT}|{MUST}\ (?i:not|never))\ {_TOUCHED}
          | \ (?i:is|are)\ (?i:off[ -]?limits|untouchable|out\ of\ bounds)
          | \ (?i:is|are)\ {_LIKED}\ (?i:(?:exactly\ |just\ )?as\ (?:it\ is|they\ are|is|it\ stands))
          | \ (?i:is|are)\ {_LIKED},?\ {_LET_BE}
          | :\ (?i:off[ -]?limits|hands\ off|no\ (?:changes|edits)|don['’]?t\ (?:{TOUCH})|{STILL})
        )
      | (?:\ {STILL})?))))
    {END}
    """,
    re.VERBOSE,
)
_NO_MORE: Final = (
    r"(?:[.;]\ |,?\ (?:(?i:and|but|then)\ )?|\ [–—-]\ )(?i:please\ )?(?i:nothing\ (?:else|more)"
    r"(?:\ (?:at\ all|please|may\ change|should\ (?:be\ )?changed?))?"
    rf"|(?:do\ not|don['’]?t|never)\ (?:{TOUCH})\ (?:anything\ else|the\ rest|anything\ more)"
    rf"|(?:leave|keep)\ (?:everything\ else|all\ else|the\ rest(?:\ of\ (?:it|the\ \w+))?)\ {STILL}"
    rf"|(?:everything\ else|the\ rest)\ (?:{MUST}\ )?{STAYS}|(?:make\ )?no\ other\ {_EDITS})"
)
_ONE_THING: Final = r"(?i:the\ only\ (?:thing|part|bit|one|place|section|piece|parts|things|ones)s?)"
_MAY_CHANGE: Final = (
    rf"(?:(?i:(?:(?:that|which|you|I\ want\ you\ to|to)\ )*)(?:{_MAY}\ )?(?:{_TOUCHED}|(?i:{TOUCH})))"
)
_WORKED_ON: Final = (
    rf"(?i:{TOUCH}|improve|polish|fix|correct|proofread|simplify|tighten|shorten|make|smooth|clean\ up"
    r"|tidy(?:\ up)?|work\ on|rephrase|redo|rework|update)"
)
_CHANGED: Final = late_pattern(
    rf"""
    (?<![\w-])
    (?:
        (?i:only\ (?:{TOUCH})|(?:{TOUCH})\ (?:only|just|solely|nothing\ (?:but|except|other\ than)))
      | (?i:nothing)\ (?:{_MAY}\ {_TOUCHED}|(?i:changes|gets\ changed)),?\ {_BUT}
      | {_ONE_THING}\ {_MAY_CHANGE}\ (?i:is|are)
      | (?i:do\ not|don['’]?t|never|without)\ (?i:{TOUCH}|{TOUCHING})\ (?i:anything|a\ thing)\ {_BUT}
      | (?i:leave|keep)\ (?i:everything|all|it\ all|it)\ {STILL},?\ {_BUT}
      | (?i:everything)\ (?:(?:{MUST}\ )?{STAYS}|(?i:is|are)\ off[ -]limits),?\ {_BUT}
      | (?i:(?:make\ )?no)\ {_EDITS}\ (?:{_BUT}(?i:\ (?:in|to))?|(?i:outside(?:\ of)?))
      | (?i:I|we)\ (?i:only|just)\ (?i:want|need)\ (?i:you\ to\ (?:{TOUCH}))
      | (?i:limit|restrict|confine|keep)\ (?i:(?:your|all|any|the)\ )?{_EDITS}\ (?i:to)
      | (?P<want>(?i:I|we)\ (?i:only|just)\ (?i:want|need))
      | (?P<only>(?i:only))
      | (?P<nothing>(?i:nothing)\ {_BUT})
      | (?P<keep>(?i:leave|keep)\ (?i:everything|all|it\ all)\ {_BUT})
      | (?P<all>(?i:everything)\ {_BUT})
      | (?P<touch>(?i:just\ |only\ )?(?i:{TOUCH}))
      | (?P<work>{_WORKED_ON})
      | (?P<first>)
    )
    (?(first)|\ )(?P<list>{_LIST})
    (?(want) \ (?i:to\ )?{_TOUCHED}
      | (?(only) \ (?:{_MAY}\ {_TOUCHED}|(?i:needs?|requires?)\ (?i:{TOUCHING}|work))
      | (?(nothing) \ (?:{_MAY}\ {_TOUCHED}|(?i:changes|gets\ changed))
      | (?(keep) \ {STILL}
      | (?(all) \ (?:(?:{MUST}\ )?{STAYS}|(?i:is|are)\ off[ -]limits)
      | (?(touch) (?:\ (?i:only)|{_NO_MORE})
      | (?(work) (?:\ [^.;,:!?\n]{{1,60}}?)?(?P<rest>{_NO_MORE}|\ (?i:only))
      | (?(first) \ (?i:is|are)\ {_ONE_THING}\ {_MAY_CHANGE}
      | ))))))))
    {END}
    """,
    re.VERBOSE,
)
_RELATIONS: Final[tuple[tuple[Literal["change", "unchange"], re.Pattern[str]], ...]] = (
    ("unchange", _KEPT),
    ("change", _CHANGED),
)
_AHEAD: Final = re.compile(
    r"(?:\A|[.;:!?,\n(-])\s*\Z"
    r"|\b(?:and|but|then|also|please|pls|just|that|to|you|u|it|text|letter|draft|while|so|sure|hey|hi)\s+\Z",
    re.IGNORECASE,
)
"""What stands before a demand."""
_WAIVED: Final = re.compile(
    r"\b(?:not|never|no\ need|need|free|have|had|don['’]t|doesn['’]t|worry|I|we|they|he|she"
    r"|may|can|could|might|if|when|whether|without)\b[^.;,:!?\n]*\Z",
    re.VERBOSE | re.IGNORECASE,
)
"""A demand behind it is none: "you don't have to keep …", "feel free to change …"."""
_WISHED: Final = re.compile(
    r"(?:\b(?:and|but|please)\ )?\b(?:I|we)(?:['’]d|\ would)?\ (?:want|like|need)\ (?:you\ )?to\s+\Z"
    r"|\b(?:can|could|would|will)\ (?:you|u)\ (?:please\ |pls\ |just\ )*\Z"
    r"|\bmake\ sure\ (?:that\ )?(?:you\ |to\ )?\Z",
    re.VERBOSE | re.IGNORECASE,
)
_TIE: Final = re.compile(r"(?:,?\s*\b(?:and|but|then|also|please)\s+|,\s*)+\Z", re.IGNORECASE)
_ONE: Final = late_pattern(_NAMED, re.VERBOSE)
_OTHERS: Final = late_pattern(rf"{_NAMED}|(?P<other>{_OTHER})", re.VERBOSE)

_UNIT: Final = r"(?P<unit>sentences?|words?|characters?)\b"
_RANGE: Final = (
    r"(?:between\s+(?P<low>\d{1,6})\s+and\s+(?P<high>\d{1,6})"
    r"|(?P<from>\d{1,6})\s*(?:to|-|–)\s*(?P<to>\d{1,6}))\s+"
)
_SAID: Final = (
    rf"(?i:(?:(?P<about>about|around|roughly|approximately)\s+|{BOUND})?{NUMBER}\s+{_UNIT}{BEHIND}"
    rf"|{_RANGE}{_UNIT.replace('unit', 'units')})(?i:\ (?:long|in\ (?:length|all|total)|each|apiece)\b)*"
    r"(?!(?i:\ (?:shorter|longer|less|fewer|more)\b))"
)
_LIMITS: Final = (
    r"(?P<verb>keep|make|cut|shorten|trim|reduce|limit|restrict|cap|hold|bring|get|condense|squeeze|tighten"
    r"|expand|lengthen|extend|rewrite|write|summari[sz]e|compress)"
)
_MODAL: Final = (
    r"(?:should|must|may|can|shall|has\ to|have\ to|needs?\ to|is\ to|ought\ to)"
    r"(?P<not>\ (?:not|never))?(?:\ (?:be|have|contain|run\ to|go|stay|exceed|consist\ of|take|come\ to))*"
)
_BOUND_ON_PART: Final = tuple(
    late_pattern(rf"(?<![\w-]){body}", re.VERBOSE)
    for body in (
        # "cut the second paragraph down to 50 words", "keep the title under 10 words"
        rf"(?i:{_LIMITS})\ {_BOUNDED}(?i:\ (?:down|up))?"
        rf"(?i:\ (?:to|at|within|in|into|of))?\ {_SAID}",
        # "the last paragraph should have at most three sentences"
        rf"{_BOUNDED}\ (?i:{_MODAL})\ (?i:(?:with|of|in|to|at|within)\ )?{_SAID}",
        # "make sure that the title has fewer than 10 words"
        rf"(?i:(?:(?:make|be)\ )?(?:sure|ensure|so|such)(?:\ that)?)\ {_BOUNDED}"
        rf"\ (?i:has|is|contains|stays|runs\ to)"
        rf"(?P<not>(?i:\ (?:not|never|no))?)\ {_SAID}",
        # "don't let the title go over 10 words"
        rf"(?P<not>(?i:do\ not|don['’]t|never))\ (?i:let|make|have)\ {_BOUNDED}"
        rf"(?i:\ (?:be|go|get|run|become|have))?\ {_SAID}",
        # "no more than 50 words in the last paragraph"
        rf"(?P<free>(?i:(?:use|write|have|put|with|there\ (?:should|must|may)\ (?:only\ )?be)\ )?){_SAID}"
        rf"\ (?i:in|for)\ {_BOUNDED}",
        # "no bullet over 15 words"
        rf"(?P<not>(?i:no))\ (?P<part>(?i:{_ONE_OF_EACH}s?))(?i:\ (?:should|must|may|can))?"
        rf"(?i:(?:\ (?:be|have|run|go|run\ to|with|of))*)\ {_SAID}",
        # "at most 12 words a bullet"
        rf"(?P<free>){_SAID}\ (?i:per|an?)\ (?P<part>(?i:{_ONE_OF_EACH}))\b",
        # "title: max 60 characters", "a title of at most 8 words", "last paragraph under 50 words"
        rf"(?i:give\ it\ )?(?P<part>{REGION}|{_EACH}|(?i:(?:last|final)\ paragraph))"
        rf"(?:\s*[:(,]\s*|\ (?i:of\ )?){_SAID}",
    )
)
_UNITS: Final[dict[str, Unit]] = {
    "words": "words",
    "sentences": "sentences",
    "characters": "characters",
    "percent": "percent",
}
_NTH_SECTIONS: Final = {
    **ORDINALS,
    **{f"{n}{ending}": n for n in range(1, 100) for ending in ("st", "nd", "rd", "th")},
}
_HINT: Final = re.compile(
    "paragraph|title|section|chapter|intro|conclusion|methods|results|discussion|background|ending|beginning"
    "|last|final|closing|penultimate|head|bullet|list|greeting|salutation|sign|close|valediction"
    "|equation|formula|math|code|snippet|dialogue|speech|quot|sentence",
    re.IGNORECASE,
)
"""One of these is in every name of a part; it spares the long patterns."""
_BESIDE_NAME: Final = re.compile(
    r"\A(?:(?:the|my|our|your|its)\s+(?:very\s+)?)?(?:(?:section|chapter)\s+(?:(?:called|named|titled)\s+)?)?"
    r"|\s+(?:section|chapter)\Z",
    re.IGNORECASE,
)
_SHORTER: Final = re.compile(
    r"(?:keep|cut|shorten|trim|reduce|limit|restrict|cap|hold|bring|get|condense|squeeze|tighten|compress"
    r"|summari[sz]e)\Z",
    re.IGNORECASE,
)
_LONGER: Final = re.compile(r"(?:expand|lengthen|extend)\Z", re.IGNORECASE)


@dataclass(frozen=True)
class ReadParts:
    """What was read of parts, where, and the instruction without it, character for character."""

    found: tuple[tuple[Constraint, Span], ...]
    rest: str


def take_parts(text: str) -> ReadParts:
    """Read every demand on a named part of the text, and blank it out there."""
    if _HINT.search(text) is None:
        return ReadParts((), text)
    found: list[tuple[Constraint, Span]] = []
    for constraints, span in _bounds(text):
        found += ((constraint, span) for constraint in constraints)
        text = without_part(text, span)
    for constraint, span, blanks in _kept_parts(text):
        found.append((constraint, span))
        for blank in blanks:
            text = without_part(text, blank)
    return ReadParts(tuple(found[:_MOST]), text)


def without_part(text: str, span: Span) -> str:
    near = max(0, span.start - _NEAR), span.start
    tie = _WISHED.search(text, *near) or _TIE.search(text, *near)
    start = tie.start() if tie else span.start
    end = span.end + text.startswith(":", span.end)
    return text[:start] + " " * (end - start) + text[end:]


def is_part_demand(text: str, start: int) -> bool:
    """Whether an imperative at a place is a demand."""
    near = max(0, start - _NEAR), start
    if _WISHED.search(text, *near):
        return True
    return bool(_AHEAD.search(text, *near)) and not _WAIVED.search(text, *near)


def _kept_parts(text: str) -> Iterator[tuple[Constraint, Span, list[Span]]]:
    """Parts that stay or alone change, with what to blank: not what other rules read in the same list."""
    for relation, wordings in _RELATIONS:
        for match in wordings.finditer(text):
            if not is_part_demand(text, match.start()):
                continue
            items = list(_OTHERS.finditer(text, *match.span("list")))
            named = [item for item in items if not item["other"]]
            quoted = [item for item in items if re.search("quot", item["other"] or "", re.IGNORECASE)]
            parts = [part for item in named for part in named_parts(item.group())]
            if relation == "change":  # no other rule knows what alone changes
                parts += ["quotations"] * bool(quoted)
                if len(named) + len(quoted) < len(items):
                    continue
            if not parts or ("sentences" in parts and match.end() == match.end("list")):
                continue  # "keep all sentences" says that none is left out
            others = relation == "unchange" and len(named) < len(items)
            # "make the title snappier, nothing else" is a wish too
            said = "rest" if match.groupdict().get("rest") else 0
            blanks = list(_listed_spans(items)) if others else [Span(*match.span(said))]
            yield Parts(tuple(dict.fromkeys(parts)), relation), Span(*match.span()), blanks


def _listed_spans(items: list[re.Match[str]]) -> Iterator[Span]:
    """The named parts of a list, each with what joins it to the next item, or to the one before it."""
    for place, item in enumerate(items):
        if item["other"]:
            continue
        if place + 1 < len(items):
            yield Span(item.start(), items[place + 1].start())
        else:
            last = max((one.end() for one in items[:place]), default=item.start())
            yield Span(last, item.end())


def _bounds(text: str) -> Iterator[tuple[list[Constraint], Span]]:
    """Bounds on parts, from left to right, none over another."""
    matches = [match for way in _BOUND_ON_PART for match in way.finditer(text)]
    done = 0
    for match in sorted(matches, key=lambda one: (one.start(), -one.end())):
        if match.start() < done or not is_part_demand(text, match.start()):
            continue
        each = re.fullmatch(rf"{_EACH}|{_ONE_OF_EACH}s?", match["part"].lower(), re.VERBOSE)
        named = [f"each {_item_name(each[0])}"] if each else named_parts(match["part"])
        part = next(iter(named), None)
        counts = list(_counts(match))
        if part and counts:
            unit = (match["unit"] or match["units"]).lower().rstrip("s") + "s"
            yield [_built(part, count, unit, relation) for count, relation in counts], Span(*match.span())
            done = match.end()


def _built(part: str, count: int, unit: str, relation: str) -> Constraint:
    number, known = relate(count, relation)
    return PartLength(part, number, _UNITS[unit], known)


def _counts(match: re.Match[str]) -> Iterator[tuple[int, str]]:
    """The numbers of a bound, each with its relation; none where it says nothing that can be checked."""
    said = match.groupdict()
    if not said["number"]:
        low, high = sorted((int(said["low"] or said["from"]), int(said["high"] or said["to"])))
        yield from ((low, "at least"), (high, "at most"))
        return
    count = worded_number(said["number"])
    if said["about"]:
        if not (said["unit"] or "").lower().startswith("sentence"):
            yield from ((round(count * (1 - _ABOUT)), "at least"), (round(count * (1 + _ABOUT)), "at most"))
        return
    opposite = bool(said.get("not"))
    exceeds = re.search(r"\bexceed\s", match.group(), re.IGNORECASE)
    relation = "more than" if exceeds else worded_relation(match)
    if opposite:
        relation = {"more than": "at most", "less than": "at least"}.get(relation or "")
        if relation is None:
            return
    if relation is None:
        verb = said.get("verb") or ""
        relation = "at most" if _SHORTER.match(verb) else "at least" if _LONGER.match(verb) else "equal"
        if said.get("free") == "" and not said.get("verb"):
            return  # "3 sentences in the last paragraph" tells how it is
    yield count, relation


def named_parts(said: str) -> Iterable[str]:
    """The parts that a wording names, by the names that a call has for them."""
    low = " ".join(said.lower().split())
    ways = rf"{_ITEM}\ (?P<at>\d+)|\w+\ (?:very\ )?(?P<nth>{_NTH})\ {_ITEM}"
    if item := re.fullmatch(ways, low, re.VERBOSE):
        at = item["at"] or _NTH_SECTIONS.get(item["nth"])
        yield from (f"{_item_name(low)} {at}" for _ in range(bool(at)))
    elif re.match("(?:every|each|all) ", low) and "sentence" in low:
        yield "sentences"
    elif "sentence" in low:
        if re.search(_BEHIND_LAST, low, re.VERBOSE) or low.endswith("but one"):
            yield "second-to-last sentence"
            return
        counted = next((word for word in low.split() if word.isdigit() or word in CARDINALS), "1")
        count = worded_number(counted)
        yield "last sentence" if count == 1 else f"last {count} sentences"
    elif re.search(r"\bparagraphs?\b", low):
        yield from (f"paragraph {number}" for number in re.findall(r"\b\d+\b", low))
        for word in re.findall(rf"\b{_NTH}\b", low):
            if word in ("last", "final", "closing"):
                yield "last paragraph"
            else:
                yield f"paragraph {1 if word == 'opening' else ORDINALS.get(word) or int(word[:-2])}"
    elif (numbered := re.fullmatch(rf"\S+ (?:very )?({_NTH}) section", low)) and numbered[1] in _NTH_SECTIONS:
        yield f"section {_NTH_SECTIONS[numbered[1]]}"
    elif re.search(r"\btitle\Z", low):
        yield "title"
    elif kind := next((kind for kind, way in _KINDS if re.search(rf"{way}\Z", low, re.VERBOSE)), None):
        yield kind
    else:
        name = _BESIDE_NAME.sub("", said).strip(" “”\"'‘’")
        if name.lower() == "intro":
            name = "Introduction"
        if name:
            yield f"section {' '.join(name.split())}"


def _item_name(said: str) -> str:
    """What a call has for an item of a list or a heading."""
    return "section" if re.search(r"(?<!\w)sections?\Z", said) else "heading" if "head" in said else "bullet"
