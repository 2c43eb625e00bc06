"""What the editor learns from: rows held out without overlap, and files mixed by weight."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import Any

from redraft.editor import VERDICTS, editor_messages, fill_phrasing, places, read_phrasings
from redraft.errors import InputError
from redraft.models import Message
from redraft.train.conversations import Conversation, fingerprints, row_key
from redraft.train.guard import Guard, normalised_words
from redraft.train.recipe.reading import HeldOut, check_weight, read_recipe
from redraft.train.rows import TrainingRow, read_rows, read_some, stem_of

Files = Mapping[str, Sequence[TrainingRow]]
Instructions = Mapping[str, Sequence[str]]


def split_held_out(
    files: Files, holds: Sequence[HeldOut], *, seed: int
) -> tuple[dict[str, list[TrainingRow]], dict[str, list[TrainingRow]]]:
    """Rows to train on and held-out rows: each hold takes whole components until it has its count.

    A component is all rows, of every file, that are linked by an input or a target they share. One that would
    take a hold past its count is passed over, so that a hold stays short rather than takes too much; but what
    another hold takes may bring further inputs.
    """
    for hold in holds:
        if hold.file not in files:
            raise InputError(f"there is no file {hold.file!r} to hold out of; there are {', '.join(files)}")
        if hold.count < 0:
            raise InputError(f"{hold.file}: {hold.count} inputs cannot be held out")
    of = components(files)
    taken: set[int] = set()
    for hold in holds:
        _take(hold, files[hold.file], of[hold.file], taken, Random(f"{seed}/{hold.file}"))
    train, held_out = (
        {
            name: [row for row, own in zip(rows, of[name], strict=True) if (own in taken) is side]
            for name, rows in files.items()
        }
        for side in (False, True)
    )
    return train, held_out


def components(files: Files) -> dict[str, list[int]]:
    """The component of every row: rows with one number are linked by texts, equal but for case and marks."""
    numbers: dict[str, int] = {}
    parents: list[int] = []

    def number(text: str) -> int:
        # A text without any word is only like itself.
        key = " ".join(normalised_words(text)) or f"\0{text}"
        if key not in numbers:
            numbers[key] = len(parents)
            parents.append(len(parents))
        return numbers[key]

    def root(node: int) -> int:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    inputs: dict[str, list[int]] = {}
    for name, rows in files.items():
        inputs[name] = []
        for row in rows:
            first, second = number(row.input), number(row.target)
            inputs[name].append(first)
            parents[root(second)] = root(first)
    return {name: [root(node) for node in nodes] for name, nodes in inputs.items()}


def dev_samples(rows: Iterable[TrainingRow], name: str = "dev") -> list[dict[str, Any]]:
    """The rows as test samples, an input with all its targets each, in the form of EditEval's files."""
    targets: dict[tuple[str, str, tuple[str, ...]], dict[str, None]] = {}
    for row in rows:
        targets.setdefault((row.task, row.input, row.documents), {})[row.target] = None
    return [
        {
            "id": f"{name}-{number}",
            "input": text,
            "references": list(references),
            "task": task,
            "documents": list(documents),
        }
        for number, ((task, text, documents), references) in enumerate(targets.items())
    ]


def _take(
    hold: HeldOut, rows: Sequence[TrainingRow], of: Sequence[int], taken: set[int], random: Random
) -> None:
    inputs: dict[int, set[str]] = {}
    rank: dict[int, int] = {}
    for row, component in zip(rows, of, strict=True):
        if hold.takes(row):
            inputs.setdefault(component, set()).add(row.input)
            place = hold.sources.index(row.source) if hold.sources else 0
            rank[component] = min(place, rank.get(component, place))
    have = sum(len(texts) for component, texts in inputs.items() if component in taken)
    order = [component for component in inputs if component not in taken]
    random.shuffle(order)
    for component in sorted(order, key=rank.__getitem__):
        if have + len(inputs[component]) <= hold.count:
            taken.add(component)
            have += len(inputs[component])


REST = "*"


@dataclass(frozen=True, slots=True)
class DrawCount:
    """What an epoch takes of one task in one file."""

    file: str
    task: str
    weight: float
    rows: int
    draws: int


