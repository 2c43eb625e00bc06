"""Examples for a model that judges, as a policy's YAML has them: checked against their own words."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import Any, Final

import yaml

from redraft.simplification.judging.alignment import Aligner, words_to_align
from redraft.simplification.judging.trees import Parser, difference, read_tree
from redraft.simplification.policy import ASPECTS, JudgedCandidate, JudgedExample
from redraft.simplification.yaml_values import YamlValue
from redraft.text import Document

LABELS: Final = string.ascii_uppercase
"""What candidates are called, by their places."""
_LONGEST: Final = 600
"""Characters of an analysis, as of one that is asked for."""
_PAIR: Final = re.compile(r"(\d+)_(.+)-(\d+)_(.+)")

_Links = tuple[tuple[int, int], ...]


def judged_example(part: YamlValue) -> JudgedExample:
    """An example; it counts only where no problem was noted."""
    table = part.table(("source", "candidates", *ASPECTS), ("parse",))
    if not {"source", "candidates"} <= table.keys():
        return JudgedExample("", (), ())
    source = table["source"].string(4000)
    parses = _parses(table["parse"], source) if "parse" in table else ()
    items = table["candidates"].items()
    candidates = tuple(_candidate(item, source) for item in items)
    if not 2 <= len(candidates) <= len(LABELS):
        table["candidates"].wrong(f"should be 2 to {len(LABELS)}, not {len(candidates)}")
    if len({" ".join(one.text.split()) for one in candidates}) < len(candidates):
        table["candidates"].wrong("two are the same")
    if len({bool(one.links) for one in candidates}) > 1:
        table["candidates"].wrong("some have an alignment: give one for every candidate, or for none")
    if len({bool(parses), *(bool(one.parses) for one in candidates)}) > 1:
        part.wrong("some texts have a parse: give one for the source and every candidate, or for none")
    verdicts = tuple(
        (aspect, *_best_and_worst(table[aspect], LABELS[: max(2, len(candidates))]))
        for aspect in ASPECTS
        if aspect in table
    )
    return JudgedExample(source, candidates, verdicts, parses)


def _candidate(part: YamlValue, source: str) -> JudgedCandidate:
    table = part.table(("text", "lexical", "structural"), ("alignment", "parse"))
    text, lexical, structural = (
        table[name].string(most) if name in table else ""
        for name, most in (("text", 4000), ("lexical", _LONGEST), ("structural", _LONGEST))
    )
    links = _links(table["alignment"], source, text) if "alignment" in table else ()
    parses = _parses(table["parse"], text) if "parse" in table else ()
    return JudgedCandidate(text, lexical, structural, links, parses)


def _links(part: YamlValue, source: str, text: str) -> _Links:
    """The pairs of an alignment, such as 0_He-0_He 1_utilised-1_used, in order and held to the texts."""
    sides = [("source", words_to_align(source)), ("candidate", words_to_align(text))]
    found: list[tuple[int, int]] = []
    for pair in part.string(20_000).split():
        match = _PAIR.fullmatch(pair)
        if match is None:
            part.wrong(f"{pair!r} is no pair: write each as 1_utilised-1_used, words counted from 0")
            continue
        places = int(match[1]), int(match[3])
        for (side, words), place, word in zip(sides, places, (match[2], match[4]), strict=True):
            if place >= len(words):
                part.wrong(f"{pair}: the {side} has {len(words)} words, and so none at {place}")
            elif words[place].text != word:
                part.wrong(f"{pair}: the word at {place} of the {side} is {words[place].text!r}")
        found.append(places)
    return tuple(sorted(set(found)))


def _parses(part: YamlValue, text: str) -> tuple[str, ...]:
    """The trees of a text, each held to its sentence."""
    sentences = [sentence.text for sentence in Document(text).sentences]
    items = part.items()
    if items and len(items) != len(sentences):
        part.wrong(f"has {len(items)} trees for {len(sentences)} sentences: give one for each, as a list")
        return ()
    return tuple(_tree(item, sentence) for item, sentence in zip(items, sentences, strict=False))


def _tree(part: YamlValue, sentence: str) -> str:
    try:
        tree = read_tree(part.string(20_000))
    except ValueError as error:
        part.wrong(f"is no tree: {error}")
        return ""
    if (differs := difference(tree, sentence)) is not None:
        part.wrong(differs)
    return tree.brackets()


def _best_and_worst(part: YamlValue, labels: Sequence[str]) -> tuple[int, int]:
    table = part.table(("best", "worst"))
    best, worst = (
        labels.index(table[name].choice(labels)) if name in table else place
        for place, name in enumerate(("best", "worst"))
    )
    if best == worst and len(table) == 2:
        part.wrong("the best and the worst are the same")
    return best, worst


async def draft_example(source: str, candidates: Sequence[str], aligner: Aligner, parser: Parser) -> str:
    """An example in YAML with its alignments and parses, for a person to correct and to judge."""

    async def parses(text: str) -> dict[str, list[str]]:
        parsed = await parser.parse([sentence.text for sentence in Document(text).sentences])
        return {"parse": [found.tree.brackets() if found.tree else "" for found in parsed]}

    aligned = await aligner.align([(source, text) for text in candidates])
    listed = [
        {"text": text, "alignment": alignment.pairs(), **await parses(text), "lexical": "", "structural": ""}
        for text, alignment in zip(candidates, aligned, strict=True)
    ]
    judged: dict[str, Any] = {aspect: {"best": "", "worst": ""} for aspect in ASPECTS}
    example = {"source": source, **await parses(source), "candidates": listed, **judged}
    drawn: str = yaml.safe_dump([example], allow_unicode=True, sort_keys=False, width=100)
    return drawn
