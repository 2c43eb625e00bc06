"""Bounds on words, sentences, paragraphs and characters: of the whole text, or words of every sentence.

Bounds are folded into one chunk each; then what each one bounds is looked for: the whole text, every
sentence, or something that no constraint can name. A bound that names no unit shares that of the bound with
which it makes a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redraft.constraints.base import Constraint
from redraft.constraints.kinds import (
    CharacterCount,
    ParagraphCount,
    ParagraphLength,
    SentenceCount,
    SentenceLength,
    WordCount,
)

from .bounds import Bound, delta, demanded, described, negation, opposite, quantity, remarked, worded_relation
from .lexicon import WORDINGS, Tag
from .patterns import BREAKS, TOPICS, Chunk, Found, Line, fold, joined, pattern, tags

# "no more than about exactly": nobody says twenty of them in a row, and a row without end takes no more time.
_RELATIONS = "RELATION ([DET LENGTH ADJ EACH ONLY COLON]{0,2} RELATION){0,20}+"
# "no more than 300 words", "300 words or fewer", "300-word limit", "300+ words"; "over 200, under 300, words"
_WITH_UNIT = pattern(
    """
    ((pre: RELATIONS) [DET ONLY COLON]{0,2})? (number: AMOUNT)
    (mid: [OR_MORE OR_FEWER AT_MOST AT_LEAST EXACTLY ABOUT])?
    ([ADJ DET EACH]{0,2} | COMMA (?=UNIT (BREAK | $))) (unit: UNIT) (?!COLON? [QUOTATION KEYWORDS])
    (each: PER_SENTENCE (?=COMMA? [AT_MOST AT_LEAST OR_MORE OR_FEWER]))?
    (post:
          [OR_MORE OR_FEWER]
        | ADJ? COMMA? [AT_MOST AT_LEAST EXACTLY ABOUT] (?![DET ONLY COLON]{0,2} [REFERENCE ONCE AMOUNT])
        | [AT_MOST AT_LEAST EXACTLY] (?=DET [FEWER MORE AT_MOST AT_LEAST EXACTLY]? AMOUNT)
        | ADJ? LENGTH? LIMIT (?!TO)
    )? ADJ?
    """,
    RELATIONS=_RELATIONS,
)
# "word limit: 250", "word count under 300", "max sentences: 12", "number of words: 200-250"
_UNIT_FIRST = pattern("""
    (first: [AT_MOST AT_LEAST EXACTLY])? DET? ((unit: UNIT) | (number_of: LENGTH) DET? (counted: UNIT))
    (noun: PER_SENTENCE? [LENGTH LIMIT]{1,2} PER_SENTENCE? | PER_SENTENCE)?
    (per: DET DET? EACH DET? SENTENCE)? [COLON DET AUX ENSURE TO IN REMAIN COMMA CUT TEXT]{0,6}
    (negation: NOT [AUX ENSURE CUT]*)? (pre: (RELATION [DET ONLY COLON]{0,2}){0,20}+) (number: AMOUNT)
    (post: [OR_MORE OR_FEWER AT_MOST AT_LEAST EXACTLY ABOUT])?
    (?![ADJ DET EACH]{0,2} [TIMES OTHER ONCE DETAIL NUMBER_SIGN TEXT PART UNIT])
    """)
# "keep it under 300", "fewer than 380 words but more than 360"
_WITHOUT_UNIT = pattern(
    """
      (pre: RELATIONS) [DET ONLY COLON]{0,2} (number: AMOUNT)
      (post: [OR_MORE OR_FEWER AT_MOST AT_LEAST ABOUT])? (?=[WITH IN PER_SENTENCE ENSURE AUX TO BREAK] | $)
    | (of: RELATION) (some: AMOUNT) DET [AUX DET]
    | (?<=TO) (bare: AMOUNT) (most: [OR_MORE OR_FEWER AT_MOST AT_LEAST ABOUT])? (?=BREAK | $)
    | (?<=BOUND [BUT JOINT]) (late: AMOUNT) (latest: [OR_MORE OR_FEWER AT_MOST AT_LEAST]) (?=BREAK | $)
    """,
    RELATIONS=_RELATIONS,
)
# A number of nothing is a length only where something that has a length is kept, cut or so long.
_LENGTH_TO = pattern("[CUT EXPAND LIMIT KEEP WRITE] [TEXT DET EACH AUX OTHER WITH LENGTH]{0,4} TO $")
_LENGTH_BEFORE = pattern("""
    (
          ([KEEP CUT EXPAND LIMIT WRITE USE TEXT SENTENCE LENGTH] | BOUND [BUT JOINT]{1,2})
          [TEXT DET EACH AUX WITH LENGTH TO REMAIN ENSURE IN COLON SENTENCE NOT ONLY NO HAVE]{0,6}
        | ^ [SENTENCE NO EACH AUX ENSURE]*
    )
    (RELATION [DET ONLY COLON]{0,2} AMOUNT [OR_MORE OR_FEWER]? [BUT JOINT]{1,2})? $
    """)
_LENGTH_REACH = 12
"""So many chunks before a number of nothing are looked at."""
_KINDS: dict[str, type[WordCount | SentenceCount | ParagraphCount | CharacterCount]] = {
    Tag.WORD: WordCount,
    Tag.SENTENCE: SentenceCount,
    Tag.PARAGRAPH: ParagraphCount,
    Tag.CHARACTER: CharacterCount,
}
_LOWER, _UPPER = tags("MORE AT_LEAST"), tags("FEWER AT_MOST")
_KNOWN = ("the", "these", "those", "this", "that", "my", "our", "your")
# "I can only use 75 words", "we only have 90 words", "you get 100 words"
_SCARCE = re.compile(WORDINGS["scarce"])
# "we have three paragraphs on bees", "here are five sentences", "I have 400 words about it"
_PASSIVE = re.compile(r"in (?:the )?passive\b")
_GIVEN = re.compile(WORDINGS["given"])
_ON = re.compile(
    r"(?:on|about|describing|explaining|covering|regarding|concerning|dealing|here|there|already|so far)\b"
)
_FEWEST = 10
"""A text of fewer words than this is not asked for without saying "words"."""


def fold_bounds(line: Line) -> Line:
    """The line with every number that is bound to a unit as one chunk."""
    line = fold(line, _WITH_UNIT, _with_unit)
    line = fold(line, _UNIT_FIRST, _unit_first)
    return fold(line, _WITHOUT_UNIT, _without_unit)


def _with_unit(line: Line, match: re.Match[str]) -> Chunk | None:
    middle = line.tags[match.end("number") : match.start("unit")]
    if Tag.EACH in middle:
        return None  # "2 of every sentence"
    if match["unit"] == Tag.SENTENCE and _PASSIVE.match(line.words(match.end("unit"), match.end() + 4)):
        return None  # "at most two sentences in the passive"
    post = Tag.AT_MOST if match["post"] and Tag.LIMIT in match["post"] else match["post"]
    if line.tags[match.start() - 1 : match.start()] in (Tag.ORDINAL, Tag.LAST) and not match["pre"]:
        return None
    relation = worded_relation(post, match["mid"])
    if match["pre"] != Tag.EXACTLY or relation not in (Tag.AT_MOST, Tag.AT_LEAST):
        # Otherwise "a total of 9 sentences at most"
        relation = worded_relation(post, match["mid"], match["pre"])
    return _bound(line, match, "number", relation, match["unit"] + (match["each"] or ""))


def _bound(line: Line, match: re.Match[str], number: str, relation: str, unit: str) -> Chunk | None:
    """What matched as a bound with the number in a group of the match."""
    first = match.start() < match.start(number)
    bound = quantity(line.chunks[match.start(number)], relation, unit, first)
    return joined(line, match.start(), match.end(), Tag.BOUND, bound) if bound else None


def _unit_first(line: Line, match: re.Match[str]) -> Chunk | None:
    unit = match["unit"] or match["counted"]
    noun = match["noun"] or ""
    words = line.words(match.start(), match.start("number"))
    if unit == Tag.SENTENCE and "length" in words:
        unit = Tag.WORD + Tag.PER_SENTENCE
    # A noun is of lengths and limits, "per sentence" or both.
    if not (match["number_of"] or match["first"] or noun or Tag.COLON in match.group()) and (
        unit != Tag.WORD or not match["pre"]
    ):
        return None
    relation = worded_relation(match["first"], match["post"], match["pre"])
    limited = Tag.LIMIT in noun or pattern("LIMIT [DET EACH]* $").search(line.before(match.start()))
    if not relation and limited:
        relation = Tag.AT_MOST
    if match["negation"]:
        relation = opposite(relation)
        if not relation:
            return None
    if (Tag.PER_SENTENCE in noun or match["per"]) and not unit.endswith(Tag.PER_SENTENCE):
        unit += Tag.PER_SENTENCE
    return _bound(line, match, "number", relation or Tag.EXACTLY, unit)


def _without_unit(line: Line, match: re.Match[str]) -> Chunk | None:
    if match["some"]:
        return _of_them(line, match)
    where = next(group for group in ("bare", "late", "number") if match[group])
    relation = worded_relation(match["latest"], match["post"], match["most"], match["pre"])
    number = line.chunks[match.start(where)]
    bound = quantity(number, relation)
    if bound is None or number.text == "one":
        return None
    if bound.high < _FEWEST and Tag.BOUND not in line.tags and Tag.SENTENCE not in line.tags:
        return None
    if not match["late"] and not _opens_range(line, match.end(), bound):
        left = line.before(match.start(), _LENGTH_REACH)
        if not (_LENGTH_TO if match["bare"] else _LENGTH_BEFORE).search(left):
            return None
    return joined(line, match.start(), match.end(), Tag.BOUND, bound)


def _opens_range(line: Line, end: int, bound: Bound) -> bool:
    """Whether a bound of nothing is one end, and the bound that it is joined to the other."""
    joint = pattern("[BUT JOINT]{1,2} DET? BOUND").match(line.after(end - 1))
    other = line.chunks[end + joint.end() - 1].value if joint else None
    if not isinstance(other, Bound) or not other.unit:
        return False
    rising = bound.relation in _LOWER and other.relation in _UPPER and bound.high < other.low
    falling = bound.relation in _UPPER and other.relation in _LOWER and bound.low > other.high
    return rising or falling


def _of_them(line: Line, match: re.Match[str]) -> Chunk | None:
    """ "There shouldn't be more than 15 of them": of what was spoken of last."""
    if not re.search("of (?:them|these|those)$", line.words(match.start(), match.end())):
        return None
    units = (Tag.SENTENCE, Tag.PARAGRAPH)
    unit = next((tag for tag in reversed(line.before(match.start())) if tag in units), line.topic)
    return _bound(line, match, "some", match["of"], unit) if unit in units else None


def count_rules(line: Line) -> Iterator[Found]:
    """Every bound in a line that is a demand."""
    last: int | None = None
    unit, each = "", False
    taken: set[tuple[str, str]] = set()
    for at, chunk in enumerate(line.chunks):
        if chunk.tag != Tag.BOUND or not isinstance(chunk.value, Bound):
            continue
        bound = chunk.value
        scope = scope_of(line, at, bound, taken)
        of_sentence = scope is not None and scope.sentence
        shared = bound.unit[:1] or elided(line, at, last)
        if not shared and last is not None and each == of_sentence and excludes(line, at, last):
            unit = ""
            continue  # "at most 4 paragraphs but over 200" is not of paragraphs
        scope_unit = shared or unit or Tag.WORD
        last, unit, each = at, scope_unit, of_sentence
        bare = Tag.EXACTLY if bound.relation else _shared(line, at) or _bare(line, at, bound, of_sentence)
        if scope is None or not bare or delta(line, at) or described(line, at) or _given(line, at, bound):
            continue
        negated, start = negation(line, at)
        if remarked(line, at) and not negated:
            continue
        per_sentence = of_sentence or bound.unit.endswith(Tag.PER_SENTENCE)
        if scope.paragraph:
            found = list(_of_paragraphs(bound, scope_unit, negated, bare))
        else:
            found = list(_constraints(bound, scope_unit, per_sentence, negated, bare))
        # A subject further off ("make it friendlier, under 300 words") is no part of what is said.
        far = pattern("[OTHER BUT KEEP OTHER_VERB CHANGE IMPROVE REFERENCE JOINT]")
        subject = at if far.search(line.tags[scope.start : at]) else min(scope.start, at)
        for constraint in found:
            yield Found(constraint, min(start, subject), max(at + 1, scope.end))
        taken |= {(scope_unit, relation) for _, relation in bound.resolved(negated, bare) if per_sentence}


def _constraints(
    bound: Bound, unit: str, per_sentence: bool, negated: bool, bare: str
) -> Iterator[Constraint]:
    if per_sentence and unit != Tag.WORD:
        if unit != Tag.SENTENCE:
            return
        per_sentence = False
    if unit == Tag.PARAGRAPH and bound.low == bound.high == 1 and not bound.relation:
        bare = Tag.EXACTLY  # nobody means "no paragraph, or one"
    if bound.relation == Tag.ABOUT and unit == Tag.WORD and not (per_sentence or negated):
        bound = _about(bound)
    for count, relation in bound.resolved(negated, bare):
        yield SentenceLength(count, relation) if per_sentence else _KINDS[unit](count, relation)


def _given(line: Line, at: int, bound: Bound) -> bool:
    """Whether a number says what there is to revise: "we have three paragraphs on bees"."""
    said = _GIVEN.search(line.words_before(at))
    if said is None or bound.relation or demanded(line.words_before(at)[: said.start()]):
        return False
    return bound.unit in (Tag.SENTENCE, Tag.PARAGRAPH) or _ON.match(line.words_after(at)) is not None


def _of_paragraphs(bound: Bound, unit: str, negated: bool, bare: str) -> Iterator[Constraint]:
    """What a bound demands of every paragraph: words or sentences; of characters there is no such demand."""
    if unit in (Tag.WORD, Tag.SENTENCE):
        for count, relation in bound.resolved(negated, bare):
            yield ParagraphLength(count, "words" if unit == Tag.WORD else "sentences", relation)


def _about(bound: Bound) -> Bound:
    """What "about 150 words" allows: a tenth more or less; a range is wide enough by itself."""
    tenth = max(bound.low // 10, 1) if bound.low == bound.high else 0
    return Bound(max(bound.low - tenth, 0), bound.high + tenth)


# "at most 300 words, 20 sentences and 3 paragraphs": what is listed before a bound, and behind it
_LISTED_BEFORE = pattern("(BOUND COMMA)* BOUND (COMMA | (last: COMMA? [AND OR])) $")
_LISTED_BEHIND = pattern("(COMMA BOUND)* COMMA? [AND OR] BOUND")


def _shared(line: Line, at: int) -> str:
    """The relation that a number without one has from a bound that it is listed with, if any.

    What stands before the first number is said of those after it too; what stands behind one is not.
    """
    listed = _LISTED_BEFORE.search(line.before(at))
    if listed is None or not (listed["last"] or _LISTED_BEHIND.match(line.after(at))):
        return ""
    start = at - len(listed.group())
    for earlier in range(at - 1, start - 1, -1):
        bound = line.chunks[earlier].value
        if not isinstance(bound, Bound):
            continue
        if bound.relation:
            relation = opposite(bound.relation) if negation(line, earlier)[0] else bound.relation
            return relation if bound.relation_first else ""
        if earlier == start:  # "cut it to 300 words and 20 sentences"
            return _bare(line, earlier, bound, False)
    return ""


# What stands before a number says how it is meant: at most after "cut to", at least after "expand to".
_BARE_RELATIONS = (
    (pattern("[CUT LIMIT KEEP AVOID REMAIN] [^COMMA BUT]{0,6} [TO IN] DET? $"), Tag.AT_MOST),
    (pattern("EXPAND [^COMMA BUT]{0,6} TO DET? $"), Tag.AT_LEAST),
    (pattern("LIMIT [^COMMA BUT]{0,5} DET $ | [CUT LIMIT KEEP] .* TEXT TO $"), Tag.AT_MOST),
    (pattern("[AT_MOST LIMIT] [DET TEXT LENGTH WORD SENTENCE]{0,3} [COLON AUX] [AUX DET]* $"), Tag.AT_MOST),
    (pattern("KEEP [DET TEXT LENGTH]{1,3} DET $"), Tag.EXACTLY),
    (pattern("AT_LEAST [DET TEXT LENGTH WORD SENTENCE]{0,3} [COLON AUX] [AUX DET]* $"), Tag.AT_LEAST),
)
# Exactly so many after "make it", "please write", "rewrite it in"; and after "has" where that is a demand
_MADE = pattern("""
      (^ | [COMMA COLON AND BUT ENSURE AUX ONLY]) [WRITE USE HAVE SAY CHANGE CUT IMPROVE]
      TEXT? [DET ONLY AUX]{0,2} $
    | (^ | [COMMA COLON AND BUT AUX OTHER TEXT]) ENSURE [DET ONLY]{0,2} $
    | WRITE [DET ADJ]* [TEXT PARAGRAPH OTHER] DET $
    """)
_MADE_IN = pattern("""
    (
          [WRITE CHANGE IMPROVE OTHER_VERB CUT SAY USE EXPAND ADD START] [^COMMA BUT]{0,8}
        | ^
        | TEXT
        | BOUND [COMMA AND]{1,2}
    )
    [IN WITH TO] DET{0,2} $
    """)
_HAS = pattern("[AUX HAVE USE REMAIN WITH] [DET ONLY]{0,2} $")
_EACH_HAS = pattern("([AUX WITH HAVE COLON] | EACH SENTENCE) DET? $")
# A number that stands alone: "Revise this: 300 words", "300 words, no 'x'"
_ALONE_BEFORE = pattern("(^ | [COMMA COLON AND]) ONLY* $")
_ALONE_BEHIND = pattern("ONLY{0,2} ([COMMA COLON AND BUT PER_SENTENCE WITH] | DET BOUND | $)")
_ALONE_AFTER = pattern("""
      ^ [OTHER TEXT LENGTH ADJ COMMA COLON AND ENSURE]* ONLY* $
    | ^ [OTHER ADJ COMMA AND LABEL NO WITHOUT USE]* COMMA ONLY* $
    | COLON ONLY* $
    """)


def _bare(line: Line, at: int, bound: Bound, of_sentence: bool) -> str:
    """The relation that a number has where none is said; empty where it demands nothing."""
    left = line.before(at)
    if bound.low != bound.high:
        known = line.words(at - 1, at) in _KNOWN and line.words(at + 1, at + 2) != "range"
        return "" if known else Tag.EXACTLY
    if pattern("[NOT WITHOUT NO] ([^MARKER] | TO){0,4} $").search(left) or line.words(at - 1, at) in _KNOWN:
        return ""
    if limit := pattern("AUX [DET ADJ]* (limit: [LIMIT AT_MOST AT_LEAST])").match(line.after(at)):
        return Tag.AT_LEAST if limit["limit"] == Tag.AT_LEAST else Tag.AT_MOST  # "150 words is the limit"
    if _SCARCE.search(line.words_before(at)):
        return Tag.AT_MOST
    for before, relation in _BARE_RELATIONS:
        if before.search(left):
            return relation
    exactly = (
        (_HAS.search(left) and demanded(line.words_before(at)))
        or _MADE.search(left)
        or (_MADE_IN.search(left) and not pattern("[REFERENCE LAST]").search(left))
        or (of_sentence and _EACH_HAS.search(left))
        or _alone(line, at)
    )
    return Tag.EXACTLY if exactly else ""


def _alone(line: Line, at: int) -> bool:
    """Whether a bound stands by itself, in a list of demands or behind a colon."""
    left = line.before(at)
    if not _ALONE_BEFORE.search(left) or not _ALONE_BEHIND.match(line.tags[at + 1 : at + 3]):
        return False
    listed = pattern("[BOUND KEYWORDS]").search(left + line.tags[at + 2 : at + 4])
    return bool(listed or _ALONE_AFTER.search(left))


_EVERY = pattern("""
    ADJ?
    (
          PER_SENTENCE
        | [IN DET] EACH DET? SENTENCE
        | EACH DET? SENTENCE (?=BREAK | $)
        | EACH (?=[IN BREAK] | $)
    )
    """)
_LIMIT_OF_EACH = pattern("""
    AUX [DET ADJ]* [LIMIT AT_MOST AT_LEAST] (PER_SENTENCE | [IN DET] EACH DET? SENTENCE)
    """)
"""Behind a number: "… is the limit for any sentence"."""
_TOTAL = re.compile(
    r"[,]?(?:in total|overall|total|altogether|in all|in its entirety|all told|for the (?:whole|entire))\b"
)
_REST = re.compile("rest|remain|other|else")
# What is bounded in any paragraph is for the kind to read: "… in a paragraph", "a paragraph must not …"
_IN_A_PARAGRAPH = re.compile(r"in (?:a|any) (?:single )?paragraph\b")
_A_PARAGRAPH = re.compile(
    r"(?:^|[,:] ?|\b(?:that|and|but|so) )(?:a|any) (?:single )?paragraph"
    r" (?:must|should|may|can|shall|cannot|has to|needs to)\b[^,:]*$"
)
_AVERAGE = re.compile("averag|avg")
_NONE = ("none", "not one", "not a single one")
_OF_WORDS = ("", Tag.WORD)
# Between a bound on sentences or paragraphs and one on their words: "five sentences of 20 words"
_OF_BOUND = pattern("(DET | WITH | WITH DET | EACH | WITH EACH | AUX | WITH AUX)?")
_OF_SOMETHING = pattern("[DET EACH]* [SENTENCE WORD PARAGRAPH PART OTHER]")
_EACH_BEFORE = pattern(
    "[DET WITH AUX ENSURE HAVE USE OTHER BOUND COLON FEWER MORE AT_MOST AT_LEAST EXACTLY] | $"
)
_FAR = 30
"""A subject stands no more chunks than this before its bound."""
_LONG_SENTENCE = 80
"""Nobody asks for sentences of so many words: such a bound is on the text."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is bounded, and the chunks from its mention to the bound."""

    sentence: bool
    start: int
    end: int
    paragraph: bool = False


