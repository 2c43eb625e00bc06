"""What a trained editor does when it is told to correct, split, shorten, or whatever else it was taught.

    python benchmarks/rewriting.py --sets DIR [--rows PATH …] [--editor NAME=FILE.gguf …] [--limit N]

Systems stand side by side in one run: each `--editor` (an adapter's file, or `shipped`), `copy`, the
`reference`, `harper` for corrections, and `rules`: what our splits, cuts and joints give without a model.
An editor whose card, which lies beside its file, does not list a control is asked for the nearest task.

`--sets` has a folder a set: gec_eracond and gec_harper (the rows that `train` leaves out), bisect and
compression, on which nothing is trained, and prose. `--rows` has rows with a task, an input, a target and
values, as `redraft train pairs` keeps them for development, in files or folders; without it they are made of
the texts of prose that `train pairs` leaves out. The test files of bisect and compression are for the end:
`--reported` takes them in the place of the others. `--editeval` has a development set in EditEval's form, as
`redraft train split` leaves it, scored as `redraft bench run` does by the first prompt: never a test set.

- F0.5 is of edits found by our own alignment of words and marks, so it is not ERRANT's; of several references
  the one that agrees best counts.
- Obeying is what the constraint counts, or what rules see of the control (`train/teaching/obedience.py`).
- Unbroken: the judge of `redraft revise` calls no new sentence broken. Same: it takes the edit for the same,
  and no statement is seen to be lost, new or changed; what is shortened may leave out. Both are shares of
  what was changed. `stands` is the share of all rows: changed, obeying, unbroken and the same.

What a model answered is in the cache, so that a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any, Literal

from redraft.bench import open_benchmark, plan
from redraft.editor import Editor, Value, control_instruction, read_phrasings
from redraft.errors import InputError
from redraft.metrics import Sample, editeval_normalise, load_metric, score_of
from redraft.models import SHIPPED, Models
from redraft.quality import ClaimChange, EmbeddedQuality, Judge, claim_changes
from redraft.revision.corrections.suggestions import corrections
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.rewriting.cuts.compressions import beginnings, compressions
from redraft.revision.rewriting.splits.splits import breaks, merges, splits
from redraft.revision.running import open_judge
from redraft.settings import load_settings
from redraft.text import Document, count_words, to_json
from redraft.train.judging import is_held_out as judge_leaves_out
from redraft.train.pairs.making import PAIR_MAKERS, is_held_out
from redraft.train.pairs.material import Record, read_records
from redraft.train.rows import read_objects
from redraft.train.teaching.answers import LENGTHS
from redraft.train.teaching.obedience import fitted_values
from redraft.train.teaching.passage import Passage
from redraft.train.teaching.requests import TeacherRequest

LIMIT = 200
"""Rows of a part."""
SEED = 20261117
KINDS = ("damage", "joints", "cuts", "tense", "formal", "plain", "synonyms", "wordy", "active", "letters")
"""What is made of prose where no rows are given."""
NEAREST = {
    "split": "simplification",
    "simpler": "simplification",
    "plain": "simplification",
    "shorten": "clarity",
    "concise": "clarity",
    "formal": "clarity",
    "friendly": "clarity",
    "polite": "clarity",
    "merge": "coherence",
}
"""What an editor is asked for that was not taught a control; the others are paraphrases."""
SURELY = 0.5
"""How sure the judge must be that the same is said."""
CUTS = ("shorten", "concise")
HEADLINES = {"all parts": ("F0.5", "stands"), "EditEval": ("SARI",)}
"""The measures whose means count where editors are chosen between."""
WORD = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")

Row = dict[str, Any]
How = Literal["correct", "leave", "control", "editeval"]
"""By edits, by what is left as it is, with the judge, or as EditEval scores."""


@dataclass(frozen=True)
class Case:
    """A text, what is asked of it, and how it was done by people or by the rule that made the text."""

    task: str
    text: str
    references: tuple[str, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    instruction: str = ""
    """How it is asked for; by our own wording of the task where nothing is said."""


@dataclass(frozen=True)
class Part:
    """Cases of one task that are measured together, and how."""

    name: str
    cases: Sequence[Case]
    how: How

    @property
    def task(self) -> str:
        """The task of its cases."""
        return self.cases[0].task


@dataclass(frozen=True)
class System:
    """Something that rewrites; of a task that it knows nothing of it is not asked."""

    name: str
    write: Callable[[Case], Awaitable[str]]
    tasks: frozenset[str] | None = None


# The data


def parts(sets: Path | None, rows: Sequence[Path], limit: int, *, reported: bool = False) -> Iterator[Part]:
    """Every part whose data is there, with so many rows drawn by the seed."""
    found: dict[str, Iterable[Case]] = {}
    if sets is not None:
        found["gec_eracond"] = eracond(sets / "gec_eracond" / "eracond.jsonl.gz")
        found["gec_harper"] = harper_pairs(sets / "gec_harper" / "pairs.jsonl.gz")
        found["BiSECT"] = bisect(sets / "bisect" / f"{'test' if reported else 'valid'}.jsonl.gz")
        files = ("google",) if reported else ("broadcast", "bnc")
        found["compression"] = compression([sets / "compression" / f"{file}.jsonl.gz" for file in files])
    by_name: dict[str, list[Case]] = defaultdict(list)
    for row in shuffled(given_rows(rows)) if rows else made_rows(sets, limit):
        by_name[row_part(row)].append(row_case(row))
    for name, cases in {**found, **by_name}.items():
        drawn = list(islice(cases, limit))
        if drawn and drawn[0].task == "fluency":
            yield Part(name, drawn, "correct")
            yield Part(name, [replace(case, text=case.references[0]) for case in drawn], "leave")
        elif drawn:
            yield Part(name, drawn, "control")


def editeval_parts(folder: Path, limit: int) -> Iterator[Part]:
    """The data sets of a folder in EditEval's form, asked for by the first of its instructions."""
    with warnings.catch_warnings(action="ignore"):  # that it has not the size of the published one
        found = open_benchmark("editeval").load(folder)
    for data in found:
        items = plan([data], "1", limit, SEED).items
        cases = [
            Case(item.sample.task, item.sample.input, item.sample.references, instruction=item.instruction)
            for item in items
            if not item.sample.documents
        ]
        if cases:
            yield Part(f"EditEval, {data.name}", cases, "editeval")


