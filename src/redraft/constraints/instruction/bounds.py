"""Bounds as people word them: `fewer than 300`, `300 or fewer`, `between 250 and 300`, `twice`.

A bound may be negated ("should not be over 300 words"), or demand nothing: it may describe the text as it is
("the report has 400 words now") or say how much to add ("add 50 words").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.constraints.bounds import LARGEST, Relation, relate

from .lexicon import WORDINGS, Tag
from .patterns import Chunk, Line, fold, joined, pattern, tags

_NARROW = 10
"""In a range at least so wide, "between" may leave its ends out."""

# "between 250 and 300", "250 words to 300", "from 250 to 300", "two or three"
_RANGE = pattern("(head: [BETWEEN DET]?) NUMBER [TIMES UNIT]? (joint: [TO AND OR AT_MOST]) NUMBER")


@dataclass(frozen=True, slots=True)
class Range:
    """Two ends of a range of numbers; `low` and `high` are the least and greatest that it allows."""

    low: int
    high: int


_TIMES = {"once": 1, "one time": 1, "a single time": 1, "twice": 2, "thrice": 3}
_FREQUENCY = pattern("""
    (pre: [ONLY RELATION]{0,20}) [DET ONLY]?
    (
          (number: AMOUNT) (mid: [OR_MORE OR_FEWER])? ADJ? (noun: TIMES | USE DET | DET)
        | (times: ONCE) (OR (more: ONCE))?
    ) (post: [OR_MORE OR_FEWER AT_MOST AT_LEAST EXACTLY ABOUT] (?!DET? [ONCE AMOUNT]) | ONLY)?
    """)
# A strict relation and an inclusive one are each other's negation: "not more than" is "at most".
_NEGATED = {Tag.MORE: Tag.AT_MOST, Tag.FEWER: Tag.AT_LEAST, Tag.AT_MOST: Tag.MORE, Tag.AT_LEAST: Tag.FEWER}
_POST = {Tag.OR_FEWER: Tag.AT_MOST, Tag.OR_MORE: Tag.AT_LEAST}
_WORDS = {
    Tag.FEWER: "less than",
    Tag.MORE: "more than",
    Tag.AT_MOST: "at most",
    Tag.AT_LEAST: "at least",
    Tag.EXACTLY: "equal",
}
_BROUGHT = re.compile(
    r"\b(?:get|gets|getting|bring|bringing|take|squeeze|fit|edit|rewrite|rework|rephrase|recast|revise|tighten"
    r"|condense|reduce|shorten|compress|split|break|divide|chop)\b|\b(?:to|down|within|into)\b"
)
"""What makes a bound behind sentences one that they are brought to; else it tells which are meant."""
_RELATIONS = tags("RELATION OR_FEWER OR_MORE")


@dataclass(frozen=True, slots=True)
class Bound:
    """A number or a range with a relation as worded."""

    low: int
    high: int
    relation: str = ""
    """A tag; empty where none is said."""
    unit: str = ""
    """A tag, with PER_SENTENCE behind it where every sentence has its own count; empty where none is said."""
    relation_first: bool = False
    """Whether the relation stands before the number: "at most 300", not "300 or fewer"."""

    def resolved(self, negated: bool, bare: str = Tag.EXACTLY) -> list[tuple[int, Relation]]:
        """The counts and relations that it demands; nothing where it demands nothing that can be checked."""
        if self.low != self.high:
            if negated or self.relation == Tag.ABOUT:
                return []
            upper = [] if self.relation == Tag.AT_LEAST else [relate(self.high, "at most")]
            lower = [] if self.relation in (Tag.AT_MOST, Tag.FEWER) else [relate(self.low, "at least")]
            return [(count, relation) for count, relation in upper + lower if count >= 0]
        relation = self.relation or bare
        if negated and self.relation:
            relation = opposite(self.relation)
        elif negated and bare == Tag.EXACTLY:
            return []
        if relation not in _WORDS:
            return []
        count, known = relate(self.low, _WORDS[relation])
        return [(count, known)] if count >= 0 else []


def worded_relation(*around: str | None) -> str:
    """The relation that stands around a number; the nearest to it wins, "about" only where it is alone.

    Over a maximum is over, and below a minimum below: "exceed a maximum of 300".
    """
    found = [_POST.get(tag, tag) for group in around if group for tag in group if tag in _RELATIONS]
    exact = [tag for tag in found if tag != Tag.ABOUT]
    if exact[-2:] in ([Tag.MORE, Tag.AT_MOST], [Tag.FEWER, Tag.AT_LEAST]):
        return exact[-2]
    return (exact or found or [""])[-1]


def opposite(relation: str) -> str:
    """The relation that a "not" makes of another; empty where it says nothing that can be checked."""
    return _NEGATED.get(relation, "")


def quantity(chunk: Chunk, relation: str, unit: str = "", relation_first: bool = False) -> Bound | None:
    """The bound that a number or range chunk makes with a relation."""
    if isinstance(chunk.value, Range):
        return Bound(chunk.value.low, chunk.value.high, relation, unit, relation_first)
    number = whole_number(chunk.value)
    if number is None or number >= LARGEST:
        return None
    return Bound(number, number, relation, unit, relation_first)


def fold_frequencies(line: Line) -> Line:
    """The line with "at least three times", "no more than twice" as one chunk each."""
    return fold(line, _FREQUENCY, _frequency)


def _frequency(line: Line, match: re.Match[str]) -> Chunk | None:
    relation = worded_relation(match["post"], match["mid"], match["pre"])
    if match["number"]:
        noun = line.words(match.start("noun"), match.end("noun"))
        if match["noun"] != Tag.TIMES and noun not in ("mention of", "use of"):
            return None
        bound = quantity(line.chunks[match.start("number")], relation)
        return joined(line, match.start(), match.end(), Tag.FREQUENCY, bound) if bound else None
    low = _TIMES[line.chunks[match.start("times")].text]
    high = _TIMES[line.chunks[match.start("more")].text] if match["more"] else low
    if high < low:
        return None
    return joined(line, match.start(), match.end(), Tag.FREQUENCY, Bound(low, high, relation))


def fold_ranges(line: Line) -> Line:
    """The line with ranges of numbers as one chunk."""
    return fold(line, _RANGE, _range)


def _range(line: Line, match: re.Match[str]) -> Chunk | None:
    first = match.end("head")
    head = line.words(first - 1, first)
    low = whole_number(line.chunks[first].value)
    high = whole_number(line.chunks[match.end() - 1].value)
    joint = line.chunks[match.start("joint")].text
    if low is None or high is None or low > high or (match["head"] == Tag.DET and head != "from"):
        return None
    if joint in ("or", "/"):
        if high - low != 1:
            return None
    elif joint == "and":
        if match["head"] != Tag.BETWEEN:
            return None
        if high - low >= _NARROW:
            # English leaves open whether the ends belong; without them both readings are satisfied.
            low, high = low + 1, high - 1
    elif joint == "up to":
        if head != "from":
            return None
    elif joint not in ("to", "-", "–", "—", "through", "thru", "until", "till"):
        return None
    elif head == "from" and pattern("[CUT EXPAND] [^COMMA BUT]{0,4} $").search(line.before(first)):
        return None  # "expand it from 300 to 500 words" goes from one to the other
    return joined(line, match.start(), match.end(), Tag.RANGE, Range(low, high))


def whole_number(value: object) -> int | None:
    """The value of a chunk, if it is a whole number."""
    return int(value) if isinstance(value, float | int) and value == int(value) else None


_DEMAND = re.compile(rf"\b(?:{WORDINGS['demand']})\b")
_PRESENT = re.compile(rf"\b(?:{WORDINGS['present']})\b")
_OWN = re.compile(WORDINGS["own"])
_NOW = re.compile(
    r"[\w ,]{0,20}\b(?:now|currently|at the moment|already|at present)\b(?! (?:that|keep|make|should))"
)
# "I'd be happy if it were under 400 words"
_WISHED = re.compile(
    r"\b(?:happy|glad|great|good|nice|best|better|ideal|grateful|helpful|wonderful|lovely|perfect|it|prefer|appreciated?)"
    r" if (?:it|this|the|no|every|each|all|you)\b(?! exceeds?| is over| is under)"
)
_EXCESS = re.compile(r"(?:is|are|would be|seems?|feels?) (?:way |far |much )?too ")
_SOME = re.compile(
    r"\b(?:few|some|several|many|most|lots) (?:of )?(?:the |my |our |these )?sentences (?:are|have|run|go)\b"
)
_PASSED = re.compile(r"(?:were|was) (?!to\b)")
_CONDITION = pattern("IF [^COMMA BUT WITHOUT]* $")
_CLAUSE_STARTS = tags("COMMA COLON BUT IF")


def demanded(words: str) -> bool:
    """Whether some words say that something is wanted."""
    return _DEMAND.search(words) is not None


def described(line: Line, at: int) -> bool:
    """Whether the bound at a place says what the text is or may be, or sets a condition ("if it is over")."""
    if _WISHED.search(line.words_before(at)):
        return False
    if _CONDITION.search(line.before(at)) or _EXCESS.match(line.words_after(at)):
        return True
    left = line.before(at)
    start = max(left.rfind(tag) for tag in _CLAUSE_STARTS) + 1
    # The bound may have the verb: "it | runs over 300 words".
    clause = f"{line.words(at - len(left) + start, at)} {line.chunks[at].text.split(' ')[0]}"
    if _SOME.search(clause):
        return True
    if (
        _PRESENT.search(clause)
        or _PASSED.match(line.words_after(at))
        or (_NOW.match(line.words_after(at)) and not demanded(clause))
    ):
        return True
    return not demanded(line.words_before(at)) and _OWN.search(clause) is not None


_BETWEEN_NOT_AND_BOUND = tags(
    "AUX DET HAVE USE WRITE CUT EXPAND REMAIN TEXT SENTENCE LENGTH EACH ADJ WITH TO WORD LIMIT ENSURE IN"
    " BETWEEN OTHER PER_SENTENCE START SAY"
)
_NEGATIVE = tags("NOT WITHOUT NO AVOID")
_COUNTED = tags("SENTENCE WORD DET TEXT EACH ADJ OTHER")
_REJECTED = re.compile(WORDINGS["rejected"])
_REJECTS = re.compile(
    r"\b(?:reject|refus|declin|cuts? off|truncat|ban|forbid|prohibit|disallow|avoid|throws? out|discard|"
    r"ignor|hate|penali[sz]|not|never|bars?|bounces?|trims?)\w*(?: \w+){0,2}$"
)
_REFUSES = re.compile(
    r"\b(?:not|never) (?:accept|take|allow|permit|publish|print|consider|tolerate)(?: \w+){0,3}$"
)
_MODAL = re.compile(r"\b(?:should|must|may|can|could|shall|will|might)\b")
_ACCEPTED = re.compile(
    r"(?:is|would be|will be|'s|are) (?:fine|ok|okay|good|great|acceptable|perfect)|works|will do|goes"
)
_TO_BE_CUT = pattern("COMMA? [AUX ENSURE]+ [OTHER_VERB CUT EXPAND]")
_OF_SENTENCES = pattern("""
    (EACH | ^ | [COMMA COLON AND BUT]) DET? ADJ? SENTENCE [AUX WITH ENSURE DET COMMA]{0,3} $
    """)
_BARE_SUBJECT = pattern("""
    (^ | [COMMA COLON AND BUT ENSURE DET EVERYTHING])
    (EACH? DET? [SENTENCE TEXT OTHER] [WITH DET IN AUX]{0,2})? $
    """)
_DELTA = re.compile(
    r"\b(?:add\w*|remov\w+|delet\w+|cut|trim|drop|lose|insert|append|by|another|extra|shave|shave off|"
    r"the (?:first|last|next))$"
)


_BOUND_OR = pattern("BOUND OR $")


def negation(line: Line, at: int) -> tuple[bool, int]:
    """Whether a "not" before a bound turns it round ("should not be more than"), and where it stands."""
    if _TO_BE_CUT.match(line.after(at)) and _OF_SENTENCES.search(line.before(at)):
        return True, at  # "any sentence longer than 20 words should be split"
    if _bare_subject(line, at) and _REJECTED.search(_predicate(line, at)):
        return True, at  # "sentences of more than 25 words are not allowed"
    index, strangers = at - 1, 0
    bound = line.chunks[at].value
    inclusive = isinstance(bound, Bound) and bound.relation in (Tag.AT_MOST, Tag.AT_LEAST)
    refused = _REFUSES.search(line.words_before(at)) is not None
    if inclusive and refused:
        return True, at  # "we do not accept texts of 500 words or more"
    while index >= max(0, at - 14):
        tag, text = line.tags[index], line.chunks[index].text
        between = line.tags[index:at]
        if inclusive and tag in _NEGATIVE and Tag.OTHER in between and not _verb_between(line, index, at):
            break  # "no fluff 300 words max"
        not_without = tag == Tag.WITHOUT and Tag.NOT in line.before(index)
        if inclusive and (text in ("until", "till") or not_without):
            break  # "do not stop until it has at least 300 words", "not without at least 300 words"
        if tag in (Tag.NOT, Tag.WITHOUT) or (tag == Tag.NO and (text != "no" or between[1:2] in _COUNTED)):
            return True, index
        if text.startswith("nor") and tag in (Tag.OR, Tag.LIKEWISE):
            return True, index  # "nor should it have more than nine paragraphs"
        if tag == Tag.EVERYTHING and index == at - 1 and rejected(line, at):
            return True, index
        if pattern("[OTHER_VERB AVOID CUT] [DET EACH]{0,2} SENTENCE").match(between):
            is_upper = isinstance(bound, Bound) and bound.relation in (Tag.FEWER, Tag.AT_MOST)
            if is_upper and _BROUGHT.search(line.words(index, at)):
                break  # "get every sentence under 20 words", "cut every sentence to 20 words or less"
            return True, index  # "avoid sentences over 30 words", "split any sentence longer than …"
        if pattern("EXPAND DET? EACH? DET? SENTENCE [WITH DET AUX]{0,2}").fullmatch(between):
            return True, index  # "lengthen sentences of fewer than 5 words"
        if tag == Tag.AVOID and (
            text.startswith("avoid") or pattern("AVOID [DET EACH OTHER TEXT WITH]{1,3}").fullmatch(between)
        ):
            return True, index  # "they delete posts longer than 500 characters"
        strangers += tag == Tag.OTHER
        if tag not in _BETWEEN_NOT_AND_BOUND or strangers > 1:
            break
        index -= 1
    return (True, at) if refused else _or(line, at)


def _verb_between(line: Line, index: int, at: int) -> bool:
    """Whether an unknown word behind a "not" is a verb of which the bound is the object: "must not reach"."""
    return _MODAL.search(line.words(index - 1, at)) is not None


def _or(line: Line, at: int) -> tuple[bool, int]:
    """ "without changing sentence 3 or going over 260 words": a "not" is shared over an "or"."""
    bound = line.chunks[at].value
    strict = isinstance(bound, Bound) and bound.relation in (Tag.FEWER, Tag.MORE)
    if strict and _BOUND_OR.search(line.before(at)) and line.chunks[at - 2].text.startswith(("no ", "not ")):
        return True, at  # "no fewer than 200 words or more than 300"
    match = pattern("""
        (
              [NOT WITHOUT] [AUX ENSURE]{0,3}
              ([KEEP CHANGE IMPROVE USE AVOID CUT SAY HAVE] [^COMMA COLON BUT NOT WITHOUT]{0,8} | BOUND)
            | NO [DET EACH TEXT]* SENTENCE [^COMMA COLON BUT NOT WITHOUT]{0,5} BOUND
        ) OR [AUX ENSURE HAVE USE]{0,3} $
        """).search(line.before(at))
    return (True, at - len(match.group())) if match else (False, at)


def rejected(line: Line, at: int) -> bool:
    """Whether "anything over 200 words" is refused: "… will be rejected", "they won't take …"."""
    if _REJECTED.search(_predicate(line, at)):
        return True
    return _REJECTS.search(line.words_before(at - 1)) is not None


def _predicate(line: Line, at: int) -> str:
    """What is said behind a bound in its clause."""
    if pattern("OR BOUND").match(line.after(at)):
        at += 2  # "under 50 words or over 70 words will be rejected"
    right = line.after(at)
    match = pattern("[KEYWORDS REFERENCE BOUND BREAK]").search(right)
    return line.words(at + 1, at + 1 + (match.start() if match else len(right)))


def _bare_subject(line: Line, at: int) -> bool:
    """Whether a bound describes sentences, or a length, that something is said of."""
    return _BARE_SUBJECT.search(_BOUND_OR.sub("", line.before(at))) is not None


def remarked(line: Line, at: int) -> bool:
    """Whether something is said of such sentences in general: "sentences over 30 words are hard to read"."""
    return bool(
        pattern("(?<![NO EACH]) SENTENCE [WITH DET IN]{0,2} $").search(line.before(at))
        and pattern(". [^BREAK]{0,5} [OTHER ADJ]").match(line.after(at))
        and line.words(at + 1, at + 2) in ("are", "tend", "get", "can", "make", "feel", "sound", "seem")
    )


def delta(line: Line, at: int) -> bool:
    """Whether the number says how much to add or cut, or how much there is of something else."""
    if line.words(at + 1, at + 2) == "of" and pattern("[OTHER TEXT EDITS]").match(line.after(at + 1)):
        return True  # "200 words of feedback"
    if line.tags[at - 1 : at] == Tag.EVERYTHING and line.chunks[at - 1].text.startswith("any"):
        return not rejected(line, at) and _ACCEPTED.match(line.words_after(at)) is None
    return _DELTA.search(line.words_before(at)) is not None