def scope_of(line: Line, at: int, bound: Bound, taken: set[tuple[str, str]]) -> Scope | None:
    """The scope of a bound; None where it is a part of the text that no constraint can name, or an average.

    `taken` holds the per-sentence bounds that the line already has.
    """
    if line.tags.startswith(Tag.PER_PART, at + 1) or _AVERAGE.search(line.words(at + 1, at + 4)):
        return None
    if _IN_A_PARAGRAPH.match(line.words_after(at)) or _A_PARAGRAPH.search(line.words_before(at)):
        return None
    if match := _EVERY.match(line.tags, at + 1) or _LIMIT_OF_EACH.match(line.tags, at + 1):
        if match.group() == Tag.EACH and _of(line, at) == Tag.PARAGRAPH:
            return Scope(False, at, match.end(), paragraph=True)  # "paragraphs of 50 words each"
        return Scope(True, at, match.end())
    nothing = line.chunks[at].text.startswith("nothing")
    if nothing and _of_sentences(line, at, bound) and bound.high < _LONG_SENTENCE:
        return Scope(True, at, at + 1)
    if _TOTAL.match(line.words_after(at)):
        return Scope(False, at, at + 2)
    return _before(line, at, bound, taken)


def _before(line: Line, at: int, bound: Bound, taken: set[tuple[str, str]]) -> Scope | None:
    """The scope by what is spoken of before a bound, the nearest first."""
    separated = False
    index = at - 1
    while index >= max(0, at - _FAR):
        chunk, behind = line.chunks[index], line.tags[index + 1 : at]
        tag = chunk.tag
        if _AVERAGE.search(chunk.text):
            return None
        if tag in BREAKS:
            separated = separated or tag != Tag.COLON
        elif (tag == Tag.PARAGRAPH and _of_parts(line, index)) or (
            not separated
            and (tag in (Tag.REFERENCE, Tag.PART) or (tag == Tag.EVERYTHING and _REST.search(chunk.text)))
        ):
            return None
        elif tag == Tag.TEXT and not pattern("SENTENCE [IN DET] DET? $").search(line.before(index)):
            return Scope(False, index, at + 1)
        elif tag == Tag.BOUND and not separated and _OF_BOUND.fullmatch(behind):
            inner = chunk.value
            if isinstance(inner, Bound) and inner.unit == Tag.SENTENCE and bound.unit in _OF_WORDS:
                each = bound.high < _LONG_SENTENCE
                return Scope(each, index + 1 if each else at, at + 1)
            if isinstance(inner, Bound) and inner.unit == Tag.PARAGRAPH:
                # "one paragraph of at most 100 words" bounds the text.
                return Scope(False, at, at + 1) if inner.low == inner.high == 1 else None
        elif tag == Tag.NO and chunk.text.startswith(_NONE) and not _OF_SOMETHING.match(behind):
            # "none of them should exceed 20 words": of whatever was spoken of last
            return Scope(True, index, at + 1) if _of_sentences(line, index, bound) else None
        elif tag in (Tag.SENTENCE, Tag.PER_SENTENCE):
            return _sentence(line, index, at, bound, separated, taken)
        elif tag == Tag.EACH and chunk.text not in ("any", "both") and _EACH_BEFORE.match(behind):
            if pattern("DET? [PARAGRAPH PART]").match(behind):
                return None
            if _of(line, index) == Tag.PARAGRAPH:  # "three paragraphs, each of at most 50 words"
                return None if separated else Scope(False, index, at + 1, paragraph=True)
            return _sentence(line, index, at, bound, separated, taken)
        elif tag in (Tag.WORD, Tag.CHARACTER) and line.tags[index - 1 : index] in (Tag.EACH, Tag.NO):
            return None
        index -= 1
    return Scope(False, at, at + 1)


