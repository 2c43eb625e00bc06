"""What was built, of what, by whom, and what was left out: as data, and as a page to publish with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from redraft import __version__
from redraft.bench.c3e.building.sources import Dropped, Sources
from redraft.runs import Record, in_words, markdown_table
from redraft.text import markdown_text

Data = dict[str, Any]

_MARKS: Final = ("1", "2", "3", "4", "5")
_PUBLISHED: Final = 0.105
"""The share of references that the paper's models replaced (§4.2)."""
_LICENCES: Final = (
    "The records hold the source texts, whole and in parts: whoever built them must have the right to use "
    "and to pass on these texts. Nothing here says that they have."
)
_LIMITS: Final = (
    "Genres, marks, instructions, spans and critiques are a model's, and were checked by rule alone: lengths "
    "are counted, spans stand in their texts word for word, no instruction or critique quotes a run of eight "
    "words (in Chinese, twelve characters), no critique speaks of another text. Rules and one model looked "
    "for personal data. No person has read the records; do so before you publish them, and leave out "
    "`work/` and `dropped.jsonl`, which hold what was left out, and why."
)


def card(
    recipe: Record,
    sources: Sources,
    records: Sequence[Record],
    dropped: Sequence[Dropped],
    failed: Sequence[Dropped],
    marks: Mapping[str, Record],
    references: Record,
) -> Data:
    """The card as plain data."""
    share = references["replaced"] / references["compared"] if references["compared"] else None
    return {
        "benchmark": "c3e",
        "records": len(records),
        "recipe": recipe,
        "versions": {"redraft": __version__},
        "texts": {"usable": len(sources.usable), "left_out": len(sources.dropped)},
        "tasks": _counted(record["task_type"] for record in records),
        "genres": _by_genre(records),
        "marks": _distribution(marks),
        "fallback_spans": sum(bool(record["meta"].get("fallback")) for record in records),
        "references": {**references, "share": share, "published_share": _PUBLISHED},
        "dropped": _reasons(dropped),
        "failed": _counted(one.step for one in failed),
        "licences": _LICENCES,
        "limits": _LIMITS,
    }


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _by_genre(records: Sequence[Record]) -> dict[str, dict[str, int]]:
    genres = sorted({record["sub_task"] for record in records})
    return {
        genre: _counted(record["task_type"] for record in records if record["sub_task"] == genre)
        for genre in genres
    }


def _distribution(marks: Mapping[str, Record]) -> dict[str, dict[str, int]]:
    """How many texts of a genre have which overall mark (as in Table 5 of the paper)."""
    found: dict[str, Counter[str]] = {}
    for one in marks.values():
        found.setdefault(one["genre"], Counter())[str(one["marks"]["overall"])] += 1
    return {genre: {mark: counts[mark] for mark in _MARKS} for genre, counts in sorted(found.items())}


def _reasons(dropped: Sequence[Dropped]) -> dict[str, dict[str, int]]:
    steps = dict.fromkeys(one.step for one in dropped)
    return {
        step: _counted(one.reason.partition(":")[0] for one in dropped if one.step == step) for step in steps
    }


def page(data: Data) -> str:
    """The card as Markdown."""
    recipe, references = data["recipe"], data["references"]
    tasks = list(data["tasks"])
    share = "" if references["share"] is None else f" ({references['share']:.1%} of those that were compared)"
    parts = [
        f"# A C3EBench of our own: {data['records']:,} records",
        f"Built from {data['texts']['usable']:,} texts by reverse construction (the RAVEL paper, §4.2); "
        f"{data['texts']['left_out']:,} others were of no use. Language: {recipe['lang']}. A record has "
        "`infer_id`, `task_type`, `sub_task`, `instruction`, `input`, `reference` and `meta`.",
        markdown_table(
            ["role", "model"], [[name, in_words(recipe[name])] for name in ("model", "judge", "writers")]
        ),
        "## Records by genre and task",
        markdown_table(
            ["genre", *tasks],
            [[genre, *(counts.get(task, 0) for task in tasks)] for genre, counts in data["genres"].items()],
        ),
        "## Marks of the texts",
        "Texts by genre and overall mark; those below 4 were left out.",
        markdown_table(
            ["genre", *_MARKS],
            [[genre, *counts.values()] for genre, counts in data["marks"].items()],
        ),
        "## Spans and references",
        "Spans that the model did not find, so that paragraphs about the middle were taken: "
        f"{data['fallback_spans']:,}.",
        f"References replaced by an answer that won in both orders: {references['replaced']:,}{share}; "
        f"in the paper, {references['published_share']:.1%}."
        if recipe["writers"]
        else "No writers were given, so that every reference is the source's own.",
        "## Left out",
        markdown_table(
            ["step", "reason", "count"],
            [
                [step, reason, count]
                for step, reasons in data["dropped"].items()
                for reason, count in reasons.items()
            ],
        )
        + "\n\nEach is in `dropped.jsonl`.",
        f"Failed, to be tried again by `--resume`: {markdown_text(in_words(data['failed'])) or 'none'}.",
        "## Licences",
        data["licences"],
        "## Limits",
        data["limits"],
        "Made with " + in_words(data["versions"]) + ".",
    ]
    return "\n\n".join(parts) + "\n"
