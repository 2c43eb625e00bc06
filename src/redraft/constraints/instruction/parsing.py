"""From an instruction to its constraints, their places and its style part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from redraft.constraints.base import Constraint, all_kinds
from redraft.constraints.kinds import (
    KeywordFrequency,
    ParagraphCount,
    PartEdit,
    SentenceEdit,
    SentenceModification,
)
from redraft.text import Span

from .bounds import fold_frequencies, fold_ranges
from .clauses import NOTHING_ELSE, blanked, without_rest
from .conventions import convention_rules
from .counts import count_rules, fold_bounds
from .forms import fold_number_styles, fold_sentence_starts, heading_rules, opening_rules
from .governors import Governor, before, behind, governor
from .keywords import Keywords, fold_additions, fold_keywords, fold_unquoted, keyword_rules, tag_particles
from .lexicon import WORDINGS, Tag
from .marks import mark_rules
from .other_kinds import fold_details, fold_grades, grade_rules, preserve_rules, repeat_rules
from .part_edits import find_part_edits
from .part_shares import take_part_shares, take_rest
from .parts import take_parts
from .patterns import ITEMS, WINDOW, Chunk, Found, Line, chunked, joined, pattern, read_rules, tags
from .relative_lengths import find_relative_lengths
from .relative_scores import find_relative_scores
from .replacements import take_replacements
from .rewording import reword
from .scores import fold_scores
from .sentence_edits import find_sentence_edits
from .sentences import Named, fold_references, keeps_rest, rewrites, sentence_rules
from .shapes import find_shapes
from .slips import mend_slips
from .style import remainder
from .tokens import Token, bullets, tokenize
from .unasked import find_unasked
from .voice import fold_persons, voice_rules, with_persons

_ONE = frozenset(["it", "this", "that", "one"])
_MANY = frozenset(["they", "them", "those", "these", "both", "both of", "the two"])
_HEADS = {Tag.REFERENCE: tags("SENTENCE"), Tag.KEYWORDS: tags("WORD LABEL"), Tag.DETAILS: tags("")}
"""The nouns that may follow a pronoun: "that sentence", "this word"."""
_HEAD_TAGS = tags("SENTENCE WORD LABEL")
_REACH = 30
"""So many chunks back something is looked for that a pronoun may stand for."""
_NOUNS = ("word", "phrase", "term", "expression", "name", "hashtag")
_DONE = pattern("""
    EACH?
    (
          COMMA? UNCHANGED
        | [EXCEPT FREQUENCY BREAK]
        | IN [TEXT DET AUX PARAGRAPH]* ($ | [COMMA AND BUT])
        | DET+ ($ | [COMMA AND BUT])
        | REMAIN
        | [AUX ENSURE]* FREQUENCY
        | $
    )
    """)
_ALONE = pattern("[COMMA AND BUT]{1,2} NOTHING | COMMA? ONLY (?![CHANGE IMPROVE])")
"""Behind a sentence to change: "… and nothing else", "… only"."""
_CLAUSE = pattern("(^ | [ENSURE IF IN BREAK]) [DET ONLY]? $")


def resolve(line: Line) -> Line:
    """The line with the pronouns that stand for something named in it, or in the line ahead of it."""
    chunks = list(line.chunks)
    at = 0
    while at < len(chunks):
        if size := _pronoun(chunks, at):
            # Only what stands near bears on it: a line without end is not read again for each of them.
            start = max(0, at - 4 * WINDOW)
            near = replace(line, chunks=tuple(chunks[start : at + 2 * WINDOW]))
            if put := _named(near, at - start, size):
                chunks[at : at + size] = [put]
        at += 1
    return replace(line, chunks=tuple(chunks))


def _pronoun(chunks: Sequence[Chunk], at: int) -> int:
    """How many chunks the pronoun at a place takes; none where there is no pronoun."""
    text = chunks[at].text
    if text not in _ONE and text not in _MANY and text != "the":
        return 0
    following = chunks[at + 1].tag if at + 1 < len(chunks) else ""
    behind = chunks[at + 1].text if following else ""
    if text == "that":
        return 2 if following in _HEAD_TAGS or following == Tag.ONE else 0
    if text == "the":  # "cut the word altogether"
        return 2 if behind in _NOUNS else 0
    if text in ("this", "those", "these", "both", "both of"):
        counted = following in _HEAD_TAGS or following in (Tag.NUMBER, Tag.ONE)
        return 2 if counted or (following == Tag.AUX and behind == "them") else 1
    return 1


def _named(line: Line, at: int, size: int) -> Chunk | None:
    """What the pronoun at a place stands for, as a chunk in its place."""
    antecedent = _antecedent(line, at)
    if antecedent is None:
        return None
    put = replace(joined(line, at, at + size, antecedent.tag, antecedent.value), text=line.chunks[at].text)
    changed = replace(line, chunks=(*line.chunks[:at], put, *line.chunks[at + size :]))
    return put if _demanded(changed, at) else None


def _antecedent(line: Line, at: int) -> Chunk | None:
    """What was named last, if nothing is said of it there and it agrees with the pronoun."""
    place, where = _last_mention(line, at)
    if place is None:
        return None
    chunk, text, head = place.chunks[where], line.chunks[at].text, line.tags[at + 1 : at + 2]
    if text in ("the", "that", "this") and head in _HEAD_TAGS and head not in _HEADS[chunk.tag]:
        return None
    if _many(chunk) != (text in _MANY):
        return None
    verb = governor(place, where)
    return None if verb and _possible(verb, chunk.tag) else chunk


def _last_mention(line: Line, at: int) -> tuple[Line | None, int]:
    """The item that was named last before a place, in its line or the line ahead of it."""
    for place, end in ((line, at), (line.ahead, len(line.ahead.chunks) if line.ahead else 0)):
        if place is not None:
            for where in range(end - 1, max(-1, end - _REACH), -1):
                if place.tags[where] in ITEMS:
                    return place, where
    return None, 0


def _many(chunk: Chunk) -> bool:
    if isinstance(chunk.value, Named):
        return len(chunk.value.numbers) > 1
    return len(chunk.value.texts) > 1 if isinstance(chunk.value, Keywords) else True


def _demanded(line: Line, at: int) -> bool:
    """Whether what stands around the item at a place is a whole demand on it."""
    ahead, after = before(line, at), behind(line, at)
    orders = ahead and not re.search("[es]d$|s$", line.chunks[at - 1].text)
    if ahead and orders and _possible(ahead, line.tags[at]) and _DONE.match(line.after(at)):
        return True
    to_change = ahead and ahead.verb in (Tag.CHANGE, Tag.IMPROVE) and line.tags[at] == Tag.REFERENCE
    if to_change and _ALONE.match(line.after(at)):
        return True
    return bool(
        after
        and _possible(after, line.tags[at])
        and _CLAUSE.search(line.before(at))
        and _DONE.match(line.after(after.end - 1))
    )


def _possible(verb: Governor, item: str) -> bool:
    if verb.verb in (Tag.KEEP, Tag.OFF_LIMITS):
        return True
    if verb.verb == Tag.CHANGE:
        return verb.negated
    of_words = verb.verb in (Tag.AVOID, Tag.USE, Tag.ADD) or (verb.verb == Tag.SAY and verb.negated)
    return item == Tag.KEYWORDS and of_words


_LEAVE = re.compile(rf"\b(?:{WORDINGS['leave']})\b")
_DID = re.compile(
    r"(?<!what )\b(?:i|we|he|she|they) (?:have |had |never |not |also |always |only |just |already )*"
    rf"(?:{WORDINGS['did']})\b"
)
_OF_PART = re.compile(r" paragraph N (?:up )?(?:in|into|to) ")
"""A bound behind it is one of that paragraph: "split paragraph 3 into two paragraphs"."""
_CLAUSE_STARTS = tags("COMMA COLON BUT AND")
_ANEW = re.compile(r"\A.*\b(?:long as|provided|except|but|if|only)\b")
_NEAR = 7
"""So many chunks before a demand may say that it is none."""


def waived(line: Line, found: Found) -> bool:
    """Whether a demand that was read is none after all."""
    if isinstance(found.constraint, KeywordFrequency) and found.constraint.relation == "less than":
        return False  # "it's fine to use 'x' up to twice" still sets a bound
    if line.chunks[0].text == "why":
        return True
    if isinstance(found.constraint, ParagraphCount) and _OF_PART.search(line.prose):
        return True
    if pattern("EXCEPT | EVERYTHING BUT").search(line.tags[found.start : found.end]):
        return False  # "feel free to change anything except sentence 2"
    left = line.before(found.start, _NEAR)
    start = found.start - len(left) + max(left.rfind(tag) for tag in _CLAUSE_STARTS) + 1
    end = max(found.start + 3, min(found.start + 5, found.end))
    ahead, head = line.words(start, found.start), line.words(found.start, end)
    if _DID.search(f"{ahead} {head}"):
        return True
    return _LEAVE.search(f"{_ANEW.sub('', ahead)} {head}") is not None


_RULES = (
    sentence_rules,
    keyword_rules,
    count_rules,
    grade_rules,
    read_rules,
    preserve_rules,
    repeat_rules,
    convention_rules,
    mark_rules,
    voice_rules,
    heading_rules,
    opening_rules,
)
_MOST_EDITS = 20
"""Demands of one of these sorts that are read in an instruction."""
_PASTED = re.compile(r":[ \t]*\r?\n")
_LOOSE_ENDS = re.compile(r"\A(?:[\s,.;:]|and\b|but\b)+|(?:[\s,.;:]|\b(?:and|but|or))+\Z", re.IGNORECASE)
_PASTED_LENGTH = 300
"""What follows a colon and a new line is a pasted text from so many characters on."""
_LONGEST_HEADING = 20
"""A heading's colon is among its first tokens, so many of them."""


