"""How well whole texts are corrected: python benchmarks/corrections.py [--sets DIR] [--system NAME …]

    revise     `redraft revise -i "Fix the grammar."`, at low effort
    editor     the trained editor's one answer for each sentence, whatever it says
    harper     Harper's first suggestions, as they come
    rules      what `corrections/slips.py` puts right by itself

Texts with errors, and some without, stand in `corrections.txt` beside this file; all were written for it.
With `--sets`, a folder of `gec_eracond/eracond.jsonl.gz`, texts are also made of learners' chat, from the
rows that no judge was trained on, and of prose (`prose/*.jsonl.gz`), and with `--rows`, files of
{"input", "target"}, of these rows. An edit is a word or mark put in, left out or put in the place of another
one; each sentence is held to whichever of its corrections it is nearest to. `--show` prints what each text
became. Never on a test set.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Final

from redraft.editor import Editor
from redraft.models import Models
from redraft.quality import meaning_changes
from redraft.revision import ReviseOptions, arevise
from redraft.revision.corrections.slips import without_slips
from redraft.revision.corrections.suggestions import corrections
from redraft.settings import load_settings
from redraft.text import Document
from redraft.train.judging import is_held_out
from redraft.train.rows import read_objects

SYSTEMS: Final = ("revise", "editor", "harper", "rules")
INSTRUCTION: Final = "Fix the grammar."
ASKED: Final = "Correct the spelling, grammar and punctuation"
WRITTEN: Final = Path(__file__).with_suffix(".txt")
SENTENCES: Final = 8
"""Sentences of a text that is made of rows."""
CLEAN: Final = ("clean", "prose")
"""Groups of texts without errors."""
MADE: Final = 5
"""Texts of each set."""
PROSE: Final = 2
"""Texts of each file of prose."""
ALTERNATIVES: Final = 64
"""Corrections of one sentence that are looked at."""

Edit = tuple[int, int, tuple[str, ...]]
"""Where the words begin and end that are replaced, and what stands for them."""
System = Callable[[str], Awaitable[str]]


@dataclass(frozen=True)
class Text:
    """A text in parts: each is a passage, and the corrections of it."""

    group: str
    name: str
    parts: Sequence[tuple[str, Sequence[str]]]

    @property
    def source(self) -> str:
        """The text as it was written."""
        return "".join(source for source, _ in self.parts)


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=Path, default=WRITTEN, help="a file in the form of corrections.txt")
    parser.add_argument("--sets", type=Path)
    parser.add_argument("--rows", type=Path, nargs="*", default=())
    parser.add_argument("--system", nargs="+", default=["revise"], choices=SYSTEMS)
    parser.add_argument("--only", nargs="*", default=(), help="names of texts, or of groups")
    parser.add_argument("--effort", default="low")
    parser.add_argument("--show", action="store_true")
    asyncio.run(measure(parser.parse_args()))


async def measure(given: argparse.Namespace) -> None:
    """Correct every text with every system, and print what came of it."""
    texts = [*written(given.texts.read_text(encoding="utf-8")), *made(given.sets, given.rows)]
    texts = [one for one in texts if not given.only or one.name in given.only or one.group in given.only]
    async with Models(load_settings()) as models:
        for name in given.system:
            systems = {"revise": reviser, "editor": asker, "harper": checker, "rules": ruler}
            correct = systems[name](models, given.effort)
            await correct("He go to school. She have a cat.")  # so that the models are there
            began = time.process_time()
            outputs = [await correct(one.source) for one in texts]
            words = sum(len(one.source.split()) for one in texts)
            seconds = 100 * (time.process_time() - began) / words
            for one, output in zip(texts, outputs, strict=True) if given.show else ():
                print(f"\n## {one.name}: {shown(counted(one, output))}\n{marked(one.source, output)}")
            report(name, texts, outputs, seconds)


def report(name: str, texts: Sequence[Text], outputs: Sequence[str], seconds: float) -> None:
    """Print the sums of each group."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for one, output in zip(texts, outputs, strict=True):
        groups[one.group] += counted(one, output)
        groups["all"] += counted(one, output) if one.group not in CLEAN else Counter()
    print(f"{name}: {seconds:.1f} processor seconds for 100 words, fewer where answers are cached")
    for group, counts in groups.items():
        print(f"    {group:12} {shown(counts)}")


