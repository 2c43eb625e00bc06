"""Keywords without quotation marks, where the wording leaves no doubt: "never use the word synergy"."""

from __future__ import annotations

import re
from dataclasses import replace

from .chunks import Chunk, Line

_LABEL = re.compile(r"\b(?:word|term|phrase|name|keyword|expression|acronym|abbreviation|buzzword)(s?)$")
_SAY = re.compile(r"(?:![vd]*|D)Y$")
_WORDS = """
    me him her us them myself himself herself yourself one ones
    a about above alone an and anything are as at being below but by can choice choices count counts do
    document does everything exactly fewer for form from goodbye has have hello here how i if in is it
    itself length less level like limit limits long max maximum may min minimum more must no not nothing
    of on or order paper per please processor sheet should so something such than thank that the
    themselves there they thing things this to unchanged usage use used we what when where which who whose
    why will with yes you altogether entirely completely everywhere anywhere throughout again instead
    only once twice somewhere too wherever out away already now
"""
_NO_KEYWORDS = frozenset(_WORDS.split())
_WORD = re.compile(r"[^\W_][\w'’&.+-]*[\w+#]|[^\W_]")
_ARTICLES = frozenset(["the", "these", "those", "following", "any mention of", "use of", "exact"])
_STOP = re.compile(r"$|[,:&|bvuy!hiX8L2F\-DdmU]|[<>{}=]{1,2}d?[nf]|nt|f")
"""What may stand behind such a keyword."""
_LONGEST_PHRASE = 4


def fold_unquoted(line: Line, text: str) -> Line:
    """The line with such keywords as quotations."""
    chunks = list(line.chunks)
    at = 0
    while at < len(chunks):
        label = chunks[at]
        if match := _LABEL.search(label.text) if label.tag in "wl" and _introduced(chunks, at) else None:
            phrase = label.text.startswith(("phrase", "name", "expression"))
            at = _after_label(text, chunks, at + 1, plural=bool(match.group(1)), phrase=phrase)
        elif label.text.startswith("say") and _SAY.search(
            "".join(c.tag for c in chunks[max(0, at - 4) : at + 1])
        ):
            at = _after_label(text, chunks, at + 1, plural=False, phrase=False)
        else:
            at += 1
    return replace(line, chunks=tuple(chunks))


def _introduced(chunks: list[Chunk], at: int) -> bool:
    """Whether a label stands as one: "the word …", "banned words: …"; not "use word counts"."""
    following = "".join(chunk.tag for chunk in chunks[at + 1 : at + 4])
    return re.match("(?:2[DUK])?:", following) is not None or (at > 0 and chunks[at - 1].text in _ARTICLES)


def _after_label(text: str, chunks: list[Chunk], at: int, *, plural: bool, phrase: bool) -> int:
    """Turn the keyword behind a label into a quotation, in place; where to go on."""
    taken: list[int] = []
    ahead = "".join(chunk.tag for chunk in chunks[at : at + 3])
    if plural and (
        heading := re.match("(?:2[DUK])?:", ahead)
    ):  # "banned words: a, b", "words to avoid: a, b"
        at += heading.end()
    index = at
    while index < len(chunks):
        chunk = chunks[index]
        if not _keyword(chunk):
            break
        taken.append(index)
        index += 1
        if phrase and index < len(chunks) and chunks[index].tag == "U":
            break
        if index < len(chunks) and plural and chunks[index].tag in ",&|":
            index += 1 + int(index + 1 < len(chunks) and chunks[index + 1].tag in "&|")
        elif not phrase:
            break
    if not taken or not _STOP.match("".join(chunk.tag for chunk in chunks[index : index + 4])):
        return at
    if plural:
        for place in taken:
            chunks[place] = _quotation(text, chunks[place], chunks[place])
        return index
    if len(taken) > (_LONGEST_PHRASE if phrase else 1):
        return at
    chunks[taken[0] : taken[-1] + 1] = [_quotation(text, chunks[taken[0]], chunks[taken[-1]])]
    return taken[0] + 1


def _keyword(chunk: Chunk) -> bool:
    if chunk.tag in ",:&|qQnorp<>{}=~[]%^" or not _WORD.fullmatch(chunk.text.split(" ")[0]):
        return False
    if chunk.tag in "kH":
        return False
    return chunk.text not in _NO_KEYWORDS and " " not in chunk.text


def _quotation(text: str, first: Chunk, last: Chunk) -> Chunk:
    return Chunk("q", '"', first.start, last.end, text[first.start : last.end])