@dataclass(frozen=True)
class Instruction:
    """What an instruction demands: constraints that can be checked, and the rest."""

    text: str
    constraints: tuple[Constraint, ...]
    """In the order in which they are said, each once."""
    places: tuple[Span, ...]
    """Where each was read."""
    style: str
    """What no constraint says ("make it friendlier"), tidied; empty if there is nothing."""


def parse(text: str) -> Instruction:
    """Read an instruction in plain English."""
    own, pasted = _without_pasted(text)
    mended = mend_slips(own)
    reworded = reword(mended.text)
    own = reworded.text
    unasked = find_unasked(own)
    asked, own = _edits(own, unasked)
    replaced = take_replacements(own)
    named = take_parts(replaced.rest)
    shares = take_part_shares(named.rest)
    own = shares.rest
    lines: list[Line] = []
    for tokens, start in _lines(own):
        line = _folded(chunked(tokens, start, lines[-1] if lines else None), own)
        lines.append(resolve(line))
    found = [_rules(line, unasked) for line in lines]
    _across(lines, found)
    read: dict[Constraint, Span] = {}
    for line, items in zip(lines, found, strict=True):
        for item in items:
            read.setdefault(item.constraint, _place(line, item))
    style = remainder(own, lines, found)
    for span, constraint in _foreign(own, read.values()):
        if constraint not in read and not _within(span, unasked):
            read[constraint] = span
            style = _LOOSE_ENDS.sub("", style.replace(own[span.start : span.end], " "))
    read = with_persons(read)
    of_parts = (*named.found, *shares.found)
    read |= {constraint: span for constraint, span in of_parts if not _within(span, unasked)}
    for span, constraint in asked:
        read.setdefault(constraint, span)
    if replaced.constraint is not None:
        read[replaced.constraint] = replaced.span
    for span, constraint in replaced.within:
        read.setdefault(constraint, span)
    style, alone = take_rest(style, read)
    if alone is not None:
        read[alone] = Span(len(own), len(own))
    ordered = sorted(read.items(), key=lambda item: item[1].start) if _late(read) else list(read.items())
    style = " ".join(filter(None, (style, replaced.unread, pasted.strip())))
    places = tuple(mended.original(reworded.original(span)) for _, span in ordered)
    return Instruction(text, tuple(constraint for constraint, _ in ordered), places, style)


