"""A sentence without marks that may not be there, and with or without contractions; its words stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, product
from typing import Final, NamedTuple

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.wording.contractions import contracted, expanded
from redraft.revision.rewriting.wording.emojis import SIGNS, words_of_emoji
from redraft.text import (
    BY_FORM,
    FINITE,
    FIRST_NAMES,
    LANDS,
    NOUN,
    NOUNS,
    PLACES,
    PLURALS,
    Span,
    free_marks,
    read_clauses,
    tagged,
    wordings,
)

_MOST: Final = 6
_REASONS: Final = {"contraction": Reason("expand"), "full form": Reason("contract")}
_WAYS: Final = {1: 4, 2: 3, 3: 2}
"""How many ways are tried at each place, by the number of places; the best alone where there are more."""
_JOINING: Final = re.compile(
    r"(?i)(?:and|but|or|nor|so|yet|which|who|whose|where|because|since|although|though)\b"
)
_CONNECTIVE: Final = re.compile(
    r"(?i)\A(?:however|therefore|thus|hence|moreover|furthermore|nevertheless|nonetheless|instead|otherwise"
    r"|consequently|meanwhile|besides|accordingly|indeed|still|then|for (?:example|instance)"
    r"|in (?:fact|addition|contrast|short|particular)|as a result|on the other hand|that is)\b,?\s*"
)
_SAYS_AGAIN: Final = re.compile(r"(?i)(?:that is|for (?:example|instance)|in particular|in short|instead)\b")
_ASKS: Final = re.compile(
    r"(?i)(?:(?:please|so|and|but),? )?(?:(?:what|who|where|when|why|how|which) )?"
    r"(?:can|could|would|will|do|does|did|is|are|was|were|have|has|had|should|shall|may|might)(?:n['’]t)? "
    r"(?:I|you|he|she|it|we|they|there|this|that|these|those|the|an?|my|your|his|her|our|their|any\w*|some\w*"
    r"|every\w*|[A-Z][a-z]+)\b"
)
_NAME: Final = r"[A-Z][\w.'’-]*(?: (?:de |of |the |von |van )?[A-Z][\w.'’-]*)*"
_WITH_A_NAME: Final = re.compile(rf"(?P<name>{_NAME}), (?P<beside>[a-z][^,:()]*|{_NAME})\Z")
"""The last of a stretch: "Vigo, Spain", "Paul Stein, secretary"."""
_INNER_LIST: Final = re.compile(r"[^,:]*\w(?P<comma>,) [\w-]+ (?P<and>and|or) [\w-]+")
"""A list inside an item: "swelling of the lips, tongue or throat"."""
_REMARKED: Final = re.compile(
    r"\s*(?:(?:and|or) )?(?P<head>[^,()]{1,40}), "
    r"(?P<beside>(?!(?:and|or)\b)(?:(?! (?:and|or) (?!without\b))[^,()])+)"
)
"""An item and what is said of it: "plain text, with a header"."""
_NUMBERED_ITEM: Final = re.compile(
    r"(?i)\s*(?:and )?(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth(?:ly)?|lastly|finally),"
)
_PLACED: Final = re.compile(r"\s*(?:in|on|at|by|from|during|after|before|under|for) [^,;]+, [^;]+\Z")
_THAT_IS: Final = re.compile(
    r"(?i)that(?:, [^,]{1,30},)? (?:is|was|will|would|has|had|can|could|may|might|does|did|makes|made)\b"
)
_GREETING: Final = re.compile(
    r"(?i)(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\b[^,.!?]{0,40}\Z"
)
_SHORT_IN_CAPITALS: Final = re.compile(
    r"(?<![\w-])(?:A|I|THE|IS|ARE|WAS|NOT|YOU|AND|OR|TO|OF|IN|ON|IT|BE|DO|WE|MY|ALL|SO|FOR|AT|BY|AS|IF|NO"
    r"|BUT) \Z"
)
_DATED: Final = re.compile("|".join(wordings("redraft.text")[name] for name in ("weekday", "month")))
_LISTED: Final = re.compile(r"^[^,]{1,40}, (?:.*\b(?:and|or) |[^,]{1,40}, )")
_ENDED: Final = re.compile(r"[.!?…:][\"'”’)\]]*\s*\Z")
_AFTERWARDS: Final = re.compile(r"\s*(?=[.,;:!?)\]”’\"']|\Z)")
_BROKEN: Final = re.compile(
    r",\s*[,.;:!?]|[;:]\s*[,.;:]|\A\W*[,;:.]|[(\[]\s*[,.;]|\s[,.;:!?](?!\S)|(?<!\.)\.\.(?!\.)"
)


_ANNOUNCED: Final = re.compile(r"(?i)\b(?:only|just|but) (?:one|two|three) (?!of|in|or)\w+ (?=\w)")
_SAID_BETWEEN: Final = re.compile(
    r"(?i)\s*(?:I am told|I['’]m told|it seems|(?:I|we) (?:think|believe|suppose|hope|fear|hear|gather|admit"
    r"|confess|guess|imagine|understand)|they say|you know|you see)\s*"
)
"""Clauses that stand between commas."""
_ASKS_YOU: Final = re.compile(
    r"(?:(?:What|Who|Where|When|Why|How) )?(?:[Cc]an|[Cc]ould|[Dd]id|[Dd]o|[Ww]ill|[Ww]ould|[Aa]re|[Hh]ave)"
    r"(?:n['’]t)? you\b(?!.*\?)"
)
_PAUSE: Final = re.compile(r"\.{3,}|…|[.!?;]\s")
_FALTERS: Final = re.compile(
    r"(?i)(?:u[hm]+|er+m?|hm+|well|oh|ah|so|yes|no|look|sorry|hey|listen|you know|I mean|okay|ok)"
    r"(?:,|(?=\.\.|…)|\Z)"
)
"""What is said before what one means to say."""
_LEADS_ON: Final = re.compile(
    r"(?i)\b(?:the|an?|my|your|his|our|their|of|to|in|on|at|with|for|from|is|are|was|were|be|I['’]m|it['’]s"
    r"|will|would|can|could|may|might|must|said|says?|think|thinks|thought|knows?|knew|believed?|hoped?|wish"
    r"|feels?|felt|see|get|that|if|because|very|so)\Z"
)
"""Behind these words a sentence goes on without a comma."""
_CODE_WORD: Final = re.compile(r"(?:^|\W)(?:try|let|for|do|if|while|with|begin|select|switch)\Z")
_CODE_REST: Final = re.compile(r"(?:catch|else|of|in|while|end|then|finally|case|from)\b")
_COMPLETES: Final = re.compile(
    r"(?:(?:by|in|at|on|to|for|with|of|from|into|onto|through|under|over)(?: [\w’'-]+){1,4}|(?:very|so) much"
    r"|a lot)[.!]*\Z"
)
"""A phrase that belongs to the verb before it."""
_ROLL: Final = re.compile(
    r"[\w’'-]+(?: [\w’'-]+)?(?:, [\w’'-]+(?: [\w’'-]+)?){1,6}(?:,? (?:and|or) [\w’' -]+)?"
)
_DESCRIBES: Final = re.compile(
    r"(?i)(?:\b(?:is|are|was|were|be|been|being|am|seem|felt|feel|look|sound|grew|grow|got|get|became|become)"
    r"(?:s|ed)?|['’](?:s|re|m))\b"
)
_LISTED_FROM: Final = 3
"""So many things without an "and" are a list."""
_ITEM_WORDS: Final = 3
_WHOLE_BRACKET: Final = re.compile(
    r"(?:\A|[.!?] )[(\[][^()\[\]]*\Z|\A[^(\[]*\Z|[(\[][^()\[\]]*(?:[.!?…] )[^()\[\]]*\Z"
)
"""Ahead of the end of a bracket that holds whole sentences."""
_QUOTE: Final = re.compile(r"[\"“”„«»]")
_BREAKS_OFF: Final = re.compile(r"\s*[\"”»]")
"""Behind the last word of somebody who is interrupted."""
_SPEAKS: Final = (
    rf"(?:{wordings('redraft.text')['speaks']}|{wordings('redraft.text')['speaks_or_acts']}|hissed)"
)
_TOLD_BY: Final = re.compile(
    rf"[\"”»]\s+(?:(?:he|she|they|I|we|[A-Z][\w’'-]+|[Tt]he \w+|(?:my|his|her) \w+) {_SPEAKS}|[a-z])"
)
"""Behind a quotation, who said it."""
_UNWORDED: Final = re.compile(r"\A[^\w“\"'‘(]+")


class Way(NamedTuple):
    """Edits that go together, each from, to and what stands there then, and how much they cost."""

    edits: tuple[tuple[int, int, str], ...]
    cost: float


def without_marks(sentence: str, marks: Sequence[str], *, quoted: bool = False) -> list[Candidate]:
    """Versions without any of these marks, the most usual first; what is quoted stays but where `quoted`.

    >>> without_marks("It was late; we left!", ["semicolon", "exclamation mark"])[0].text
    'It was late. We left.'
    """
    places = [ways for mark in marks for ways in _places(sentence, mark, frozenset(marks), quoted)]
    few = _WAYS.get(len(places), 1)
    chosen = sorted(
        product(*(sorted(ways, key=lambda way: way.cost)[:few] for ways in places)),
        key=lambda ways: sum(way.cost for way in ways),
    )
    return _offered(sentence, chosen, marks, quoted=quoted) if places else []


def fewer_marks(sentence: str, mark: str) -> list[Candidate]:
    """Versions with one place less where a mark stands."""
    places = list(_places(sentence, mark, frozenset([mark])))
    return _offered(
        sentence, [(min(ways, key=lambda way: way.cost),) for ways in places], [mark], every=False
    )


def _offered(
    sentence: str,
    chosen: Sequence[Sequence[Way]],
    marks: Sequence[str],
    *,
    every: bool = True,
    quoted: bool = False,
) -> list[Candidate]:
    """What comes of the chosen ways; with `every`, only what has none of the marks any more."""
    why = tuple(
        _REASONS.get(mark, Reason("mark", mark))
        for mark in marks
        if free_marks(sentence, mark, quoted=quoted)
    )
    found: dict[str, Candidate] = {}
    for ways in chosen:
        edits = sorted({edit for way in ways for edit in way.edits})
        text = _applied(sentence, edits)
        left = every and any(free_marks(text, mark, quoted=quoted) for mark in marks)
        if text == sentence or text in found or left:
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
        ended = new.rstrip().endswith((".", "?")) or (ended and not between.strip())
    rest = sentence[at:]
    done += _capital(rest) if ended else rest
    return _capital(done) if edits[0][0] == 0 else done


def _capital(text: str) -> str:
    found = re.match(r"[\s(\[]*([a-z])([\w’'-]*)", text)  # a quotation stays as it is
    if not found or re.search("[A-Z]", found[2]):  # "iPhone"
        return text
    at = found.start(1)
    return text[:at] + text[at].upper() + text[at + 1 :]


def _places(sentence: str, mark: str, banned: frozenset[str], quoted: bool = False) -> Iterator[list[Way]]:
    """For each place of a mark that may be changed, the ways to do without it."""
    spans = free_marks(sentence, mark, quoted=quoted)
    match mark:
        case "em dash":
            for _, group in groupby(spans, key=lambda span: len(_QUOTE.findall(sentence, 0, span.start))):
                near = list(group)
                if len(near) == 2:
                    yield list(_dash_pair(sentence, near[0], near[1], banned))
                else:
                    yield from (list(_dash(sentence, span, banned, alone=len(near) == 1)) for span in near)
        case "semicolon":
            yield from _semicolons(sentence, spans)
        case "exclamation mark":
            yield from (list(_exclamation(sentence, span, banned)) for span in spans)
        case "ellipsis" if _is_aside(sentence, spans) and "bracket" not in banned:
            yield list(_dash_pair(sentence, spans[0], spans[1], banned))
        case "ellipsis":
            yield from (list(_ellipsis(sentence, span)) for span in spans)
        case "emoji":
            runs = _runs(sentence, spans)
            yield from (list(_emoji(sentence, span, runs)) for span in runs)
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
    r"(?i)(?:another|others|some|many|each|both|none|neither|all|most|several|half|\d+|one|two|three|four|five|six"
    r"|seven|eight|nine|ten)(?: of (?:them|us|you|these|those|(?:the|my|our|your|his|her|its|their) [\w-]+))?"
    r" (?:\w+ly )?(?:[a-z]+ed|was|were|is|are|has|have|had|did|do|does|will|can|could|would"
    r"|said|left|went|came)\b"
)
"""Words that are taken for the first of a noun phrase: "another apologised"."""


def _is_told(text: str) -> bool:
    """Whether there is a finite verb."""
    return any(word.tag in FINITE for word in tagged(text))


def _is_clause(text: str) -> bool:
    """Whether a stretch could be a sentence: it has a subject and a finite verb, or is an order."""
    text = _CONNECTIVE.sub("", text.strip(), count=1)
    if not text or re.match(
        r"(?i)(?:which|who|whose|where|because|although|though|if|when|while|that|as)\b", text
    ):
        return False
    return bool(_BARE_SUBJECT.match(text)) or read_clauses(text).main() is not None


_FINITE: Final = frozenset({"VBD", "VBP", "VBZ", "MD"})
_SUBORDINATE: Final = re.compile(
    r"(?i)(?:which|who|whose|where|because|although|though|if|when|while|that|as|unless|until|since|whereas)\b"
)
_AHEAD: Final = re.compile(
    r"(?i)\A(?:please|at (?:least|most|first|last)|(?:before|after) that|by then|now|today|yesterday|tomorrow"
    r"|only|first|then|never|always)\b,?\s+"
)
_GREETED: Final = re.compile(r"(?i)(?:thanks|thank you|yes|no|sorry|congratulations|welcome)\b")


def _is_stated(text: str) -> bool:
    """Whether a stretch beside a semicolon could be a sentence, going by its verbs, too.

    It is read as more than `_is_clause` takes it for: what is no clause seldom stands there.
    """
    text = _AHEAD.sub("", _CONNECTIVE.sub("", text.strip().rstrip("?"), count=1), count=1)
    if _THAT_IS.match(text):
        return True
    if subordinate := _SUBORDINATE.match(text):
        begun, _, main = re.split(r"(, | then )", f"{text[subordinate.end() :]}, ", maxsplit=1)
        alone = subordinate[0].lower() in (
            "if",
            "when",
            "while",
            "although",
            "though",
            "until",
            "since",
            "as",
        )
        return alone and bool(begun.strip()) and _is_stated(main.removesuffix(", "))
    if text.lower().startswith("to "):
        return False
    if _is_clause(text) or _GREETED.match(text) or _ASKS.match(text):
        return True
    words = tagged(text)
    if not words:
        return False
    forms = [BY_FORM.get(word.text.lower()) for word in words]
    if words[0].text.lower() in ("be", "do", "don't", "don’t", "have", "let"):
        return True
    if forms[0] is not None and forms[0].base == words[0].text.lower():
        return True  # "wait for ten minutes"
    related = next((at for at, word in enumerate(words) if word.tag.startswith("W")), len(words))
    words, forms = words[:related], forms[:related]  # "a case which cannot be doubted"
    return any(
        word.tag in _FINITE
        or (
            form is not None
            and word.text.lower() not in (*form[:1], form.participle, form.gerund)
            and word.text.lower() not in NOUNS
            and word.text.lower() not in PLURALS
        )
        for word, form in zip(words[1:], forms[1:], strict=True)
    )


def _around(sentence: str, span: Span) -> tuple[int, int, str, str]:
    """A mark with the spaces around it, and what stands before and behind."""
    before, after = sentence[: span.start].rstrip(" "), sentence[span.end :].lstrip(" ")
    return len(before), len(sentence) - len(after), before, after


def _comma(before: str) -> str:
    return " " if before.endswith((",", ":", ";", "(")) else ", "


def _semicolons(sentence: str, spans: Sequence[Span]) -> Iterator[list[Way]]:
    """The ways at each semicolon; a list whose items have commas is changed as a whole, or not at all."""
    inside = [span for span in spans if _is_bracketed(sentence, span)]
    yield from (list(_semicolon(sentence, span, len(spans), whole=False)) for span in inside)
    spans = [span for span in spans if span not in inside]
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(sentence)]
    pieces = [Span(*edges[at : at + 2]) for at in range(0, len(edges), 2)]
    texts = [sentence[one.start : one.end] for one in pieces]
    stated = [_is_stated(re.sub(r"(?i)^\s*(?:and|but|or|so)\b", "", one)) for one in texts]
    listed = ":" in texts[0] and (
        re.match(r" (?:and|or) ", texts[-1]) is not None or not any(map(_is_clause, texts[1:]))
    )
    if len(spans) > 1 and (not all(stated[1:]) or listed or re.search(r"\bto:\s", texts[0])):
        edits = _list_edits(sentence, spans, pieces)
        if edits is None and all(_PLACED.match(one) for one in texts[1:]):
            # "212 in March; in April, 180; in May, for lack of bread, 64"
            edits = tuple((*_around(sentence, span)[:2], ", and ") for span in spans)
        yield [] if edits is None else [Way(edits, 0.0)]
        return
    whole = (
        all(one[:1] == " " for one in texts[1:])
        and all(stated[1:])
        and (stated[0] or not _SUBORDINATE.match(texts[0]))
    )
    for span in spans:
        yield list(_semicolon(sentence, span, len(spans), whole=whole))


def _list_edits(
    sentence: str, spans: Sequence[Span], pieces: Sequence[Span]
) -> tuple[tuple[int, int, str], ...] | None:
    """Commas between the items, what stands with a name in brackets, and "or" for the commas within.

    None where an item would not be told from its parts.
    """
    edits = [(*_around(sentence, span)[:2], _comma(sentence[: span.start])) for span in spans]
    named: list[re.Match[str]] = []
    for number, piece in enumerate(pieces):
        text = sentence[piece.start : piece.end].rstrip(".")
        start = 0 if number else text.rfind(":") + 1
        if "," not in text[start:]:
            continue
        if numbered := _NUMBERED_ITEM.match(text, start):  # "first, to count the cars"
            if "," in text[numbered.end() :]:
                return None
            edits.append((piece.start + numbered.end() - 1, piece.start + numbered.end(), ""))
            continue
        if found := _WITH_A_NAME.search(text, start):
            if number and not re.fullmatch(r"\s*(?:(?:and|or) )?", text[: found.start()]):
                return None
            named.append(found)
            if number < len(pieces) - 1 or not re.match("wh", found["beside"]):
                edits.append((piece.start + found.end("name"), piece.start + found.start("beside"), " ("))
                edits.append((piece.start + found.end(), piece.start + found.end(), ")"))
        elif found := _INNER_LIST.fullmatch(text, start):
            edits.append(
                (piece.start + found.start("comma"), piece.start + found.end("comma"), f" {found['and']}")
            )
        elif (found := _REMARKED.fullmatch(text, start)) and ":" in sentence[: pieces[0].end]:
            if found["head"][:1].isupper() and found["beside"][:1].isupper():
                return None  # "three teams: Ann, Bob; Cy, Di"
            edits.append((piece.start + found.end("head"), piece.start + found.start("beside"), " ("))
            edits.append((piece.start + found.end(), piece.start + found.end(), ")"))
        elif number or start:
            return None
    in_lands = [found["beside"] in LANDS for found in named if found["beside"][:1].isupper()]
    if in_lands and (not all(in_lands) or any(found["name"] in LANDS for found in named)):
        return None  # "Leeds, York; Bath, Bristol"
    return tuple(edits)


def _is_bracketed(sentence: str, span: Span) -> bool:
    return sentence.count("(", 0, span.start) > sentence.count(")", 0, span.start)


def _semicolon(sentence: str, span: Span, count: int, *, whole: bool) -> Iterator[Way]:
    """A full stop between clauses, a comma before "and" and in a list, and what asks keeps its mark.

    `whole` says that all that stands between semicolons can be sentences.
    """
    start, end, before, after = _around(sentence, span)
    comma, stop, colon = (Way(((start, end, new),), 0.0) for new in (_comma(before), ". ", ": "))
    if not after:
        yield Way(((start, end, "."),), 0.0)
    elif before.count("(") > before.count(")"):
        yield comma
    elif count == 1 and whole and sentence.endswith("?") and _ASKS.match(before):
        last = len(sentence) - 1
        yield Way(((start, end, "? "), *(() if _ASKS.match(after) else ((last, last + 1, "."),))), 0.0)
    elif re.match(r"(?i)(?:and|but|or|nor|so|yet)\b", after):
        yield comma
        if count == 1:
            yield stop._replace(cost=0.8)
    elif _SAYS_AGAIN.match(after) and not _is_stated(after.split(";")[0]):
        yield comma
    elif _CONNECTIVE.match(after):
        yield stop
    elif re.match("[\"“«‘'][a-z]", after) and ":" not in sentence:
        yield colon
    elif whole:
        yield stop
        if count == 1 and ":" not in sentence:
            yield colon._replace(cost=1.5)
    else:
        yield comma._replace(cost=0.2)
        if count == 1:
            yield stop._replace(cost=1.0)


def _dash(sentence: str, span: Span, banned: frozenset[str], *, alone: bool) -> Iterator[Way]:
    """A full stop before a clause, a colon before what explains, or else a comma."""
    start, end, before, after = _around(sentence, span)
    if not before:
        yield Way(((0, end, ""),), 0.0)
        return
    if _BREAKS_OFF.match(after) and _QUOTE.search(before):
        yield Way(((start, end, "." if "ellipsis" in banned else "..."),), 0.0)
        return
    before, after = _QUOTE.split(before)[-1], _QUOTE.split(after)[0] or after
    if not after or _AFTERWARDS.match(after):
        yield Way(((start, end, "" if after else "."),), 0.0)
        return
    whole = _is_clause(before) or (_is_clause(after) and _is_told(before))
    comma, colon, stop = (Way(((start, end, new),), 0.0) for new in (_comma(before), ": ", ". "))
    if _JOINING.match(after) or not alone:
        yield comma._replace(cost=0.1)
        if alone and whole and _is_clause(after):
            yield stop._replace(cost=0.6)
    elif whole and (_is_clause(after) or (_AHEAD.match(after) and _is_stated(after))):
        yield stop._replace(cost=0.1)
        if ":" not in sentence:
            yield colon._replace(cost=0.5)
    elif _LISTED.search(after) or (not whole and ("," in before or _is_clause(after))):
        # "Three things matter — speed, cost and time", "Coal, oil, gas — all must go"
        yield colon._replace(cost=0.2)
        # "I tried, books, films" is no list of what was tried.
        if not _is_clause(after) and not (whole and _ROLL.match(after) and ":" not in sentence):
            yield comma._replace(cost=0.5)
    else:
        names = re.match(r"(?i)(?:an?|the|one|two|three|my|our|his|her|its|their|\d+)\b|\w+\W*$", after)
        is_explained = names and whole and ":" not in sentence
        if is_explained and _ANNOUNCED.search(before):  # "only one thing helped — sleep"
            yield colon
            return
        yield comma._replace(cost=0.4 if is_explained else 0.2)
        if ":" not in sentence:
            yield colon._replace(cost=0.2 if is_explained else 0.8)


_OPENS_WITH: Final = re.compile(
    r"(?i)(?:if|when|while|although|though|because|since|as|once|unless|after|before|until)\b"
)


def _dash_pair(sentence: str, first: Span, second: Span, banned: frozenset[str]) -> Iterator[Way]:
    """Commas, or brackets where there are commas inside or a clause of its own."""
    start, end, before, _ = _around(sentence, first)
    stop, last, _, after = _around(sentence, second)
    inner = sentence[end:stop]
    if not before or not after or _ENDED.search(inner):
        yield Way(
            (
                *next(_dash(sentence, first, banned, alone=False)).edits,
                *next(_dash(sentence, second, banned, alone=False)).edits,
            ),
            0.3,
        )
        return
    closed = "" if _AFTERWARDS.match(after) else " "
    clause = _is_clause(inner) and not _SAID_BETWEEN.fullmatch(inner)
    heavy = "," in inner or clause
    bracketed = "bracket" not in banned and "(" not in inner
    if not (bracketed and clause):  # a clause between commas is spliced
        yield Way(
            ((start, end, _comma(before)), (stop, last, f",{closed}" if closed else "")),
            1.0 if heavy else 0.1,
        )
    if bracketed:
        # "If it is too big (most are), the driver keeps it"
        opens = closed and _OPENS_WITH.match(before) and "," not in before and _is_clause(after)
        behind = "), " if opens else f"){closed}"
        yield Way(((start, end, " ("), (stop, last, behind)), 0.2 if heavy else 0.6)


def _exclamation(sentence: str, span: Span, banned: frozenset[str]) -> Iterator[Way]:
    """A full stop or a question mark; a comma after a greeting; nothing beside another mark."""
    before, after = sentence[: span.start], sentence[span.end :]
    if before.endswith(("(", "[")) and after.startswith((")", "]")):  # "forty-one of you (!) came"
        yield Way(((len(before[:-1].rstrip()), span.end + 1, ""),), 0.0)
        return
    if before.endswith(("?", "!", "…", ".")) and not after.startswith("!"):
        yield Way(((span.start, span.end, "" if not before.endswith("!") else "."),), 0.0)
    elif after[:1] in (")", "]") and _WHOLE_BRACKET.search(before):
        yield Way(((span.start, span.end, "."),), 0.0)  # "(Live jazz. On a Thursday!)"
    elif _TOLD_BY.match(after):
        yield Way(((span.start, span.end, ","),), 0.0)
    elif after.startswith(("!", "?")) or re.match(r"[)\]]", after):
        yield Way(((span.start, span.end, ""),), 0.0)
    elif _GREETING.match(before):
        yield Way(((span.start, span.end, ","),), 0.0)
        yield Way(((span.start, span.end, "."),), 0.6)
    elif re.match(r"\s+[a-z]", after):
        yield Way(((span.start, span.end, ","),), 0.2)
        yield Way(((span.start, span.end, ""),), 0.3)
    else:
        asks = _ASKS_YOU.match(before) and "question mark" not in banned
        yield Way(((span.start, span.end, "?" if asks else "."),), 0.0)


def _ellipsis(sentence: str, span: Span) -> Iterator[Way]:
    """A full stop at the end or between clauses; within, what joins the words on both sides, or a comma."""
    start, end, before, after = _around(sentence, span)
    said = _PAUSE.split(before)[-1].strip()
    more = " and so on" if _trails_off(said) else ""
    comma, space, stop = (Way(((start, end, new),), 0.1) for new in (_comma(before), " ", ". "))
    if not before:
        yield Way(((0, end, ""),), 0.0)
    elif sentence[start:end] in ("...", "…") and _CODE_WORD.search(before) and _CODE_REST.match(after):
        return  # "try...catch" is a name
    elif not after or re.match(r"[\"”’')\]]", after):
        yield Way(((start, end, f"{more}."),), 0.0)
    elif re.match(r"[?!.,;:]", after):
        yield Way(((start, end, more),), 0.0)
    elif after[:1].isupper() and not after.startswith(("I ", "I'", "I’")):
        yield Way(((start, end, f"{more}. "),), 0.0)
    elif _FALTERS.fullmatch(said) or _FALTERS.match(after) or (said and _repeats(said, after)):
        yield comma
    elif _LEADS_ON.search(said):
        yield space
        yield comma._replace(cost=0.4)
    elif _JOINING.match(after):
        yield comma
    elif _is_clause(said) and _is_clause(_PAUSE.split(after)[0]):
        yield stop
    elif _is_clause(said) and _ROLL.fullmatch(_PAUSE.split(after)[0].strip()) and ":" not in sentence:
        yield Way(((start, end, ": "),), 0.1)
    elif _COMPLETES.match(after):
        yield space
    else:
        yield comma
        yield space._replace(cost=0.4)


def _is_aside(sentence: str, spans: Sequence[Span]) -> bool:
    """Whether two marks stand around a clause of its own: "the ending… I won't spoil it… is good"."""
    if len(spans) != 2:
        return False
    inner, after = sentence[spans[0].end : spans[1].start].strip(), sentence[spans[1].end :].strip()
    goes_on = next((word.tag in FINITE for word in tagged(after)), False)
    return goes_on and _is_clause(inner) and not _is_told(sentence[: spans[0].start])


def _repeats(said: str, after: str) -> bool:
    """Whether somebody begins again: "I think… I think so"."""
    return after.lower().startswith(said.lower())


def _trails_off(said: str) -> bool:
    """Whether a list of things has no end: "we need paper, pens, glue"."""
    parts = [one.strip() for one in said.rpartition(":")[2].split(",")]
    if len(parts) < _LISTED_FROM or len({*parts}) < len(parts) or re.search(r"\b(?:and|or)\b", parts[-1]):
        return False
    if _DESCRIBES.search(parts[0]):  # "he was tall, dark, handsome"
        return False
    return all(
        0 < len(one.split()) <= _ITEM_WORDS and tagged(f"the {one}")[-1].tag in NOUN for one in parts[-2:]
    )


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


def _emoji(sentence: str, span: Span, runs: Sequence[Span]) -> Iterator[Way]:
    """Nothing, or the mark whose place it took; a heart may be a verb."""
    start, end, before, after = _around(sentence, span)
    if after and _HEART.match(sentence, span.start) and _LOVER.search(before):
        yield Way(((start, end, " love "),), 0.0)
        return
    if said_by := list(words_of_emoji(sentence[span.start : span.end], before, after)):
        ahead = " " if start < span.start or (before[-1:].isalnum() and said_by[0][0].isalpha()) else ""
        behind = "" if not after or _AFTERWARDS.match(after) or said_by[0][0] in SIGNS else " "
        for word, cost in said_by:
            if word:
                yield Way(((start, end, f"{ahead}{word}{behind}"),), cost)
            elif cost:
                yield Way(((start, end, ""),), cost)
        return
    gap = " " if before and after and not _AFTERWARDS.match(after) else ""
    said = _UNWORDED.sub("", before)
    if gap and before and not _ENDED.search(before) and not after[:1].isupper():
        yield Way(((start, end, _between(sentence, span, runs)),), 0.0)
    elif not before or _ENDED.search(before):
        yield Way(((start, end, gap),), 0.0)
    elif gap or (not after and (_is_clause(said) or _has_verb(said))):
        yield Way(((start, end, f".{gap}"),), 0.1)
        if not _is_clause(said):
            yield Way(((start, end, gap),), 0.3)
    else:
        yield Way(((start, end, gap),), 0.0)


def _between(sentence: str, span: Span, runs: Sequence[Span]) -> str:
    """What stands for an emoji between words: a comma in a list, a full stop between clauses, or nothing."""
    at = runs.index(span)
    before = sentence[runs[at - 1].end if at else 0 : span.start].rpartition(":")[2].strip()
    last = at + 1 == len(runs)
    after = sentence[span.end : len(sentence) if last else runs[at + 1].start].strip()
    if _GREETING.match(before):
        return ", "
    if not before or not after or _JOINING.match(after):
        return " "
    joined = any(_JOINING.match(sentence[one.end :].lstrip()) for one in runs[at + 1 :])
    two = _is_told(before) and _is_clause(before) and _is_told(after) and _is_clause(after)
    if two:
        return ", " if joined else ". "
    items = all(len(one.split()) <= _ITEM_WORDS and not _is_told(f"the {one}") for one in (before, after))
    return ", " if joined and items else " "


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


def _tells(text: str) -> bool:
    """Whether a stretch has a verb that can be nothing else: "office staff did worst"."""
    words = tagged(text)
    return any(
        word.tag in ("VBZ", "VBD", "VBP", "MD") and word.text.lower() not in NOUNS for word in words[1:]
    )


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
    clause = _is_clause(inner) or (_tells(inner) and _is_stated(inner))
    if clause and after.strip() in (".", "!", "?", ""):  # commas would splice it
        first = sentence.index(inner, span.start)
        yield Way(((start, first + 1, f". {inner[0].upper()}"), (first + len(inner), span.end, "")), 0.1)
        return
    dashes = not closes and "em dash" not in banned and "—" not in sentence
    if not (dashes and (clause or inner.endswith(("!", "?")))):  # a clause between commas is spliced
        yield commas._replace(cost=1.0 if clause else 0.5 if "," in inner and not closes else 0.2)
    if dashes:
        yield Way(
            ((start, span.start + 1, "—"), (span.end - 1, len(sentence) - len(after.lstrip(" ")), "—")), 0.4
        )
