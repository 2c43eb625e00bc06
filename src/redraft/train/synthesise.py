"""Training pairs made by damaging clean text."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from redraft.errors import InputError
from redraft.text import MISSPELT, is_english, segment, singular
from redraft.train.damage.profile import DamagedText, Profile, damage
from redraft.train.damage.reading import LEXICON, word_set
from redraft.train.rows import TrainingRow, read_lines, read_objects

_NEEDS: Final = "a field `target` or `text` that is a string"
_LINKING: Final = frozenset({"connective", "fragment", "run_on"})
_LEAST, _MOST = 5, 70  # words of a target
_SHORT: Final = 280  # characters
_LETTERS: Final = re.compile(r"[^\W\d_]")
_WORDS: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BROKEN: Final = re.compile(
    r"\s[,.;:!?](?:\s|$)|[,;:][^\s\d\"'”’)]|\.\.\.|\s{2}|(?i:\b([a-z]+) \1\b)(?<!\bthat that)(?<!\bhad had)"
    r"|[(\[]\s|\s[)\]]|''|``|@-@|-lrb-|-rrb-|[|<>{}\\=_~^´]|[a-z]{2}\.[A-Za-z]|\d{2}\.[A-Z][a-z]|[(\[][;,]",
)
_LOST_APOSTROPHE: Final = re.compile(
    r"\b(?:(?:do|does|did|is|are|was|were|has|have|had|could|would|should|must|need)nt|cant|wont|youre|theyre|hes|shes|ive|"
    r"thats|theres|whats|lets (?=go|see|not)|\w+[b-df-hj-np-tv-xz]ys)\b",
    re.IGNORECASE,
)
_LOST_QUOTES: Final = re.compile(
    r",? (?:(?:he|she|they) (?:said|says|adds|added|explained)|(?:said|says) [A-Z]\w+)\b"
)
_SPACED_HYPHEN: Final = re.compile(r"\w - \w")  # "male - to - female": some corpora are tokenised so
_LOST_STOP: Final = re.compile(
    r"[a-z\d)] (?:The|If|It|This|In|He|She|They|We|However|But|And|There|When|As|For|His|Her|These|At|On)"
    r" [a-z]"
)
_ONE: Final = re.compile(r"\b(?:an?|each|every|another) (\w+)")
_FUNCTION: Final = word_set("synthesise.function")
_MISSPELLINGS: Final = frozenset(made for wrong in MISSPELT.values() for made in wrong if made not in LEXICON)
_PAIRS: Final = (("(", ")"), ("[", "]"), ("“", "”"))


def damage_texts(
    texts: Iterable[str], profile: Profile, seed: int, *, per_text: int = 1
) -> Iterator[tuple[TrainingRow, DamagedText]]:
    """A row for each text and repeat, with what was done to it; each depends on the seed and those alone.

    A text with no place for any error gives no row: else the share left clean would not be the profile's.
    """
    for text in texts:
        for repeat in range(per_text):
            key = f"{seed}\n{profile.name}\n{repeat}\n{text}".encode("utf-8", "surrogatepass")
            rng = random.Random(int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big"))
            done = damage(text, profile, rng)
            if done.edits or done.spared:
                yield TrainingRow(_task(done, profile), done.text, text, f"synthetic:{profile.name}"), done


def _task(done: DamagedText, profile: Profile) -> str:
    kinds = {edit.kind for edit in done.edits}
    if "wordiness" in kinds:
        return "clarity"
    return "coherence" if kinds and kinds <= _LINKING else profile.task


def clean_texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """The texts of files that are fit as targets, each with where it is from.

    A .jsonl file has a field `target` or `text` in each object; any other file is running text.
    """
    for path in paths:
        for where, text in _texts(path):
            for stretch in text_spans(text):
                if is_clean_target(stretch):
                    yield where, stretch


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix == ".jsonl":
        for where, row in read_objects(path, _NEEDS):
            text = row.get("target", row.get("text"))
            if not isinstance(text, str):
                raise InputError(f"{where}: needs {_NEEDS}")
            yield path.name, text
        return
    for blank, block in groupby(read_lines(path), key=lambda line: not line.strip()):
        if not blank:
            yield path.name, "".join(block)


def text_spans(text: str) -> Iterator[str]:
    """The sentences of a text, and at times two or three that follow one another.

    Which ones stay together depends on the text alone: a short text stays whole; in a longer one every third
    stretch is of two sentences, every seventh of three.
    """
    found = segment(text)
    if len(found) <= 1 or (len(found) <= 3 and found[-1].paragraph == 1 and len(text) <= _SHORT):
        yield " ".join(text.split())
        return
    place = turn = 0
    while place < len(found):
        turn += 1
        wanted = 3 if turn % 7 == 0 else 2 if turn % 3 == 0 else 1
        last = place
        while (
            last + 1 < len(found)
            and last - place + 1 < wanted
            and found[last + 1].paragraph == found[place].paragraph
        ):
            last += 1
        yield " ".join(text[found[place].start : found[last].end].split())
        place = last + 1


def is_clean_target(text: str) -> bool:
    """Whether a text can serve as a clean target: whole, plain, English, and not broken itself."""
    return is_whole(text) and is_english(text)


def is_whole(text: str) -> bool:
    """The same of a text that is known to be English."""
    words = _WORDS.findall(text)
    if not _LEAST <= len(words) <= _MOST or not is_unbroken(text):
        return False
    if len(_LETTERS.findall(text)) < 0.7 * len(text.replace(" ", "")):
        return False
    if sum(word.lower() in _FUNCTION for word in words) < max(1, len(words) // 12):
        return False
    return max(map(len, words)) <= 24


def is_unbroken(text: str) -> bool:
    """Whether a text of any length ends as a sentence does, and has no letters, stops or quotes lost."""
    words = _WORDS.findall(text)
    if not text.rstrip("\"”'’)").endswith((".", "!", "?")):
        return False
    if not any(word.islower() for word in words) or _BROKEN.search(text):
        return False
    if text.count('"') % 2 or any(text.count(one) != text.count(other) for one, other in _PAIRS):
        return False
    if _LOST_APOSTROPHE.search(text) or any(word.lower() in _MISSPELLINGS for word in words):
        return False
    if _LOST_STOP.search(text) or _SPACED_HYPHEN.search(text):
        return False
    if '"' not in text and "“" not in text and _LOST_QUOTES.search(text):
        return False
    return all(singular(match[1].lower()) in (None, match[1]) for match in _ONE.finditer(text))
