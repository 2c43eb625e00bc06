"""Series of three or more short items ("apples, pears and plums"), and the serial comma in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.text.borrowed import borrowed_spans
from redraft.text.inflection import BY_FORM
from redraft.text.levels import kinds_of_word
from redraft.text.tagging import Tagged, tagged
from redraft.text.word_lists import word_sets
from redraft.text.words import Span

_LETTERS: Final = {
    "DT": "d", "PDT": "d", "PRP$": "d", "CD": "c", "JJ": "j", "JJR": "j", "JJS": "j", "NN": "n", "NNS": "n",
    "NNP": "p", "NNPS": "p", "VBG": "g", "VBD": "e", "VBN": "q", "VB": "b", "VBP": "f", "VBZ": "z", "MD": "m",
    "RB": "r", "IN": "i", "TO": "t", "WRB": "w", "POS": "'", "PRP": "x", ",": ",", ":": ";", "-LRB-": ";",
    "--": ";", ".": ";", "``": ";", "''": ";", "-RRB-": ";",
}  # fmt: skip
"""A letter for each tag, so that a sentence is a string of them; "&" is "and", "or" or "nor", "o" is "of"."""
_PLACED: Final = r"[it]d?c?j{0,2}[np]{1,3}"
_DONE: Final = r"(?:,r?(?:[ebfzq][^,&;]{0,5}|n[^,&;efzmb]{0,4}))+(?P<comma>,?)(?P<joint>&)"
"""Verbs behind a first one, of which the tagger may be unsure, and the joint before the last."""
_NOUNS: Final = r"d?c?(?:r?j|g|q){0,4}[np]{1,5}(?:'[jnp]{1,4})?(?:od?j{0,3}[np]{1,4})?"
_CLAUSE: Final = r"[dpn][^,&;zefm]{0,4}[zefm][^,&;]{1,8}"
_ASKED: Final = r"[uwi][^,&;]{1,9}"
_CHECKED: Final = {
    "states": re.compile(
        r"(?<=[bzef])r{0,2}[jqne](?:,r{0,2}[jqne])+(?P<comma>,?)(?P<joint>&)(?:r{0,3}[jqbe](?![jnpg])|id?n)"
    ),
    "names": re.compile(r"[jnp](?:,[jnp])+(?P<comma>,?)(?P<joint>&)[jnp](?![jnpg])"),
    "questions": re.compile(rf"{_ASKED}(?:,{_ASKED})+(?P<comma>,?)(?P<joint>&){_ASKED}"),
}
"""Series that the words themselves have to bear out: what something is, names, and what is asked."""
_SERIES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_NOUNS}(?:,{_NOUNS})+(?P<comma>,?)(?P<joint>&)r?{_NOUNS}",
        r"r?j(?:,r?j)+(?P<comma>,?)(?P<joint>&)r?j",
        # Single words, of which the tagger is not sure what they are.
        *(rf"[{kinds}](?:,[{kinds}])+(?P<comma>,?)(?P<joint>&)[{kinds}]" for kinds in ("bfn", "jn")),
        *(
            rf"{verb}[^,&;]{{0,5}}(?:,r?{verb}[^,&;]{{0,5}})+(?P<comma>,?)(?P<joint>&)r?{verb}"
            for verb in "ebfzg"
        ),
        rf"[efz][^,&;]{{0,5}}{_DONE}[ebfzq]",
        rf"q[^,&;]{{0,5}}{_DONE}[eqb]",
        # Things to do, told from the first word on.
        r"\A[bpfn][^,&;]{1,6}(?:,[bfn][^,&;]{1,6})+(?P<comma>,?)(?P<joint>&)[bf]",
        rf"{_PLACED}(?:,(?:{_PLACED}|r|n))+(?P<comma>,?)(?P<joint>&){_PLACED}",
        r"c(?:,c)+(?P<comma>,?)(?P<joint>&)c",
        r"[px],p(?:,[px])*(?P<comma>,?)(?P<joint>&)[px](?![np])",
        # "tickets, rooms and, where possible, meals", "salt and vinegar, cheese and onion and plain"
        rf"{_NOUNS}(?:,{_NOUNS})+(?P<comma>,?)(?P<joint>&),[^,;&]{{1,5}},{_NOUNS}",
        rf"{_NOUNS}&{_NOUNS}(?:,{_NOUNS}(?:&{_NOUNS})?)*,{_NOUNS}&{_NOUNS}(?P<comma>,?)(?P<joint>&){_NOUNS}",
        rf"(?<=i)[jn](?:,[jn])+(?P<comma>,?)(?P<joint>&){_NOUNS}",
        rf"(?:(?<=;)|\A){_CLAUSE}(?:,{_CLAUSE})+(?P<comma>,?)(?P<joint>&){_CLAUSE}",
        r"[uw][xnpd][^,&;]{1,5}(?:,w[^,&;]{2,6})+(?P<comma>,?)(?P<joint>&)[wi]",
    )
)
_GOES_ON: Final = re.compile(rf",&?{_NOUNS}")
_TOLD_IN: Final = re.compile("[efzmbx]")
_JOINS: Final = frozenset(["and", "but", "or", "so", "yet"])
_GREETS: Final = frozenset(["dear", "hi", "hello", "hey", "thanks", "sorry"])
_APPOSED: Final = re.compile(r",r?[efzm]")
_INTRODUCES: Final = "irtgqw"
"""How a phrase begins that stands before the clause: "In my view, cats and dogs …"."""
_FINITE: Final = "efzm"
_VERBS: Final = "ebfz"
_TAKEN_FOR_PREPOSITIONS: Final = frozenset(["belong", "cough", "laugh", "nap", "scout", "shout"])
_SUBORDINATES: Final = frozenset(["that", "if", "because", "as", "to"])
_SETS: Final = word_sets(__package__, "conventions.txt")
_TIMES: Final = _SETS["times"]
_PAIRS: Final = frozenset(tuple(pair.split("&")) for pair in _SETS["pairs"])
_LONGEST: Final = 7
"""Words of an item that is a verb and what belongs to it."""


class Series(NamedTuple):
    """A series: the word before its "and", the "and", and the comma between them where there is one."""

    last: Span
    joint: Span
    comma: Span | None


@lru_cache(maxsize=4096)
def find_series(sentence: str) -> tuple[Series, ...]:
    """The series of a sentence that are surely one.

    >>> [one.comma for one in find_series("We sell apples, pears and plums.")]
    [None]
    """
    words = tagged(sentence)
    letters = "".join(map(_letter, words))
    for at in range(1, len(words) - 3):
        pair = (words[at - 1].text.lower(), words[at + 1].text.lower())
        if pair in _PAIRS and letters[at] == "&" and "&" in letters[at + 2 : at + 4]:
            letters = f"{letters[: at - 1]}nnn{letters[at + 2 :]}"  # "soup, fish and chips and cake"
    if "&" not in letters or "," not in letters:
        return ()
    others = borrowed_spans(sentence)
    found: dict[int, Series] = {}
    joints = [match.start("joint") for match in _matches(letters) if _is_series(words, letters, match)]
    joints += [
        match.start("joint")
        for sort, pattern in _CHECKED.items()
        for match in pattern.finditer(letters)
        if _is_borne_out(sort, words, letters, match)
    ]
    joints += [at for at, letter in enumerate(letters) if letter == "&" and _joins_verbs(words, letters, at)]
    for at in joints:
        joint = words[at]
        if any(one.start <= joint.start < one.end for one in others):
            continue
        comma = words[at - 1] if letters[at - 1] == "," else None
        last = words[at - 2 if comma else at - 1]
        found.setdefault(
            joint.start,
            Series(
                Span(last.start, last.end),
                Span(joint.start, joint.end),
                Span(comma.start, comma.end) if comma else None,
            ),
        )
    return tuple(found[place] for place in sorted(found))


def _joins_verbs(words: Sequence[Tagged], letters: str, joint: int) -> bool:
    """Whether it stands before the last of three or more verbs in one form, whatever their tags."""
    last = joint + 1 + (letters[joint + 1 : joint + 2] == "r")
    stop = joint - (letters[joint - 1] == ",")
    if last >= len(words) or letters[last + 1 : last + 2] in tuple(_FINITE):
        return False
    if re.match(r"[^,&;]{0,7},[&ebfzq]", letters[last:]):  # "adds ports or hosts, and starts it"
        return False
    start = letters.rfind(";", 0, stop) + 1
    commas = [at for at in range(start, stop) if letters[at] == ","]
    for nth in reversed(range(len(commas))):
        if (commas[nth + 1] if nth + 1 < len(commas) else stop) - commas[nth] > _LONGEST:
            return False
        ahead = words[(commas[nth - 1] + 1 if nth else start) : commas[nth]]
        form = _form_of(ahead, letters[commas[nth] - len(ahead) : commas[nth]])
        if form is None or (nth and len(ahead) == 2):  # "here they are, you see, black and tan"
            continue
        direct = letters[commas[nth] - 1] in _VERBS  # "we rest, read and swim"
        firsts = [at + 1 + (form != "past" and letters[at + 1] == "r") for at in commas[nth:]]
        return all(_can_be(words[at], letters[at], form, sure=direct) for at in (*firsts, last)) and all(
            direct or letters[at] in _VERBS or form == "past" or letters[at + 1] in "dirxt" for at in firsts
        )
    return False


def _form_of(ahead: Sequence[Tagged], letters: str) -> str | None:
    """The form of the one verb of a stretch, where that is the verb of a main clause with its subject."""
    if not letters or letters[0] in "irwtm":
        return None
    if any(one.tag in ("WP", "WDT", "WRB") or one.text.lower() in _SUBORDINATES for one in ahead):
        return None
    verbs = [at for at, letter in enumerate(letters) if letter in _VERBS]
    if len(verbs) != 1 or not set(letters[: verbs[0]]) & set("xnpdc"):
        return None
    return {"e": "past", "z": "third"}.get(letters[verbs[0]], "base")


def _can_be(word: Tagged, letter: str, form: str, *, sure: bool) -> bool:
    """Whether a word can be a verb in a form; an adjective is one only where that is sure."""
    forms = BY_FORM.get(word.text)
    if form == "past":
        irregular = forms is not None and word.text == forms.past
        return letter in ("bfezqnj" if irregular else "bfezqn") and (irregular or word.text.endswith("ed"))
    if form == "third":
        return forms is not None and word.text == forms.third and letter in "bfezqn"
    if letter not in "bfezqng" and not (letter == "j" and sure) and word.text not in _TAKEN_FOR_PREPOSITIONS:
        return False
    return word.tag != "NNS" and "v" in kinds_of_word(word.text) and (not forms or word.text == forms.base)


def _is_borne_out(sort: str, words: Sequence[Tagged], letters: str, match: re.Match[str]) -> bool:
    """Whether the words of a series are what its letters let one think."""
    firsts = [
        match.start(),
        *(at + 1 for at in range(*match.span()) if letters[at] == "," and letters[at + 1] != "&"),
    ]
    firsts.append(match.start("joint") + 1)
    if match.start() == 0 and words[0].text.lower() in ("if", "when", "where"):
        return False  # "if it rains, what you do and what you eat is your affair"
    if sort == "states":
        return words[match.start() - 1].text.lower() in _SETS["states_follow"]
    if sort == "names":
        return (
            match.start() > 0
            and _is_series(words, letters, match)
            and all(words[at].text[:1].isupper() for at in firsts)
        )
    return all(words[at].text.lower() in _SETS["questions"] for at in firsts)


def _letter(word: Tagged) -> str:
    if word.text.lower() in ("and", "or", "nor"):
        return "&"
    if word.tag == "VBG" and (forms := BY_FORM.get(word.text.lower())) and forms.base == word.text.lower():
        return "b"  # "bring"
    return "o" if word.text.lower() == "of" else _LETTERS.get(word.tag, "u")


def _matches(letters: str) -> Iterator[re.Match[str]]:
    for pattern in _SERIES:
        yield from pattern.finditer(letters)


def _is_series(words: Sequence[Tagged], letters: str, match: re.Match[str]) -> bool:
    """Whether it is neither a phrase and a pair behind it, nor an apposition, nor two clauses."""
    start = max(letters.rfind(mark, 0, match.start()) for mark in ",;") + 1
    items = re.split("[,&]", match[0].replace(",&", "&"))
    first_end = match.start() + len(items[0])
    if match.start() and words[match.start() - 1].text.lower() in _GREETS:
        return False  # "Dear Ann, Tom and I would like to come"
    if len(items) == 3:
        if _is_introduced(letters, start, match):
            return False
        if words[first_end - 1].text.lower() in _TIMES:
            return False
    if [item[:1] for item in items] == ["n", "j", "j"] and letters[match.end() : match.end() + 1] == ",":
        return False  # "the man, tired and hungry, sat down"
    # The first word of a sentence has a capital in any case, and "the Forum" is a thing among things.
    named = items[1:] if match.start() == 0 and items[0].startswith("p") else items
    are_things = all(item.startswith("d") for item in items)
    if match.re is _SERIES[0] and not are_things and len({_is_proper(item) for item in named}) > 1:
        return False
    if match.re.pattern.endswith((f"{_DONE}[ebfzq]", f"{_DONE}[eqb]")) and _is_in_relative(
        words, start, match
    ):
        return False
    beside = (letters[match.start() - 1 : match.start()], letters[match.end() : match.end() + 1])
    if beside[0] == "&" and letters[match.start() - 2 : match.start()] == ",&":
        beside = ("", beside[1])  # "he left, and tea, cake and rolls were served"
    if "&" in beside and not _TOLD_IN.search(match[0]):
        return False  # "salt and vinegar, cheese and onion and plain": pairs among the items
    if len(items) == 3 and all(one[:1] == "d" for one in items[1:]) and _APPOSED.match(letters, match.end()):
        return False  # "my brother, a baker and a poet, lives here"
    if _GOES_ON.match(letters, match.end()):
        return False  # "the pairs, the share and its range, the score": a pair among the items
    behind = letters[match.end() : match.end() + 1]
    goes_on = bool(behind) and behind in _FINITE
    if goes_on and match.re is _SERIES[0] and all(item[:1] in ("d", "c") for item in items):
        chosen = words[match.end()].text.endswith("ed") and letters[match.end() + 1 : match.end() + 2] in (
            "i",
            "t",
        )
        goes_on = not chosen or letters[start] in _INTRODUCES  # "a chair and two others elected in May"
    joined = (
        at + 1
        for at in range(match.start())
        if letters[at] == ";" or (letters[at] == "," and words[at + 1].text.lower() in _JOINS)
    )
    clause = letters[max(joined, default=0) : match.start()]
    return not (goes_on and any(letter in _FINITE for letter in clause))


def _is_in_relative(words: Sequence[Tagged], start: int, match: re.Match[str]) -> bool:
    """Whether its first verb is that of a clause in the subject: "what he suggests, is taken or left"."""
    ahead = words[start : match.start()]
    return any(word.tag in ("WP", "WDT", "WRB") or word.text.lower() == "that" for word in ahead)


def _is_introduced(letters: str, start: int, match: re.Match[str]) -> bool:
    """Whether its first item belongs to a phrase ahead of the clause, and no clause is ahead of that."""
    if start == match.start() or letters[start] not in _INTRODUCES:
        return False
    behind = letters[match.end() : match.end() + 1]
    told = any(letter in _FINITE for letter in letters[:start])
    if not told and letters[match.end() :].strip(";") == "" and match[0].count("d") > 2:
        return False  # "Thank you, Ann, for the tea, the cake and the songs."
    return not told or (bool(behind) and behind in _FINITE)


def _is_proper(item: str) -> bool:
    return "p" in item and "n" not in item