def shuffled(rows: Iterable[Row]) -> list[Row]:
    """The rows in an order drawn by the seed."""
    found = list(rows)
    random.Random(SEED).shuffle(found)
    return found


def objects(*paths: Path) -> list[Row]:
    """The rows of the files that are there, in an order drawn by the seed."""
    return shuffled(row for path in paths if path.is_file() for _, row in read_objects(path, "an object"))


def eracond(path: Path) -> Iterator[Case]:
    """Learners' chat, as the judge's training parts it: the editor's does not read it."""
    for row in objects(path):
        if judge_leaves_out(row["source"]):
            yield Case("fluency", row["source"], tuple(row["targets"]))


def harper_pairs(path: Path) -> Iterator[Case]:
    """Harper's own examples, as the editor's training parts them."""
    for row in objects(path):
        if is_held_out(row["source"]):
            yield Case("fluency", row["source"], (row["target"],))


def bisect(path: Path) -> Iterator[Case]:
    """Splits into sentences as long as the longest of the reference."""
    for row in objects(path):
        before, after = Passage(row["source"]), Passage(" ".join(row["target"]))
        if before.sentences == 1 and after.sentences > 1 and after.longest < before.words:
            yield Case("split", row["source"], (after.text,), {"n": after.longest})


def compression(paths: Sequence[Path]) -> Iterator[Case]:
    """Cuts to as many words as the longest reference that cuts anything."""
    for row in objects(*paths):
        words = count_words(row["source"])
        shorter = {target: count_words(target) for target in row["targets"]}
        shorter = {target: count for target, count in shorter.items() if 0 < count < words}
        if shorter:
            yield Case("shorten", row["source"], tuple(shorter), {"n": max(shorter.values())})


