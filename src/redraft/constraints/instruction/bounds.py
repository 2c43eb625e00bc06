"""Bounds as people word them: `fewer than 300`, `300 or fewer`, `between 250 and 300`, `twice`.

A bound may be negated ("should not be over 300 words"), or demand nothing: it may describe the text as it is
("the report has 400 words now") or say how much to add ("add 50 words").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.constraints.bounds import LARGEST, Relation, relate
from redraft.constraints.instruction.chunks import Chunk, Line, fold, joined

_NARROW = 10

# "between 250 and 300", "250 words to 300", "from 250 to 300", "two or three"
_RANGE = re.compile(r"(?P<head>[5d]?)n[wsgct]?(?P<joint>[2&|{])n")


@dataclass(frozen=True, slots=True)
class Range:
    """Two ends of a range of numbers; `low` and `high` are the least and greatest that it allows."""

    low: int
    high: int


_TIMES = {"once": 1, "one time": 1, "a single time": 1, "twice": 2, "thrice": 3}
_FREQUENCY = re.compile(
    r"(?P<pre>[<>{}=~L]{0,20})[dL]?(?:(?P<number>[nr])(?P<mid>[\[\]])?j?(?P<noun>t|Ud|d)|(?P<times>f)(?:\|(?P<more>f))?)"
    r"(?P<post>[\[\]{}=~](?!d?[nrf])|L)?"
)
# A strict relation and an inclusive one are each other's negation: "not more than" is "at most".
_NEGATED = {">": "{", "<": "}", "{": ">", "}": "<"}
_POST = {"]": "{", "[": "}"}
_WORDS = {"<": "less than", ">": "more than", "{": "at most", "}": "at least", "=": "equal"}


@dataclass(frozen=True, slots=True)
class Bound:
    """A number or a range with a relation as worded; `relation` is a tag, empty where none is said."""

    low: int
    high: int
    relation: str = ""
    unit: str = ""

    def resolved(self, negated: bool, bare: str = "=") -> list[tuple[int, Relation]]:
        """The counts and relations that it demands; nothing where it demands nothing that can be checked."""
        if self.low != self.high:
            if negated or self.relation == "~":
                return []
            upper = [] if self.relation == "}" else [relate(self.high, "at most")]
            lower = [] if self.relation in ("{", "<") else [relate(self.low, "at least")]
            return [(count, relation) for count, relation in upper + lower if count >= 0]
        relation = self.relation or bare
        if negated and self.relation:
            relation = opposite(self.relation)
        elif negated and bare == "=":
            return []
        if relation not in _WORDS:
            return []
        count, known = relate(self.low, _WORDS[relation])
        return [(count, known)] if count >= 0 else []


def said(*tags: str | None) -> str:
    """The relation that stands around a number; the nearest to it wins, "about" only where it is alone.

    Over a maximum is over, and below a minimum below: "exceed a maximum of 300".
    """
    found = [_POST.get(tag, tag) for group in tags if group for tag in group if tag in "<>{}=~[]"]
    exact = [tag for tag in found if tag != "~"]
    if "".join(exact[-2:]) in (">{", "<}"):
        return exact[-2]
    return (exact or found or [""])[-1]


def opposite(relation: str) -> str:
    """The relation that a "not" makes of another; empty where it says nothing that can be checked."""
    return _NEGATED.get(relation, "")


def quantity(chunk: Chunk, relation: str, unit: str = "") -> Bound | None:
    """The bound that a number or range chunk makes with a relation."""
    if isinstance(chunk.value, Range):
        return Bound(chunk.value.low, chunk.value.high, relation, unit)
    if isinstance(chunk.value, float | int) and chunk.value == int(chunk.value) and chunk.value < LARGEST:
        return Bound(int(chunk.value), int(chunk.value), relation, unit)
    return None


def fold_frequencies(line: Line) -> Line:
    """The line with "at least three times", "no more than twice" as one chunk each."""
    return fold(line, _FREQUENCY, _frequency)


def _frequency(line: Line, match: re.Match[str]) -> Chunk | None:
    relation = said(match["post"], match["mid"], match["pre"])
    if match["number"]:
        noun = line.words(match.start("noun"), match.end("noun"))
        if match["noun"] != "t" and noun not in ("mention of", "use of"):
            return None
        bound = quantity(line.chunks[match.start("number")], relation)
        return joined(line, match.start(), match.end(), "F", bound) if bound else None
    low = _TIMES[line.chunks[match.start("times")].text]
    high = _TIMES[line.chunks[match.start("more")].text] if match["more"] else low
    if high < low:
        return None
    return joined(line, match.start(), match.end(), "F", Bound(low, high, relation))


def fold_ranges(line: Line) -> Line:
    """The line with ranges of numbers as one chunk."""
    return fold(line, _RANGE, _range)


def _range(line: Line, match: re.Match[str]) -> Chunk | None:
    first = match.end("head")
    head = line.words(first - 1, first)
    low = whole_number(line.chunks[first].value)
    high = whole_number(line.chunks[match.end() - 1].value)
    joint = line.chunks[match.start("joint")].text
    if low is None or high is None or low > high or (match["head"] == "d" and head != "from"):
        return None
    if joint in ("or", "/"):
        if high - low != 1:
            return None
    elif joint == "and":
        if match["head"] != "5":
            return None
        if high - low >= _NARROW:
            # English leaves open whether the ends belong; without them both readings are satisfied.
            low, high = low + 1, high - 1
    elif joint == "up to":
        if head != "from":
            return None
    elif joint not in ("to", "-", "–", "—", "through", "thru", "until", "till"):
        return None
    elif head == "from" and re.search("[CG][^,b]{0,4}$", line.before(first)):
        return None  # "expand it from 300 to 500 words" goes from one to the other
    return joined(line, match.start(), match.end(), "r", Range(low, high))


def whole_number(value: object) -> int | None:
    return int(value) if isinstance(value, float | int) and value == int(value) else None


_DEMAND = re.compile(
    r"""
    \b(?: should | must | shall | will | (?:is|are)\ to | needs?\ to | has\ to | have\ to | ought\ to
      | to\ be | to\ have | ensur\w+ | make\ sure | making\ sure | be\ sure | see\ to\ it | guarantee
      | need | want | i'd\ like | requires? | let | please | aim | keep | limit | remember | strictly
      | check | verify | confirm | so\ that | such\ that | take\ care | in\ such\ a\ way | on\ condition
      | (?:so|as)\ long\ as | provided | providing | matters | important | so\ it | until )\b
    """,
    re.VERBOSE,
)
_PRESENT = re.compile(
    r"""
    \b(?: currently | right\ now | at\ present | at\ the\ moment | already | as\ it\ stands | originally
      | was | were | had | presently | previously | now\ (?:has|is|contains|runs) | used\ to
      | the\ last\ time | last\ (?:time|week|year|month) | (?:he|she)\ got
      | (?<!what\ )(?:i|we|he|she|they|you)\ (?:used|wrote|had|sent)
      | maybe | perhaps | possibly | some(?:one|body)\ told | i\ (?:think|believe|heard|read)\ (?:that|it) )\b
    """,
    re.VERBOSE,
)
_OWN = re.compile(
    r"""
    ^there\ are\b
  | \b(?<!as\ )(?:my|our|original|this|report|article|essay|draft|piece|paper|it|source|input|document)
    \ (?:(?!may\b|can\b)\w+\ ){0,2}(?:is|has|runs|contains|are|have|spans|exceeds|goes|comes|run|totals)\b
    """,
    re.VERBOSE,
)
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
_CONDITION = re.compile("S[^,b\\-]*$")


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
    start = max(left.rfind(tag) for tag in ",:bS") + 1
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


_SOFT = set("vdOUWCGyzskejh2wHmi5x%TY")
_REJECTED = re.compile(
    r"reject|too long|too short|too much|cut off|disqualif|fail|unacceptable|forbidden|off limits|banned"
    r"|prohibited|out of bounds"
    r"|not (?:be |get )?(?:accept|allow|permit|ok|work|do\b|publish|read|fit|want|welcome)"
    r"|be avoided|must go|a no go"
    r"|(?:be|is|are|gets) (?:ignor|discard|return|truncat|cut|refus|deduct|penali|trimmed)"
)
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
_OF_SENTENCES = re.compile(r"(?:e|^|[,:&b])d?j?s[vhmd,]{0,3}$")
_DELTA = re.compile(
    r"\b(?:add\w*|remov\w+|delet\w+|cut|trim|drop|lose|insert|append|by|another|extra|shave|shave off|"
    r"the (?:first|last|next))$"
)


def negation(line: Line, at: int) -> tuple[bool, int]:
    """Whether a "not" before a bound turns it round ("should not be more than"), and where it stands."""
    if re.match(",?[vm]+[VCG]", line.after(at)) and _OF_SENTENCES.search(line.before(at)):
        return True, at  # "any sentence longer than 20 words should be split"
    if _bare_subject(line, at) and _REJECTED.search(_predicate(line, at)):
        return True, at  # "sentences of more than 25 words are not allowed"
    index, strangers = at - 1, 0
    bound = line.chunks[at].value
    inclusive = isinstance(bound, Bound) and bound.relation in ("{", "}")
    refused = _REFUSES.search(line.words_before(at)) is not None
    if inclusive and refused:
        return True, at  # "we do not accept texts of 500 words or more"
    while index >= max(0, at - 14):
        tag, text = line.tags[index], line.chunks[index].text
        if inclusive and tag in "!-0D" and "x" in line.tags[index:at] and not _verb_between(line, index, at):
            break  # "no fluff 300 words max"
        if inclusive and (text in ("until", "till") or (tag == "-" and "!" in line.before(index))):
            break  # "do not stop until it has at least 300 words", "not without at least 300 words"
        if tag in "!-" or (
            tag == "0" and (text != "no" or line.tags[index + 1 : index + 2] in tuple("swdzejx"))
        ):
            return True, index
        if text.startswith("nor") and tag in "|6":
            return True, index  # "nor should it have more than nine paragraphs"
        if tag == "*" and index == at - 1 and rejected(line, at):
            return True, index
        if tag in "DVC" and re.match("[VDC][de]{0,2}s[hv]{0,2}", line.tags[index:at]):
            return True, index  # "avoid sentences over 30 words", "split any sentence longer than …"
        if tag == "G" and re.fullmatch("Gd?e?d?s[hdv]{0,2}", line.tags[index:at]):
            return True, index  # "lengthen sentences of fewer than 5 words"
        if tag == "D" and (text.startswith("avoid") or re.fullmatch("D[dexzh]{1,3}", line.tags[index:at])):
            return True, index  # "they delete posts longer than 500 characters"
        strangers += tag == "x"
        if tag not in _SOFT or strangers > 1:
            break
        index -= 1
    return (True, at) if refused else _or(line, at)


def _verb_between(line: Line, index: int, at: int) -> bool:
    """Whether an unknown word behind a "not" is a verb of which the bound is the object: "must not reach"."""
    return _MODAL.search(line.words(index - 1, at)) is not None


def _or(line: Line, at: int) -> tuple[bool, int]:
    """ "without changing sentence 3 or going over 260 words": a "not" is shared over an "or"."""
    bound = line.chunks[at].value
    strict = isinstance(bound, Bound) and bound.relation in ("<", ">")
    if strict and line.before(at).endswith("B|") and line.chunks[at - 2].text.startswith(("no ", "not ")):
        return True, at  # "no fewer than 200 words or more than 300"
    match = re.search(
        r"(?:[!\-][vm]{0,3}(?:[KAIUDCYO][^,:b!\-]{0,8}|B)|0[dez]*s[^,:b!\-]{0,5}B)\|[vmOU]{0,3}$",
        line.before(at),
    )
    return (True, at - len(match.group())) if match else (False, at)


def rejected(line: Line, at: int) -> bool:
    """Whether "anything over 200 words" is refused: "… will be rejected", "they won't take …"."""
    if _REJECTED.search(_predicate(line, at)):
        return True
    return _REJECTS.search(line.words_before(at - 1)) is not None


def _predicate(line: Line, at: int) -> str:
    """What is said behind a bound in its clause."""
    if line.tags[at + 1 : at + 3] == "|B":
        at += 2  # "under 50 words or over 70 words will be rejected"
    right = line.after(at)
    match = re.search("[,:&|bQRB]", right)
    return line.words(at + 1, at + 1 + (match.start() if match else len(right)))


def _bare_subject(line: Line, at: int) -> bool:
    """Whether a bound describes sentences, or a length, that something is said of."""
    left = re.sub(r"B\|$", "", line.before(at))
    return re.search(r"(?:^|[,:&bmd*])(?:e?d?[szx][hdiv]{0,2})?$", left) is not None


def remarked(line: Line, at: int) -> bool:
    """Whether something is said of such sentences in general: "sentences over 30 words are hard to read"."""
    return bool(
        re.search(r"(?<![0e])s[hdi]{0,2}$", line.before(at))
        and re.match(r".[^,:&|b]{0,5}[xj]", line.after(at))
        and line.words(at + 1, at + 2) in ("are", "tend", "get", "can", "make", "feel", "sound", "seem")
    )


def delta(line: Line, at: int) -> bool:
    """Whether the number says how much to add or cut, or how much there is of something else."""
    if line.words(at + 1, at + 2) == "of" and line.tags[at + 2 : at + 3] in tuple("xza"):
        return True  # "200 words of feedback"
    if line.tags[at - 1 : at] == "*" and line.chunks[at - 1].text.startswith("any"):
        return not rejected(line, at) and _ACCEPTED.match(line.words_after(at)) is None
    return _DELTA.search(line.words_before(at)) is not None