def _of_sentences(line: Line, index: int, bound: Bound) -> bool:
    """Whether sentences were spoken of last, and the bound may be on their words."""
    return (_of(line, index) or line.topic) == Tag.SENTENCE and bound.unit in _OF_WORDS


def _of(line: Line, index: int) -> str:
    """The unit that is spoken of last before a place: "four paragraphs, each with …"."""
    for chunk in reversed(line.chunks[max(0, index - _FAR) : index]):
        unit = chunk.value.unit[:1] if isinstance(chunk.value, Bound) else chunk.tag
        if unit in TOPICS:
            return unit
    return ""


def _of_parts(line: Line, index: int) -> bool:
    """Whether a mention of paragraphs means some of them, and not the text that is one."""
    head = line.tags[max(0, index - 2) : index]
    some = pattern("[EACH ORDINAL LAST NO] DET? $").search(head)
    return line.chunks[index].text != "paragraph" or some is not None


def _sentence(
    line: Line, index: int, at: int, bound: Bound, separated: bool, taken: set[tuple[str, str]]
) -> Scope | None:
    each = pattern("[EACH NO DET]* $").search(line.before(index))
    start = index - len(each.group()) if each else index
    firm = line.tags[index] == Tag.EACH or pattern("[EACH NO]").search(line.tags[start:index]) is not None
    if _AVERAGE.search(line.words(start - 2, start)):
        return None
    relations = {relation for _, relation in bound.resolved(False)}
    again = {(Tag.WORD, relation) for relation in relations} & taken
    repeated = separated and line.tags[at - 1] != Tag.OR and bool(again)
    too_long = bound.high >= _LONG_SENTENCE and (separated or not firm)
    possible = (*_OF_WORDS, Tag.WORD + Tag.PER_SENTENCE, Tag.CHARACTER)
    if repeated or too_long or bound.unit not in possible:
        return Scope(False, at, at + 1)
    return None if bound.unit == Tag.CHARACTER else Scope(True, start, at + 1)