def given_rows(paths: Iterable[Path]) -> Iterator[Row]:
    """The rows of files and folders."""
    for path in paths:
        for file in sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]:
            yield from (row for _, row in read_objects(file, "task, input and target in a JSON object"))


def made_rows(sets: Path | None, limit: int) -> Iterator[Row]:
    """Rows of each kind from the texts of prose that training leaves out, enough for two tasks of a kind."""
    records = list(read_records(sorted((sets / "prose").glob("*.jsonl.gz")))) if sets is not None else []
    records = [record for record in records if is_held_out(record.text)]
    random.Random(SEED).shuffle(records)
    for kind in KINDS if records else ():
        texts = [Record("templates", "", {})] if kind == "letters" else records
        pairs = PAIR_MAKERS[kind](texts, random.Random(SEED))
        kept = (pair for pair in pairs if pair.fits and is_held_out(pair.text))
        yield from shuffled(json.loads(pair.as_line()) for pair in islice(kept, 3 * limit))


def row_part(row: Row) -> str:
    """The part that a row belongs to: its task, but for corrections and for human splits."""
    task, source = row.get("task", ""), str(row.get("source"))
    if task == "fluency":
        return "revisions by authors" if "revisions" in source else "damaged prose"
    return "WikiSplit" if task == "split" and "wikisplit" in source else task


def row_case(row: Row) -> Case:
    """A row as a case."""
    try:
        return Case(row["task"], row["input"], (row["target"],), row.get("values", {}))
    except KeyError as error:
        raise InputError(f"a row has no {error}: {to_json(row)[:200]}") from None


# The systems


async def copied(case: Case) -> str:
    return case.text


async def referred(case: Case) -> str:
    return case.references[0]


async def corrected_by_harper(case: Case) -> str:
    """Harper's first suggestion for everything that it takes for an error."""
    return next((one.text for one in corrections(case.text)), case.text)


async def ruled(case: Case) -> str:
    """The first that keeps to the bound of what our rules offer, best first; else their best."""
    bound = int(case.values.get("n", 0))
    match case.task:
        case "split":
            offered = [one.text for one in (*splits(case.text, bound), *breaks(case.text, bound))]
        case "merge":
            sentences = [sentence.text for sentence in Document(case.text).sentences]
            offered = [one.text for one in merges(*sentences)] if len(sentences) == 2 else []
        case _:
            made = (*compressions(case.text), *beginnings(case.text, bound))
            offered = [one.text for one in made]
    return next((text for text in (*offered, case.text) if obeys(case, text)), [*offered, case.text][0])


BESIDE = (
    System("copy", copied),
    System("reference", referred),
    System("harper", corrected_by_harper, frozenset({"fluency"})),
    System("rules", ruled, frozenset({"split", "shorten", "merge"})),
)


def editor_system(name: str, editor: Editor, known: frozenset[str] | None) -> System:
    """An editor that is asked by the one wording of each task, or of the nearest that it knows."""

    async def write(case: Case) -> str:
        return (await editor.edit(case.text, instruction_for(case, known))).text

    return System(name, write)


def instruction_for(case: Case, known: frozenset[str] | None) -> str:
    """The wording of a task; of the nearest to it, for an editor that knows some others."""
    if case.instruction:
        return case.instruction
    if known is None or case.task in known:
        return control_instruction(case.task, **case.values)
    return control_instruction(NEAREST.get(case.task, "paraphrasing"))


def known_tasks(adapter: Path) -> frozenset[str] | None:
    """The tasks that an adapter's card lists; None where there is no card, and all are taken to be known."""
    card = adapter.with_suffix(".md")
    if not card.is_file():
        return None
    listed = re.findall(r"^\| instructions\.(\S+) \|", card.read_text(encoding="utf-8"), re.M)
    return frozenset(task.replace("\\", "") for task in listed) & read_phrasings().keys() or None


