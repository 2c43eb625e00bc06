"""A sentence without marks that may not be there, and with or without contractions; its words stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.wording.contractions import contracted, expanded
from redraft.text import FIRST_NAMES, PLACES, Span, free_marks, read_clauses, tagged, wordings

_MOST: Final = 6
_REASONS: Final = {"contraction": Reason("expand"), "full form": Reason("contract")}
_WAYS: Final = {1: 4, 2: 3, 3: 2}
"""How many ways are tried at each place, by the number of places; the best alone where there are more."""
_JOINING: Final = re.compile(
    r"(?i)(?:and|but|or|nor|so|yet|which|who|whose|where|because|since|although|though)\b"
)
_CONNECTIVE: Final = re.compile(
    r"(?i)(?:however|therefore|thus|hence|moreover|furthermore|nevertheless|nonetheless|instead|otherwise"
    r"|consequently|meanwhile|besides|accordingly|indeed|still|then|for (?:example|instance)"
    r"|in (?:fact|addition|contrast|short|particular)|as a result|on the other hand|that is)\b,?\s*"
)
_GREETING: Final = re.compile(
    r"(?i)(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\b[^,.!?]{0,40}\Z"
)
_SHORT_IN_CAPITALS: Final = re.compile(
    r"(?<![\w-])(?:A|I|THE|IS|ARE|WAS|NOT|YOU|AND|OR|TO|OF|IN|ON|IT|BE|DO|WE|MY|ALL|SO|FOR|AT|BY|AS|IF|NO"
    r"|BUT) \Z"
)
_DATED: Final = re.compile("|".join(wordings("redraft.text")[name] for name in ("weekday", "month")))
_LISTED: Final = re.compile(r"^[^,]{1,40}, .*\b(?:and|or) ")
_ENDED: Final = re.compile(r"[.!?…:][\"'”’)\]]*\s*\Z")
_AFTERWARDS: Final = re.compile(r"\s*(?=[.,;:!?)\]”’\"']|\Z)")
_BROKEN: Final = re.compile(
    r",\s*[,.;:!?]|[;:]\s*[,.;:]|\A\W*[,;:.]|[(\[]\s*[,.;]|\s[,.;:!?](?!\S)|(?<!\.)\.\.(?!\.)"
)


class Way(NamedTuple):
    """Edits that go together, each from, to and what stands there then, and how much they cost."""

    edits: tuple[tuple[int, int, str], ...]
    cost: float


def without_marks(sentence: str, marks: Sequence[str]) -> list[Candidate]:
    """Versions without any of these marks, the most usual first; what is quoted stays, whatever it has.

    >>> without_marks("It was late; we left!", ["semicolon", "exclamation mark"])[0].text
    'It was late. We left.'
    """
    places = [ways for mark in marks for ways in _places(sentence, mark, frozenset(marks))]
    few = _WAYS.get(len(places), 1)
    chosen = sorted(
        product(*(sorted(ways, key=lambda way: way.cost)[:few] for ways in places)),
        key=lambda ways: sum(way.cost for way in ways),
    )
    return _offered(sentence, chosen, marks) if places else []


def fewer_marks(sentence: str, mark: str) -> list[Candidate]:
    """Versions with one place less where a mark stands."""
    places = list(_places(sentence, mark, frozenset([mark])))
    return _offered(
        sentence, [(min(ways, key=lambda way: way.cost),) for ways in places], [mark], every=False
    )


def _offered(
    sentence: str, chosen: Sequence[Sequence[Way]], marks: Sequence[str], *, every: bool = True
) -> list[Candidate]:
    """What comes of the chosen ways; with `every`, only what has none of the marks any more."""
    why = tuple(_REASONS.get(mark, Reason("mark", mark)) for mark in marks if free_marks(sentence, mark))
    found: dict[str, Candidate] = {}
    for ways in chosen:
        edits = sorted({edit for way in ways for edit in way.edits})
        text = _applied(sentence, edits)
        if text == sentence or text in found or (every and any(free_marks(text, mark) for mark in marks)):
            continue
        if len(_BROKEN.findall(text)) > len(_BROKEN.findall(sentence)):
            continue
        found[text] = Candidate(text, "marks", why)
        if len(found) == _MOST:
            break
    return list(found.values())


def _applied(sentence: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """The sentence after the edits, with a capital behind a full stop that is new."""
    done, at, ended = "", 0, False
    for start, end, new in edits:
        if start < at:
            return sentence  # two edits of one place
        between = sentence[at:start]
        done += _capital(between) if ended else between
        done, at = done + new, end
        ended = new.rstrip().endswith(".") or (ended and not between.strip())
    rest = sentence[at:]
    done += _capital(rest) if ended else rest
    return _capital(done) if edits[0][0] == 0 else done


def _capital(text: str) -> str:
    found = re.match(r"[\s(\[]*([a-z])([\w’'-]*)", text)  # a quotation stays as it is
    if not found or re.search("[A-Z]", found[2]):  # "iPhone"
        return text
    at = found.start(1)
    return text[:at] + text[at].upper() + text[at + 1 :]


def _places(sentence: str, mark: str, banned: frozenset[str]) -> Iterator[list[Way]]:
    """For each place of a mark that may be changed, the ways to do without it."""
    spans = free_marks(sentence, mark)
    match mark:
        case "em dash" if len(spans) == 2:
            yield list(_dash_pair(sentence, spans[0], spans[1], banned))
        case "em dash":
            yield from (list(_dash(sentence, span, alone=len(spans) == 1)) for span in spans)
        case "semicolon":
            yield from (list(_semicolon(sentence, span, len(spans))) for span in spans)
        case "exclamation mark":
            yield from (list(_exclamation(sentence, span)) for span in spans)
        case "ellipsis":
            yield from (list(_ellipsis(sentence, span)) for span in spans)
        case "emoji":
            yield from (list(_emoji(sentence, span)) for span in _runs(sentence, spans))
        case "word in capitals":
            yield from ([Way(_lowered(sentence, span, len(spans) > 1), 0.0)] for span in spans)
        case "bracket":
            yield from (list(_bracket(sentence, span, banned)) for span in spans)
        case "contraction" | "full form":
            rule = expanded if mark == "contraction" else contracted
            for span in spans:
                ways = [Way((edit,), 0.5 * place) for place, edit in enumerate(rule(sentence, span))]
                if ways:
                    yield ways


_BARE_SUBJECT: Final = re.compile(
    r"(?i)(?:another|others|some|many|each|both|none|neither|all|most|several)"
    r" (?:\w+ly )?(?:[a-z]+ed|was|were|is|are|has|have|had|did|do|does|will|can|could|would"
    r"|said|left|went|came)\b"
)
"""Words that are taken for the first of a noun phrase: "another apologised"."""


def _is_clause(text: str) -> bool:
    """Whether a stretch could be a sentence: it has a subject and a finite verb, or is an order."""
    text = _CONNECTIVE.sub("", text.strip(), count=1)
    if not text or re.match(
        r"(?i)(?:which|who|whose|where|because|although|though|if|when|while|that|as)\b", text
    ):
        return False
    return bool(_BARE_SUBJECT.match(text)) or read_clauses(text).main() is not None


def _around(sentence: str, span: Span) -> tuple[int, int, str, str]:
    """A mark with the spaces around it, and what stands before and behind."""
    before, after = sentence[: span.start].rstrip(" "), sentence[span.end :].lstrip(" ")
    return len(before), len(sentence) - len(after), before, after


def _comma(before: str) -> str:
    return " " if before.endswith((",", ":", ";", "(")) else ", "


def _semicolon(sentence: str, span: Span, count: int) -> Iterator[Way]:
    """A full stop between clauses, a comma before "and" and in a list."""
    start, end, before, after = _around(sentence, span)
    comma, stop, colon = (Way(((start, end, new),), 0.0) for new in (_comma(before), ". ", ": "))
    if not after:
        yield Way(((start, end, "."),), 0.0)
    elif before.count("(") > before.count(")"):
        yield comma
    elif re.match(r"(?i)(?:and|but|or|nor|so|yet)\b", after):
        yield comma
        if count == 1:
            yield stop._replace(cost=0.8)
    elif _CONNECTIVE.match(after):
        yield stop
    elif all(_is_clause(re.sub(r"(?i)^\s*(?:and|but|or|so)\b", "", one)) for one in sentence.split(";")):
        yield stop
        if count == 1 and ":" not in sentence:
            yield colon._replace(cost=1.5)
    else:
        yield comma._replace(cost=0.2)
        if count == 1:
            yield stop._replace(cost=1.0)


def _dash(sentence: str, span: Span, *, alone: bool) -> Iterator[Way]:
    """A full stop before a clause, a colon before what explains, or else a comma."""
    start, end, before, after = _around(sentence, span)
    if not before:
        yield Way(((0, end, ""),), 0.0)
        return
    if not after or _AFTERWARDS.fullmatch(after[:1]):
        yield Way(((start, end, "" if after else "."),), 0.0)
        return
    whole = _is_clause(before)
    comma, colon, stop = (Way(((start, end, new),), 0.0) for new in (_comma(before), ": ", ". "))
    if _JOINING.match(after) or not alone:
        yield comma._replace(cost=0.1)
        if alone and whole and _is_clause(after):
            yield stop._replace(cost=0.6)
    elif whole and _is_clause(after):
        yield stop._replace(cost=0.1)
        if ":" not in sentence:
            yield colon._replace(cost=0.5)
    elif _LISTED.search(after) or (not whole and ("," in before or _is_clause(after))):
        # "Three things matter — speed, cost and time", "Coal, oil, gas — all must go"
        yield colon._replace(cost=0.2)
        yield comma._replace(cost=0.5)
    else:
        names = re.match(r"(?i)(?:an?|the|one|two|three|my|our|his|her|its|their|\d+)\b|\w+\W*$", after)
        is_explained = names and whole and ":" not in sentence
        yield comma._replace(cost=0.4 if is_explained else 0.2)
        if ":" not in sentence:
            yield colon._replace(cost=0.2 if is_explained else 0.8)


def _dash_pair(sentence: str, first: Span, second: Span, banned: frozenset[str]) -> Iterator[Way]:
    """Commas, or brackets where there are commas inside or a clause of its own."""
    start, end, before, _ = _around(sentence, first)
    stop, last, _, after = _around(sentence, second)
    inner = sentence[end:stop]
    if not before or not after or _ENDED.search(inner):
        yield Way(
            (
                *next(_dash(sentence, first, alone=False)).edits,
                *next(_dash(sentence, second, alone=False)).edits,
            ),
            0.3,
        )
        return
    closed = "" if _AFTERWARDS.fullmatch(after[:1]) else " "
    heavy = "," in inner or _is_clause(inner)
    bracketed = "bracket" not in banned and "(" not in inner
    if not (bracketed and _is_clause(inner)):  # a clause between commas is spliced
        yield Way(
            ((start, end, _comma(before)), (stop, last, f",{closed}" if closed else "")),
            1.0 if heavy else 0.1,
        )
    if bracketed:
        yield Way(((start, end, " ("), (stop, last, f"){closed}")), 0.2 if heavy else 0.6)


def _exclamation(sentence: str, span: Span) -> Iterator[Way]:
    """A full stop; a comma after a greeting; nothing beside another mark."""
    before, after = sentence[: span.start], sentence[span.end :]
    if before.endswith(("(", "[")) and after.startswith((")", "]")):  # "forty-one of you (!) came"
        yield Way(((len(before[:-1].rstrip()), span.end + 1, ""),), 0.0)
        return
    if before.endswith(("?", "!", "…", ".")) and not after.startswith("!"):
        yield Way(((span.start, span.end, "" if not before.endswith("!") else "."),), 0.0)
    elif after.startswith(("!", "?")) or re.match(r"[)\]]", after):
        yield Way(((span.start, span.end, ""),), 0.0)
    elif _GREETING.match(before):
        yield Way(((span.start, span.end, ","),), 0.0)
        yield Way(((span.start, span.end, "."),), 0.6)
    elif re.match(r"\s+[a-z]", after):
        yield Way(((span.start, span.end, ","),), 0.2)
        yield Way(((span.start, span.end, ""),), 0.3)
    else:
        yield Way(((span.start, span.end, "."),), 0.0)


def _ellipsis(sentence: str, span: Span) -> Iterator[Way]:
    """A full stop at the end, a comma or nothing within."""
    start, end, before, after = _around(sentence, span)
    if not before:
        yield Way(((0, end, ""),), 0.0)
    elif not after or re.match(r"[\"”’')\]]", after):
        yield Way(((start, end, "."),), 0.0)
    elif re.match(r"[?!.,;:]", after):
        yield Way(((start, end, ""),), 0.0)
    elif after[:1].isupper() and not after.startswith(("I ", "I'", "I’")):
        yield Way(((start, end, ". "),), 0.0)
    else:
        yield Way(((start, end, _comma(before)),), 0.1)
        yield Way(((start, end, " "),), 0.4)
        if _is_clause(before) and _is_clause(after):
            yield Way(((start, end, ". "),), 0.3)


def _runs(sentence: str, spans: Sequence[Span]) -> list[Span]:
    """Marks in a row as one."""
    found: list[Span] = []
    for span in spans:
        if found and not sentence[found[-1].end : span.start].strip():
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found


_HEART: Final = re.compile("[❤♥💙💚💛💜🧡🖤💕💖]")
_LOVER: Final = re.compile(r"(?:^|[\s,;])(?:I|[Ww]e|[Yy]ou|[Tt]hey)\Z")


def _has_verb(text: str) -> bool:
    return any(word.tag.startswith("VB") for word in tagged(text))


def _emoji(sentence: str, span: Span) -> Iterator[Way]:
    """Nothing, or the full stop whose place it took; a heart may be a verb."""
    start, end, before, after = _around(sentence, span)
    if after and _HEART.match(sentence, span.start) and _LOVER.search(before):
        yield Way(((start, end, " love "),), 0.0)
        return
    gap = " " if before and after and not _AFTERWARDS.fullmatch(after[:1]) else ""
    if not before or _ENDED.search(before) or (gap and not after[:1].isupper()):
        yield Way(((start, end, gap),), 0.0)
    elif gap or (not after and (_is_clause(before) or _has_verb(before))):
        yield Way(((start, end, f".{gap}"),), 0.1)
        yield Way(((start, end, gap),), 0.3)
    else:
        yield Way(((start, end, gap),), 0.0)


def _lowered(sentence: str, span: Span, shouted: bool) -> tuple[tuple[int, int, str], ...]:
    """The word in small letters, with the short ones before it where more than it is in capitals."""
    start = span.start
    while shouted and (short := _SHORT_IN_CAPITALS.search(sentence, 0, start)):
        start = short.start()
    words = sentence[start : span.end].split(" ")
    return ((start, span.end, " ".join(_in_small_letters(word) for word in words)),)


def _in_small_letters(word: str) -> str:
    if word == "I":
        return word
    name = word.capitalize()
    return name if name in FIRST_NAMES or name in PLACES or _DATED.fullmatch(name) else word.lower()


def _bracket(sentence: str, span: Span, banned: frozenset[str]) -> Iterator[Way]:
    """Commas around what they hold; a sentence of its own, or dashes, where that is a clause."""
    inner = sentence[span.start + 1 : span.end - 1].strip()
    before, after = sentence[: span.start], sentence[span.end :]
    bare = ((span.start, span.start + 1, ""), (span.end - 1, span.end, ""))
    if not inner:
        yield Way(((len(before.rstrip(" ")), span.end, ""),), 0.0)
        return
    if not before.strip() or (before and not before[-1].isspace()) or after[:1].isalnum():
        yield Way(bare, 0.0)  # "file(s)", a sentence in brackets
        return
    start = len(before.rstrip(" "))
    closes = _AFTERWARDS.match(after)
    opening = (start, span.start + 1, _comma(before.rstrip(" ")))
    commas = Way((opening, (span.end - 1, span.end, "" if closes else ",")), 0.2)
    clause = _is_clause(inner)
    if clause and closes and after.strip() in (".", "!", "?", ""):
        yield Way(((start, span.start + 1, ". "), (span.end - 1, span.end, "")), 0.1)
    dashes = not closes and "em dash" not in banned and "—" not in sentence
    if not (dashes and (clause or inner.endswith(("!", "?")))):  # a clause between commas is spliced
        yield commas._replace(cost=1.0 if clause else 0.5 if "," in inner and not closes else 0.2)
    if dashes:
        yield Way(
            ((start, span.start + 1, "—"), (span.end - 1, len(sentence) - len(after.lstrip(" ")), "—")), 0.4
        )