_JOINT = pattern("[BUT JOINT]{1,2} [DET WITH ENSURE]{0,2} BOUND")


def elided(line: Line, at: int, last: int | None) -> str:
    """The unit that a bound shares with the next one: "more than 5 but fewer than 10 sentences".

    Empty where it shares that of the `last` one: "fewer than 10 sentences but more than 5, under 90 words".
    """
    behind = _JOINT.match(line.tags, at + 1)
    following = line.chunks[behind.end() - 1].value if behind else None
    if behind is None or not isinstance(following, Bound):
        return ""
    if last is None:
        return following.unit[:1]
    after = _width(line, at, behind.end() - 1)
    ahead = _JOINT.fullmatch(line.tags, last + 1, at + 1)
    before = _width(line, last, at) if ahead else 0
    if after <= 1:
        return ""
    if ahead is None or before <= 1 or after < before:
        return following.unit[:1]
    return following.unit[:1] if Tag.BUT in behind.group() and Tag.BUT not in ahead.group() else ""


def excludes(line: Line, at: int, last: int) -> bool:
    """Whether a bound and the `last` one, which it is joined to, leave no number if they share a unit."""
    return _JOINT.fullmatch(line.tags, last + 1, at + 1) is not None and 0 < _width(line, last, at) <= 1


def _width(line: Line, one: int, other: int) -> float:
    """How many times the lower of two bounds the upper is; nothing where both are lower or both upper."""
    ends: dict[str, int] = {}
    for at in (one, other):
        bound = line.chunks[at].value
        if isinstance(bound, Bound):
            ends |= {relation: count for count, relation in bound.resolved(negation(line, at)[0])}
    low, high = ends.get("more than"), ends.get("less than")
    return 0 if low is None or high is None else high / max(low, 1)