def named_editor(given: str) -> tuple[str, Path]:
    """A name and an adapter, of NAME=FILE or a file alone; `shipped` is the one of the package."""
    name, found, file = given.rpartition("=")
    path = SHIPPED / "editor.gguf" if file == "shipped" else Path(file).expanduser()
    if not path.exists():
        raise InputError(f"there is no adapter {path}; give NAME=FILE.gguf, or NAME=shipped")
    return (name if found else path.stem), path


# What is measured


def edits_of(source: str, text: str) -> Counter[tuple[int, int, tuple[str, ...]]]:
    """Which words and marks of a source were replaced by which; one by one where they are as many."""
    before, after = WORD.findall(source), WORD.findall(text)
    found: Counter[tuple[int, int, tuple[str, ...]]] = Counter()
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "replace" and j - i == m - k:
            found.update((at, at + 1, (after[k + at - i],)) for at in range(i, j))
        elif kind != "equal":
            found[i, j, tuple(after[k:m])] += 1
    return found


def agreement(case: Case, text: str) -> tuple[int, int, int]:
    """Edits that the best reference has too, edits made, and edits that it has."""
    made = edits_of(case.text, text)
    wanted = [edits_of(case.text, reference) for reference in case.references]
    counts = [((made & own).total(), made.total(), own.total()) for own in wanted]
    return max(counts, key=lambda one: (one[0], -one[2]))


def corrections_of(cases: Sequence[Case], texts: Sequence[str]) -> Mapping[str, float | None]:
    """F0.5, precision and recall of the edits of a corpus."""
    counts = [agreement(case, text) for case, text in zip(cases, texts, strict=True)]
    right, made, wanted = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = right / made if made else 0.0, right / wanted if wanted else 0.0
    both = 0.25 * precision + recall
    return {
        "F0.5": 1.25 * precision * recall / both if both else 0.0,
        "precision": precision,
        "recall": recall,
    }


def obeys(case: Case, text: str) -> bool | None:
    """Whether a text does what was asked for; None where no rule can say."""
    before, after = Passage(case.text), Passage(text)
    bound = int(case.values.get("n", 0))
    match case.task:
        case "shorten":
            return 0 < after.words <= bound
        case "split":
            return after.sentences > before.sentences and after.longest <= bound
        case "simpler":
            return after.grade <= bound
    if case.task not in LENGTHS:
        return None
    request = TeacherRequest("", case.task, case.text, "", 0, values=dict(case.values))
    return text.split() != case.text.split() and fitted_values(request, before, after) is not None


def token_f1(case: Case, text: str) -> float:
    """F1 of the words of a text and of the reference that is most like it."""

    def like(reference: str) -> float:
        one, other = (Counter(re.findall(r"\w+", each.lower())) for each in (text, reference))
        return 2 * (one & other).total() / max(one.total() + other.total(), 1)

    return max(map(like, case.references))


