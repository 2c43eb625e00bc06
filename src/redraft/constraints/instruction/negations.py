"""Whether a bound is turned round ("should not be over 300 words"), or is none ("add 50 words")."""

from __future__ import annotations

import re

from .chunks import Line
from .relations import Bound

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