def _place(line: Line, found: Found) -> Span:
    return Span(line.chunks[found.start].start, line.chunks[found.end - 1].end)


def _within(span: Span, places: Iterable[Span]) -> bool:
    """Whether something is said in one of some places, all of it or its end."""
    return any(place.start < span.end <= place.end for place in places)


def _edits(text: str, unasked: Sequence[Span]) -> tuple[list[tuple[Span, Constraint]], str]:
    """What is asked of whole sentences and of the length beside the original's, and the text without it."""
    found: list[tuple[Span, Constraint]] = []
    edits = islice(find_sentence_edits(text), _MOST_EDITS)
    parts = islice(find_part_edits(text), _MOST_EDITS)
    lengths = islice(find_relative_lengths(text), _MOST_EDITS)
    shapes = islice(find_shapes(text), _MOST_EDITS)
    scores = islice(find_relative_scores(text), _MOST_EDITS)
    for span, constraint in (*edits, *parts, *lengths, *scores, *shapes):
        apart = all(span.end <= other.start or other.end <= span.start for other, _ in found)
        if apart and not _within(span, unasked):
            found.append((span, constraint))
    rest = text
    for span, _ in found:
        rest = blanked(rest, span.start, span.end)
    edited = any(isinstance(constraint, SentenceEdit | PartEdit) for _, constraint in found)
    if found and NOTHING_ELSE.fullmatch(without_rest(rest)[0] if edited else rest):
        rest = " " * len(text)
    return sorted(found, key=lambda item: item[0].start), rest