class Measurer:
    """Measures what a system wrote, with the help of a judge."""

    def __init__(self, judge: Judge) -> None:
        self._verdicts = Verdicts(judge)

    async def measure(self, part: Part, texts: Sequence[str]) -> Mapping[str, float | None]:
        """Every measure of a part by its name, the shares from 0 to 1; None where nothing can be said."""
        pairs = list(zip(part.cases, texts, strict=True))
        if part.how == "editeval":
            return editeval_scores(part.task, pairs)
        if part.how == "leave":
            return {
                "correct ones left as they are": mean(case.text.split() == new.split() for case, new in pairs)
            }
        if part.how == "correct":
            return corrections_of(part.cases, texts)
        return await self._controlled(part.task, pairs)

    async def _controlled(self, task: str, pairs: Sequence[tuple[Case, str]]) -> Mapping[str, float | None]:
        changed = [pair for pair in pairs if pair[0].text.split() != pair[1].split()]
        obedient = [obeys(case, text) for case, text in changed]
        unbroken, same = await self._unbroken(changed), await self._same(task, changed)
        known = task in LENGTHS
        stand = [all(marks) for marks in zip(obedient, unbroken, same, strict=True)]
        found: dict[str, float | None] = {"stands": sum(stand) / len(pairs) if known else None}
        if task == "split":
            parted = [Passage(text).sentences > Passage(case.text).sentences for case, text in changed]
            found["divided"] = sum(parted) / len(pairs)
        found |= {
            "obeys": sum(map(bool, obedient)) / len(pairs) if known else None,
            "changed": len(changed) / len(pairs),
            "unbroken": mean(unbroken) if changed else None,
            "same": mean(same) if changed else None,
            "SARI": scored("sari", pairs),
        }
        if task == "shorten":
            found["token F1"] = mean(token_f1(case, text) for case, text in pairs)
        return found

    async def _unbroken(self, pairs: Sequence[tuple[Case, str]]) -> list[bool]:
        found = await self._verdicts.of([(case.text, text) for case, text in pairs])
        return [not one.broken for one in found]

    async def _same(self, task: str, pairs: Sequence[tuple[Case, str]]) -> list[bool]:
        """A cut leaves out, so that only what it turns round, changes or puts in counts against it."""
        asked = [(case.text, text) for case, text in pairs]
        if task in CUTS:
            return [not any(one.kind != "left out" for one in changes(*pair)) for pair in asked]
        sure = await self._verdicts.sameness(asked)
        return [score >= SURELY and not changes(*pair) for score, pair in zip(sure, asked, strict=True)]


def changes(source: str, text: str) -> list[ClaimChange]:
    """The statements that matter and are not made as they were."""
    return [change for change in claim_changes(source, text) if not change.minor]


def scored(metric: str, pairs: Sequence[tuple[Case, str]], clean: Callable[[str], str] = str) -> float:
    """A metric of the corpus, from 0 to 1, of texts that were cleaned."""
    samples = [
        Sample(clean(case.text), clean(text), tuple(map(clean, case.references))) for case, text in pairs
    ]
    return score_of(load_metric(metric), samples, resamples=0).value / 100


def editeval_scores(task: str, pairs: Sequence[tuple[Case, str]]) -> Mapping[str, float | None]:
    """SARI, and of corrections GLEU too."""
    metrics = {"SARI": "sari", "GLEU": "gleu"} if task == "fluency" else {"SARI": "sari"}
    return {name: scored(metric, pairs, editeval_normalise) for name, metric in metrics.items()}


# The table


async def table(
    asked: Iterable[Part], systems: Sequence[System], measurer: Measurer, show: Callable[[Row], None]
) -> tuple[list[Row], list[Row]]:
    """A row a measure with what each system reaches, shown as it comes; and what the systems wrote."""
    found: list[Row] = []
    written: list[Row] = []
    for part in asked:
        columns: dict[str, Mapping[str, float | None]] = {}
        for system in systems:
            if system.tasks is None or part.task in system.tasks:
                began = time.monotonic()
                texts = await asyncio.gather(*map(system.write, part.cases))
                columns[system.name] = await measurer.measure(part, texts)
                written += (as_row(part, system, *pair) for pair in zip(part.cases, texts, strict=True))
                tell(f"{part.name}: {system.name}, {time.monotonic() - began:.0f} s")
        for measure in next(iter(columns.values())):
            scores = {name: column[measure] for name, column in columns.items()}
            found.append({"part": part.name, "measure": measure, "rows": len(part.cases), **scores})
            show(found[-1])
    return found, written


def as_row(part: Part, system: System, case: Case, text: str) -> Row:
    """What a system wrote, as it is kept for reading."""
    asked = {"part": part.name, "task": case.task, "input": case.text, "values": dict(case.values)}
    return {**asked, "system": system.name, "output": text}