def parse_mix(text_or_path: str) -> dict[str, float]:
    """The weights in `name=2,other_*=0.5,*=1`, or in the [weights] table of a TOML file or recipe."""
    if "=" not in text_or_path:
        return dict(read_recipe(text_or_path).weights)
    weights: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text_or_path.split(","))):
        name, sign, number = (piece.strip() for piece in part.partition("="))
        if not sign or not name:
            raise InputError(f"the mix has {part!r}, where name=weight is needed")
        if name in weights:
            raise InputError(f"the mix names {name} twice")
        try:
            weights[name] = float(number)
        except ValueError:
            raise InputError(f"the mix gives {name} the weight {number!r}, which is no number") from None
        check_weight("the mix", name, weights[name])
    return weights


def file_weights(weights: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """The weight of each file: that of its name, of the first pattern that it fits, or of `*`; else 1."""
    patterns = [name for name in weights if name not in names and name != REST]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise InputError(_unknown(pattern, names))
    for name, weight in weights.items():
        check_weight("the mix", name, weight)
    found = {}
    for name in names:
        keys = (name, *(pattern for pattern in patterns if fnmatchcase(name, pattern)), REST)
        found[name] = next((weights[key] for key in keys if key in weights), 1.0)
    return found


class Mixture:
    """Rows of several files, drawn by weight; the seed and an epoch's number settle all that it draws."""

    def __init__(
        self,
        files: Mapping[str, Sequence[TrainingRow]],
        weights: Mapping[str, float],
        instructions: Instructions,
        seed: int,
    ) -> None:
        self.weights = file_weights(weights, tuple(files))
        self.seed = seed
        self._instructions = instructions
        self._files = files
        for name, rows in files.items():
            for task in dict.fromkeys(row.task for row in rows):
                if not instructions.get(task):
                    raise InputError(
                        f"{name} has rows of the task {task!r}, for which there is no instruction"
                    )
            _check_values(name, rows, instructions)

    def epoch(self, number: int) -> list[tuple[TrainingRow, str]]:
        """The rows of an epoch in their order, each with the instruction that it is given this time."""
        drawn: list[tuple[TrainingRow, str]] = []
        for name, rows in self._files.items():
            # Each file has its own numbers, so that another file or weight does not change them.
            random = Random(f"{self.seed}/{number}/{name}")
            copies, rest = divmod(round(self.weights[name] * len(rows)), len(rows) or 1)
            for row in [*rows] * copies + random.sample(rows, rest):
                drawn.append((row, random.choice(self._instructions[row.task])))
        Random(f"{self.seed}/{number}").shuffle(drawn)
        return drawn

    def counts(self) -> list[DrawCount]:
        """What an epoch takes of each file and task; where a file mixes tasks, what it takes on average."""
        found = []
        for name, rows in self._files.items():
            for task, count in Counter(row.task for row in rows).items():
                draws = round(self.weights[name] * count)
                found.append(DrawCount(name, task, self.weights[name], count, draws))
        return found


def _check_values(where: str, rows: Iterable[TrainingRow], instructions: Instructions) -> None:
    """A row without a value that one of its instructions names is an error, before anything is learnt."""
    needed = {task: frozenset().union(*map(places, lines)) for task, lines in instructions.items()}
    for row in rows:
        if missing := needed[row.task].difference(name for name, _ in row.values):
            raise InputError(
                f"{where}: a row of the task {row.task!r} needs values for {', '.join(sorted(missing))}"
            )


def _unknown(name: str, names: Sequence[str]) -> str:
    close = get_close_matches(name, names, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}"
    return f"the mix names {name}, which fits no training file; {hint}"


MAY_BE_RIGHT = ("fluency", "active", "impersonal", "commands", "no_slang", "no_cliches", "no_superlatives")
"""Tasks whose input may already be as it should."""
VERDICT_EMPHASIS = 30.0
"""How often the one word of a verdict counts: as often as the words of a sentence."""


@dataclass(frozen=True, slots=True)
class EditorData:
    """What the editor learns from: mixed training files, a dev set, and what was kept out."""

    mixture: Mixture
    dev: tuple[Conversation, ...]
    refused: Mapping[str, int]
    """Rows of each file that equal, or nearly equal, a test set's."""
    record: dict[str, Any]
    """What there was, for the record of the training."""
    emphasis: float
    copies: Mapping[str, int]
    """Rows of each file that change nothing, though their task asks for a change."""
    in_dev: Mapping[str, int]
    """Rows of each file that the dev set has."""

    def epoch(self, number: int) -> Iterable[Conversation]:
        """The conversations of an epoch."""
        for row, instruction in self.mixture.epoch(number):
            yield editing_conversation(row, instruction, self.emphasis)


def editing_conversation(row: TrainingRow, instruction: str, emphasis: float = 1.0) -> Conversation:
    """A row as the editor will be asked, and what it should answer."""
    said = fill_phrasing(instruction, dict(row.values))
    asked = editor_messages(said, row.input, row.documents)
    counts = VERDICT_EMPHASIS if row.task in VERDICTS else emphasis
    return Conversation((*asked, Message("assistant", row.target)), source=row.input, emphasis=counts)


def read_editor_data(
    files: Sequence[Path],
    weights: Mapping[str, float],
    instructions: Instructions,
    *,
    dev: Sequence[Path] = (),
    guard: Guard | None = None,
    emphasis: float = 1.0,
    seed: int = 0,
) -> EditorData:
    """Read the files, keep out what the guard refuses and what the dev set has, mix the rest.

    A row that changes nothing teaches only where nothing may be wrong: to fix errors, or to take out what
    may not be there. To simplify, reword or neutralise always asks for a change.
    """
    names = [stem_of(path) for path in files]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"two training files are called {twice}: rename one, since weights go by name")
    if not 0 < emphasis < math.inf:
        raise InputError(f"the emphasis must be above zero, not {emphasis}")
    held_out = [(path, row) for path in dev for row in read_some(path, read_rows, "row")]
    known = {row_key(row) for _, row in held_out}
    rows: dict[str, list[TrainingRow]] = {}
    in_dev: dict[str, int] = {}
    copies: dict[str, int] = {}
    refused: dict[str, int] = {}
    for path in files:
        every = read_some(path, read_rows, "row")
        found = [row for row in every if row.input != row.target or row.task in MAY_BE_RIGHT]
        clean = list(guard.filter(found)) if guard else found
        rows[stem_of(path)] = [row for row in clean if row_key(row) not in known] if known else clean
        copies[stem_of(path)] = len(every) - len(found)
        refused[stem_of(path)] = len(found) - len(clean)
        in_dev[stem_of(path)] = len(clean) - len(rows[stem_of(path)])
    mixture = Mixture(rows, weights, instructions, seed)
    counts = mixture.counts()
    if not any(count.draws for count in counts):
        raise InputError(
            "there is nothing to train on: every row is kept out (as the test sets' or the dev set's, or "
            "since it changes nothing), or has the weight 0"
        )
    draw = Random(f"{seed}/dev")
    asked = []
    for path, row in held_out:
        if not instructions.get(row.task):
            known_tasks = ", ".join(instructions)
            raise InputError(f"{path} has rows of the task {row.task!r}, but the tasks are {known_tasks}")
        asked.append(editing_conversation(row, draw.choice(instructions[row.task])))
    record = {
        "data": [
            {**entry, "weight": mixture.weights[stem_of(path)]}
            for path, entry in zip(files, fingerprints(files), strict=True)
        ],
        "counts": [asdict(count) for count in counts],
        "refused": refused,
        "guarded": guard is not None,
        "emphasis": emphasis,
        "instructions": {task: len(lines) for task, lines in instructions.items()},
    }
    drawn = {count.task for count in counts if count.draws}
    if learnt := [task for task in VERDICTS if task in drawn]:
        record["judges"] = learnt
    if dev:
        record["dev"] = fingerprints(dev)
        record["in_dev"] = in_dev
    return EditorData(mixture, tuple(asked), refused, record, emphasis, copies, in_dev)


def merge_instructions(*others: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The instructions of each task: ours, then those of other lists that are not among them."""
    found: dict[str, dict[str, None]] = {}
    ours: dict[str, Sequence[str]] = {task: parts["training"] for task, parts in read_phrasings().items()}
    verdicts: dict[str, Sequence[str]] = {task: (asked,) for task, asked in VERDICTS.items()}
    for each in (ours, verdicts, *others):
        for task, lines in each.items():
            found.setdefault(task, {}).update(dict.fromkeys(lines))
    return {task: tuple(lines) for task, lines in found.items()}
