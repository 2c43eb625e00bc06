"""Orders, refusals and bad news, said politely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.text import VERBS, tagged, wordings

_ORDER_FOLLOWS: Final = ("DT", "PRP", "IN", "TO", "RB", "JJ", "NN", "CD", "RP", "WRB", "WP", "EX", "PDT")
_WORDINGS: Final = wordings(__package__, "courtesy.txt")
_POLITE: Final = re.compile(rf"(?i)\b(?:{_WORDINGS['polite']})\b")
_NOT: Final = re.compile(r"(?i)\A(?:do not|don['’]t) ")
_BAD: Final = re.compile(rf"(?i)\b(?:{_WORDINGS['bad_news']})\b")
_PLAIN_START: Final = re.compile(r"(?:Your|The|There|Our|We|I|It|This|Some|One)\b")
_I: Final = re.compile(r"\bI\b|\bmy\b")


def courteous(sentence: str, apologetic: bool = False) -> Iterator[str]:
    """The sentence with a please or an apology, where it has none; nothing where neither fits.

    >>> next(courteous("Send the form by Friday."))
    'Please send the form by Friday.'
    """
    if _POLITE.search(sentence):
        return
    if _is_order(sentence):
        body = _NOT.sub("do not ", sentence)
        body = body[:1].lower() + body[1:]
        yield f"Please {body.rstrip('!.')}." if body.rstrip().endswith(("!", ".")) else f"Please {body}"
    elif apologetic and _BAD.search(sentence) and _PLAIN_START.match(sentence) and not sentence.endswith("?"):
        who = "I am" if _I.search(sentence) else "We are"
        first = sentence.split(maxsplit=1)[0]
        body = sentence if first in ("I", "I'm") else sentence[:1].lower() + sentence[1:]
        yield f"{who} sorry that {body.rstrip('!.')}."


def _is_order(sentence: str) -> bool:
    """Whether it begins with the verb of an order."""
    if _NOT.match(sentence):
        return True
    words = tagged(sentence)
    if len(words) < 2 or words[0].text.lower() not in VERBS or sentence.rstrip().endswith("?"):
        return False
    if not words[1].tag.startswith(_ORDER_FOLLOWS):
        return False
    clause = next((at for at, one in enumerate(words) if one.text in (",", ";", ":")), len(words))
    if words[0].tag in ("VB", "VBP"):
        return True
    return not any(one.tag in ("VBZ", "VBD", "VBP", "MD") for one in words[1:clause])
