"""The wordings of what the editor is asked, and the values that fill their places."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from redraft.errors import InputError
from redraft.text import is_english_request

Value = int | str
"""What fills a place of a wording: a bound, or a word."""
_PLACE: Final = re.compile(r"\{(n|word)\}")


@cache
def read_phrasings() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """By task, then by part: `training` and `held_out`."""
    text = files(__package__).joinpath("phrasings.json").read_text(encoding="utf-8")
    return {
        task: {part: tuple(lines) for part, lines in parts.items()}
        for task, parts in json.loads(text).items()
    }


def places(phrasing: str) -> frozenset[str]:
    """The names of the values that a wording has places for: `n`, `word`."""
    return frozenset(_PLACE.findall(phrasing))


def fill_phrasing(phrasing: str, values: Mapping[str, Value]) -> str:
    """A wording with its values; a place without one is an error."""
    if missing := places(phrasing) - values.keys():
        raise InputError(f"{phrasing!r} needs a value for {', '.join(sorted(missing))}")
    return _PLACE.sub(lambda place: str(values[place[1]]), phrasing)


_WISHES: Final = {
    "active": r"active voice|(?:no|not|avoid|without|remove|never)\b.{0,20}\bpassive",
    "concise": r"concise\w*|short(?:er|en)(?! (?:the )?(?:sentences|words|paragraphs))|succinct\w*"
    r"|tighte[nr]\w*|condense\w*|crisper|less wordy|wordiness",
    "formal": r"formal\w*|professional\w*",
    "friendly": r"friendl\w+|warmer|warm(?:th)?|conversational\w*"
    r"|less (?:stiff|stilted|wooden)\w*|not so stiff",
    "plain": r"plainer|plainly|plain (?:english|language|words)"
    r"|(?:(?:no|not|avoid\w*|without|less|remove|never|cut|drop)\b|n['’]t\b).{0,30}\bjargon|jargon",
    "polite": r"polite\w*|courteous\w*|apologetic\w*|apologi[sz]e",
}
"""Words by which an instruction asks for a control."""
_TURNED: Final = re.compile(
    r"(?i)(?:\b(?:not|never|less|too|without|avoid|dont|doesnt|isnt|shouldnt)|n['’]t)\b"
    r"(?:[^.,;:!?]{0,20}| (?:make|turn|get|write) [^.,;:!?]{0,40})\Z"
)
"""What turns a wish round when it stands ahead of it: "don't make it formal"."""


_STAYS: Final = re.compile(
    r"""(?ix)
    \b(?:keep|keeping|leave|leaving|stay|stays|remain|remains)\b[^.;!?]{0,60}?
        \b(?:like|as|the\s+way)\s+(?:i\s+(?:wrote|write|have|had|did|put)|it\s+(?:is|was|stands)|in\s+the\s+original)
        \b(?:\s+(?:it|now|them))*
    | \b(?:should|must|has\s+to|have\s+to|can|may)\s+(?:stay|remain)\s+(?!under|below|within|in\b)\w+
        (?:(?:\s+and|,)\s+\w+)?(?=\s*(?:\Z|[.,;!?]))
    | \bkeep(?:ing)?\s+(?:my|its|that|this)\s+(?:\w+\s+){0,2}(?:tone|style|voice|register)\b
    """
)
"""What is to stay as it is: no wish for something else."""
_CORRECTS: Final = re.compile(
    r"(?i)\b(?:correct\w*|fix\w*|proof\w*|spelling|grammar|mistakes?|errors?|typos?)\b"
)
_LOOK = (
    r"\s+(?:it|this|them)\s+"
    r"(?!alone|out|off|short|brief|concise|tight|less|more|under|below|within|to\b|at\b|in\b|the\b)"
    r"(?:all\s+|nice\s+and\s+)?\w+"
    r"(?:\s+and\s+(?!short|brief|concise|simplif|fix|correct|proof|polish|make|cut|tidy|error)\w+"
    r"(?=\s*(?:\Z|[.,;!?])))?(?=\s*(?:\Z|[.,;!?]|and\b|but\b))"
)
"""How something is to look, behind "leave" or "keep"; neither a length nor a place, nor what is done next."""
_LEFT_SO: Final = re.compile(rf"(?i)\bleav(?:e|ing){_LOOK}")
_STAYS_SO: Final = re.compile(rf"(?i)\bkeep(?:ing)?{_LOOK}")
"""What stays anyhow, "leave it chatty", and what stays where errors are to be corrected, "keep it chatty"."""


def without_what_stays(instruction: str) -> str:
    """An instruction without what it says to be well as it is.

    >>> without_what_stays("please correct but keep it simple and warm like I wrote")
    'please correct but '
    >>> without_what_stays("fix the spelling, leave it chatty")
    'fix the spelling, '
    """
    left = _LEFT_SO.sub("", _STAYS.sub("", instruction))
    return _STAYS_SO.sub("", left) if _CORRECTS.search(left) else left


def wished_controls(instruction: str) -> tuple[str, ...]:
    """The controls of style that an instruction asks for by its words.

    >>> wished_controls("Make it polite and more concise")
    ('concise', 'polite')
    """
    if not is_english_request(instruction):
        return ()
    wanted = without_what_stays(instruction)
    return tuple(name for name, words in _WISHES.items() if _asks(words, wanted))


def _asks(words: str, instruction: str) -> bool:
    found = re.finditer(rf"(?i)(?:\b|(?=n['’]t))(?:{words})\b", instruction)
    return any(not _TURNED.search(instruction, 0, match.start()) for match in found)


def control_instruction(task: str, wording: int = 0, /, **values: Value) -> str:
    """The wording by which a trained editor is asked for a task, or another by which it was taught.

    >>> control_instruction("shorten", n=14)
    'Shorten to at most 14 words'
    >>> control_instruction("split", 2, n=14)
    'No sentence longer than 14 words'
    """
    known = read_phrasings()
    if task not in known:
        raise InputError(f"there is no task {task!r}; there are {', '.join(known)}")
    return fill_phrasing(known[task]["training"][wording], values)