def shown(counts: Mapping[str, int]) -> str:
    """Precision, recall and F0.5, or what was changed in vain."""
    if not counts["wanted"]:
        rate = 100 * counts["touched"] / max(counts["sentences"], 1)
        return f"{counts['touched']} of {counts['sentences']} sentences changed ({rate:.1f} %)"
    precision = counts["right"] / max(counts["made"], 1)
    recall = counts["right"] / counts["wanted"]
    score = 1.25 * precision * recall / max(0.25 * precision + recall, 1e-9)
    return (
        f"P {precision:.3f}  R {recall:.3f}  F0.5 {score:.3f}  ({counts['right']} right, "
        f"{counts['made'] - counts['right']} wrong, {counts['wanted'] - counts['right']} left), "
        f"{counts['meaning']} texts with a change of meaning"
    )


# The texts


def written(text: str) -> Iterator[Text]:
    """The texts of a file, the corrections in braces."""
    for entry in re.split(r"(?m)^## ", text)[1:]:
        name, body = entry.split("\n", 1)
        group = "clean" if "clean" in name else "written"
        pieces = re.split(r"(?<=[.!?])(?= [A-Z{“\"])|(?<=\n)", body.strip())
        yield Text(group, name, [(as_written(piece), list(corrected(piece))) for piece in pieces])


def as_written(piece: str) -> str:
    """A passage with the errors in it."""
    return spaced(re.sub(r"\{([^{}|]*)\|[^{}]*\}", r"\1", piece))


def corrected(piece: str) -> Iterator[str]:
    """A passage with every choice of the corrections."""
    parts = re.split(r"\{([^{}]*)\}", piece)
    choices = [part.split("|")[1:] if at % 2 else [part] for at, part in enumerate(parts)]
    for chosen in islice(product(*choices), ALTERNATIVES):
        yield spaced("".join(chosen))


def spaced(text: str) -> str:
    """A text without the space that a word left behind."""
    return re.sub(r"(?<=\S) +(?=[ .,;:!?])", "", text)


def made(sets: Path | None, paths: Sequence[Path]) -> Iterator[Text]:
    """Texts made of rows that follow one another."""
    if sets is not None:
        rows = [row for _, row in read_objects(sets / "gec_eracond" / "eracond.jsonl.gz", "an object")]
        kept = [(row["source"], row["targets"]) for row in rows if is_held_out(row["source"])]
        yield from joined("gec_eracond", [one for one in kept if 5 < len(one[0].split()) < 40])
        for file in sorted((sets / "prose").glob("*.jsonl.gz")):
            rows = [row for _, row in read_objects(file, "an object") if is_held_out(row["text"])]
            yield from without_errors(file.name.removesuffix(".jsonl.gz"), [row["text"] for row in rows])
    for path in paths:
        targets: dict[str, list[str]] = defaultdict(list)
        for _, row in read_objects(path, "an object"):
            targets[row["input"]].append(row["target"])
        yield from joined(path.stem, list(targets.items()))