def summary(found: Sequence[Row], editors: Sequence[str]) -> Iterator[Row]:
    """The editors' means over the parts, each by its headline; and those over the first editor's."""
    for name, measures in HEADLINES.items():
        rows = [row for row in found if row["measure"] in measures and row[editors[0]] is not None]
        rows = [row for row in rows if row["part"].startswith("EditEval") == (name == "EditEval")]
        if rows:
            means = {editor: mean(row[editor] for row in rows) for editor in editors}
            first = means[editors[0]]
            ratios = {editor: value / first if first else None for editor, value in means.items()}
            size = sum(row["rows"] for row in rows)
            measure = f"mean of {' and '.join(measures)}"
            yield {"part": name, "measure": measure, "rows": size, **means}
            yield {"part": name, "measure": f"ratio to {editors[0]}", "rows": size, **ratios}


def line(row: Row, names: Sequence[str]) -> str:
    """A row of the table."""
    cells = ["–" if row.get(name) is None else f"{row[name]:.3f}" for name in names]
    return f"| {row['part']}: {row['measure']} | {row['rows']:,} | {' | '.join(cells)} |"


def tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


async def main(given: argparse.Namespace) -> None:
    editors = dict(map(named_editor, given.editor or ["shipped"]))
    asked = list(parts(given.sets, given.rows, given.limit, reported=given.reported))
    asked += editeval_parts(given.editeval, given.limit) if given.editeval else ()
    if given.only:
        asked = [part for part in asked if part.name in given.only or part.task in given.only]
    if not asked:
        raise InputError("there is nothing to measure: give --sets, --rows or both")
    async with Models(load_settings({"model": given.model})) as models:
        quality = EmbeddedQuality(models.scorer(), models.embedder()) if given.samples > 1 else None
        systems = [system for system in BESIDE if system.name in given.beside]
        for name, path in editors.items():
            model = models.for_role("model")
            editor = Editor(model, quality, samples=given.samples, seed=given.seed, adapter=str(path))
            systems.append(editor_system(name, editor, known_tasks(path)))
        names = [system.name for system in systems]

        def show(row: Row) -> None:
            print(to_json(row) if given.json else line(row, names), flush=True)

        if not given.json:
            print(
                f"| part: measure | rows | {' | '.join(names)} |\n|---|{'---|' * (len(names) + 1)}",
                flush=True,
            )
        found, written = await table(asked, systems, Measurer(open_judge(models)), show)
    for row in summary(found, list(editors)):
        show(row)
    if given.outputs:
        given.outputs.write_text("".join(f"{to_json(row)}\n" for row in written), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=Path, help="a folder with a sub-folder a set")
    parser.add_argument("--rows", type=Path, nargs="+", default=[], help="files or folders of rows")
    parser.add_argument("--editeval", type=Path, help="a development set as `redraft train split` leaves it")
    parser.add_argument("--editor", action="append", metavar="NAME=FILE", help="an adapter, or shipped")
    beside = [system.name for system in BESIDE]
    parser.add_argument("--beside", nargs="*", choices=beside, default=beside, help="what stands beside them")
    parser.add_argument("--model", help="what the adapters are for: embedded, or torch for a GPU")
    parser.add_argument("--samples", type=int, default=1, help="answers drawn, of which one is chosen")
    parser.add_argument("--limit", type=int, default=LIMIT, help="rows of a part")
    parser.add_argument("--seed", type=int, default=0, help="of what is sampled")
    parser.add_argument("--only", nargs="+", help="parts or tasks")
    parser.add_argument("--reported", action="store_true", help="the test files that are kept for the end")
    parser.add_argument("--outputs", type=Path, help="where to write what each system wrote, as JSON lines")
    parser.add_argument("--json", action="store_true", help="print rows as JSON lines")
    try:
        asyncio.run(main(parser.parse_args()))
    except InputError as error:
        sys.exit(f"{error}")