def _late(read: dict[Constraint, Span]) -> bool:
    """Whether a constraint was read after one that is said later."""
    starts = [span.start for span in read.values()]
    return starts != sorted(starts)


def _without_pasted(text: str) -> tuple[str, str]:
    """The instruction, and the text to revise where somebody has pasted it behind "…:" and a new line."""
    match = _PASTED.search(text)
    if match is None:
        return text, ""
    rest = text[match.end() :]
    paragraphs = rest.strip().split("\n")
    if bullets("\n" + rest) or len(rest) < _PASTED_LENGTH or max(map(len, paragraphs)) < _PASTED_LENGTH / 2:
        return text, ""
    return text[: match.end()], rest


def _lines(text: str) -> Iterable[tuple[list[Token], int]]:
    """The tokens of each line, those of a heading with its verb ("Avoid:") included, and where it begins."""
    items = bullets(text)
    heading: list[Token] = []
    end = 0
    for tokens in tokenize(text):
        start = tokens[0].start
        item = start in items or (bool(heading) and ";" in text[end:start])
        end = tokens[-1].end
        yield ([*heading, *tokens] if item else tokens), start
        if not item:
            heading = _heading(tokens)


def _heading(tokens: list[Token]) -> list[Token]:
    """What a line says of the items behind it: "Avoid:", or "make sure that:" with the first of them."""
    for at, token in enumerate(tokens[:_LONGEST_HEADING]):
        if token.text == ":" and (at + 1 == len(tokens) or tokens[at - 1].text in ("that", "sure", "ensure")):
            return tokens[: at + 1]
    return []


def _folded(line: Line, text: str) -> Line:
    line = fold_grades(fold_scores(fold_number_styles(fold_additions(fold_persons(line)))))
    line = fold_ranges(line)
    line = fold_unquoted(line, text)
    line = fold_frequencies(line)
    line = fold_sentence_starts(tag_particles(fold_keywords(line)))
    line = fold_references(line)
    line = fold_details(line)
    return fold_bounds(line)


def _rules(line: Line, unasked: Sequence[Span]) -> list[Found]:
    read = [found for rules in _RULES for found in rules(line) if not waived(line, found)]
    asked = [found for found in read if not _within(_place(line, found), unasked)]
    return sorted(asked, key=lambda item: item.start)


def _across(lines: list[Line], found: list[list[Found]]) -> None:
    """ "Rewrite sentence 3. Leave everything else alone." is one demand in two lines."""
    for index in range(len(lines) - 1):
        if found[index + 1]:
            continue
        if not keeps_rest(lines[index + 1]):
            continue
        places = rewrites(lines[index])
        named = [value for at in places if isinstance(value := lines[index].chunks[at].value, Named)]
        numbers = tuple(number for value in named for number in value.numbers)
        if numbers and not any(value.more for value in named):
            constraint = SentenceModification(numbers, "change")
            found[index].append(Found(constraint, places[0], places[-1] + 1))
            found[index + 1].append(Found(constraint, 0, len(lines[index + 1].chunks)))


def _foreign(text: str, places: Iterable[Span]) -> Iterable[tuple[Span, Constraint]]:
    """What the registered kinds read for themselves in what is left; places stay those of the text."""
    rest = list(text)
    for span in places:
        rest[span.start : span.end] = " " * (span.end - span.start)
    unread = "".join(rest)
    for kind in all_kinds().values():
        yield from kind.read(unread)