def without_errors(name: str, texts: Sequence[str]) -> Iterator[Text]:
    """A few sentences of each of some texts, which are to stay as they are."""
    for number, text in enumerate(texts[:: max(len(texts) // PROSE, 1)][:PROSE], 1):
        sentences = [one.text for one in Document(" ".join(text.split())).sentences]
        passage = " ".join([one for one in sentences if 5 < len(one.split()) < 40][:SENTENCES])
        yield Text("prose", f"prose, {name} {number}", [(passage, [passage])])


def joined(name: str, rows: Sequence[tuple[str, Sequence[str]]]) -> Iterator[Text]:
    """So many texts of so many rows, evenly spread."""
    step = max(len(rows) // MADE, SENTENCES)
    for number, at in enumerate(range(0, min(step * MADE, len(rows)), step), 1):
        parts = [
            (f"{source.strip()}\n\n", [f"{one.strip()}\n\n" for one in targets])
            for source, targets in rows[at : at + SENTENCES]
        ]
        yield Text(name, f"{name} {number}", parts)


# The systems


def reviser(models: Models, effort: str) -> System:
    """What a user gets."""

    async def correct(text: str) -> str:
        options = ReviseOptions("search", effort, scored=False)  # type: ignore[arg-type]
        return (await arevise(text, INSTRUCTION, models=models, options=options)).text

    return correct


def asker(models: Models, effort: str) -> System:
    """The editor's greedy answers."""
    editor = Editor(models.open("embedded"))

    async def correct(text: str) -> str:
        sentences = Document(text).sentences
        found = await asyncio.gather(*(editor.candidates(one.text, ASKED, count=1) for one in sentences))
        return with_sentences(text, [one[0].text if one else "" for one in found])

    return correct


def checker(models: Models, effort: str) -> System:
    """Harper's first suggestions."""

    async def correct(text: str) -> str:
        found = [corrections(one.text) for one in Document(text).sentences]
        return with_sentences(text, [one[0].text if one else "" for one in found])

    return correct


def ruler(models: Models, effort: str) -> System:
    """What a few words tell by themselves."""

    async def correct(text: str) -> str:
        return with_sentences(text, [without_slips(one.text) for one in Document(text).sentences])

    return correct


def with_sentences(text: str, others: Sequence[str]) -> str:
    """A text with others in the place of its sentences; an empty one leaves the sentence."""
    parts, end = [], 0
    for sentence, other in zip(Document(text).sentences, others, strict=True):
        parts += [text[end : sentence.start], other or sentence.text]
        end = sentence.end
    return "".join([*parts, text[end:]])


# What is counted


def counted(text: Text, output: str) -> Counter[str]:
    """The edits that were wanted, made and right, and the sentences that were touched."""
    edits = edits_between(text.source, output)
    counts = Counter(
        sentences=len(Document(text.source).sentences),
        meaning=int(output != text.source and bool(meaning_changes(text.source, output))),
    )
    starts = [0]
    for source, _ in text.parts:
        starts.append(starts[-1] + len(tokens(source)))
    for at, (source, targets) in enumerate(text.parts):
        start, stop = starts[at], starts[at + 1]
        own = {
            edit
            for edit in edits
            if start <= edit[0] < stop or (at + 1 == len(text.parts) and edit[0] >= stop)
        }
        own = {(one - start, other - start, words) for one, other, words in own}
        wanted = min(
            (edits_between(source, target) for target in targets),
            key=lambda gold: len(gold ^ own),
        )
        counts += Counter(wanted=len(wanted), made=len(own), right=len(own & wanted))
    before, after = Document(text.source).sentences, {one.text for one in Document(output).sentences}
    counts["touched"] = sum(one.text not in after for one in before)
    return counts


def tokens(text: str) -> list[str]:
    """The words and marks of a text."""
    return re.findall(r"\w+(?:['’]\w+)*|[^\w\s]", text)


@cache
def edits_between(source: str, target: str) -> frozenset[Edit]:
    """The edits of the cheapest alignment of two texts, words that look alike side by side."""
    left, right = tokens(source), tokens(target)
    found: set[Edit] = set()
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        if kind != "equal":
            found |= set(aligned(left[start:stop], right[first:last], start))
    return frozenset(found)


def aligned(left: Sequence[str], right: Sequence[str], offset: int) -> Iterator[Edit]:
    """The edits of a stretch, each of one word; what is put in at one place is one edit."""
    costs = {(0, 0): (0.0, (0, 0))}
    for i, j in product(range(len(left) + 1), range(len(right) + 1)):
        ways = []
        if i:
            ways.append((costs[i - 1, j][0] + 1.0, (i - 1, j)))
        if j:
            ways.append((costs[i, j - 1][0] + 1.0, (i, j - 1)))
        if i and j:
            ways.append((costs[i - 1, j - 1][0] + unlike(left[i - 1], right[j - 1]), (i - 1, j - 1)))
        if ways:
            costs[i, j] = min(ways)
    at, put = (len(left), len(right)), []
    while at != (0, 0):
        (i, j), at = at, costs[at][1]
        if at == (i, j - 1):
            put.insert(0, right[j - 1])
            continue
        if put:
            yield offset + i, offset + i, tuple(put)
            put = []
        if at == (i - 1, j):
            yield offset + i - 1, offset + i, ()
        elif left[i - 1] != right[j - 1]:
            yield offset + i - 1, offset + i, (right[j - 1],)
    if put:
        yield offset, offset, tuple(put)


def unlike(one: str, other: str) -> float:
    """What it costs to put a word in the place of another one."""
    if one == other:
        return 0.0
    return 0.5 + 1.4 * (1 - SequenceMatcher(None, one.lower(), other.lower()).ratio())


def marked(source: str, output: str) -> str:
    """A text with the edits in it, as [before|after]."""
    words = [[token] for token in tokens(source)] + [[]]
    for start, stop, put in sorted(edits_between(source, output), reverse=True):
        words[start:stop] = [[f"[{' '.join(tokens(source)[start:stop])}|{' '.join(put)}]"]]
    return " ".join(token for own in words for token in own)


if __name__ == "__main__":
    main()
