"""What a built benchmark holds and how it was made: the counts of Tables 10 and 11 of the paper, and more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from redraft import __version__
from redraft.bench.constrev.building.recipe import ConsTRevRecipe, Selection
from redraft.bench.constrev.building.rendering import TEMPLATES
from redraft.constraints import CONVENTIONS, GROUPS, KINDS, check, read
from redraft.runs import Record, in_words, markdown_table
from redraft.text import markdown_code, markdown_text

Data = dict[str, Any]

_TRAINED: Final = (
    "The editor that ships with redraft learnt from OneStopEnglish and from errors made in open texts (its "
    "model card names them); a text that it may have seen is left out only if `--exclude` names it."
)


def card(
    recipe: ConsTRevRecipe,
    selection: Selection,
    records: Sequence[Record],
    rejected: Sequence[Record],
    used: Mapping[str, int],
    unused: Mapping[str, int],
    command: str,
) -> Data:
    """The card as plain data."""
    return {
        "benchmark": "constrev",
        "records": len(records),
        "recipe": recipe.facts(),
        "command": command,
        "versions": {"redraft": __version__},
        "sources": {
            "usable": len(selection.texts),
            "left_out": selection.left_out,
            "excluding": list(selection.excluding),
            "training": _TRAINED,
        },
        "revisions_not_used": dict(sorted(unused.items())),
        "texts": {"different": len(used), "by_times_used": _counted(used.values())},
        "levels": {name: _level(found) for name, found in _by_level(records).items()},
        "kinds": _kinds(records),
        "domains": _counted(record["domain"] for record in records),
        "licences": _counted(record["source"]["licence"] for record in records),
        "renderers": _counted(record["renderer"] for record in records),
        "rejections": _rejections(records, rejected),
    }


def _counted(values: Any) -> dict[str, int]:
    return {str(name): count for name, count in sorted(Counter(values).items())}


def _by_level(records: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record["id"].rpartition("-")[0], []).append(record)
    return found


def _level(records: Sequence[Record]) -> Data:
    kinds = Counter(kind for record in records for kind in record["kinds"])
    readings = [[read(record["text"], counting) for counting in CONVENTIONS] for record in records]
    return {
        "texts": len(records),
        "sentences": {
            name: sum(len(reading[place].sentences) for reading in readings)
            for place, name in enumerate(CONVENTIONS)
        },
        "tokens": {
            name: sum(reading[place].words for reading in readings) for place, name in enumerate(CONVENTIONS)
        },
        "kinds": {name: kinds[name] for name in KINDS if kinds[name]},
        "groups": {
            group: count
            for group in GROUPS
            if (count := sum(kinds[kind.name] for kind in KINDS.values() if kind.group == group))
        },
        "domains": _counted(record["domain"] for record in records),
    }


def calls_by_kind(record: Record) -> Iterator[tuple[str, list[str]]]:
    """The calls of a record, kind by kind; a range is two of them."""
    left = iter(record["calls"])
    for kind in record["kinds"]:
        yield kind, list(islice(left, 2 if kind == "words_between" else 1))


def _kinds(records: Sequence[Record]) -> Data:
    """How often each kind occurs, and how often the source already obeys."""
    counts: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for record in records:
        for kind, calls in calls_by_kind(record):
            counts[kind] += 1
            for counting in CONVENTIONS:
                text = record["text"]
                met[kind, counting] += check(text, calls, original=text, counting=counting).met
    return {
        name: {
            "count": counts[name],
            "group": kind.group,
            "met_by_source": {
                counting: round(met[name, counting] / counts[name], 3) if counts[name] else None
                for counting in CONVENTIONS
            },
        }
        for name, kind in KINDS.items()
    }


def _rejections(records: Sequence[Record], rejected: Sequence[Record]) -> Data:
    """Of each renderer: how many renderings were made, how many were rejected, and why."""
    kept = Counter(record["renderer"] for record in records)
    kept[TEMPLATES] = len(records)  # every record has a rendering of ours, the draft of a model's
    found: Data = {}
    for by in sorted({*kept, *(one["by"] for one in rejected)}):
        reasons = Counter(one["reason"].split(" ")[0] for one in rejected if one["by"] == by)
        made = kept[by] + reasons.total()
        found[by] = {
            "made": made,
            "rejected": reasons.total(),
            "rate": round(reasons.total() / made, 4) if made else 0.0,
            "reasons": dict(sorted(reasons.items())),
        }
    return found


def page(data: Data) -> str:
    """The card as Markdown."""
    recipe, sources = data["recipe"], data["sources"]
    parts = [
        f"# ConsTRev, built: {data['records']} records",
        f"Built by redraft {data['versions']['redraft']}; the same command gives the same records, byte for "
        "byte, as long as its models give the same answers.",
        markdown_code(data["command"]),
        markdown_table(["setting", "value"], [[name, in_words(value)] for name, value in recipe.items()]),
        "## Texts",
        f"{sources['usable']} texts could be used; left out: {in_words(sources['left_out']) or 'none'}. "
        + (
            f"Texts in {markdown_text(', '.join(sources['excluding']))} were excluded. "
            if sources["excluding"]
            else "No texts were excluded. "
        )
        + sources["training"],
        f"{data['texts']['different']} different texts are used; by how many times: "
        f"{in_words(data['texts']['by_times_used'])} (times: texts). At one level, or for one group, a text "
        "is used once. Revisions that could be no witness: "
        f"{in_words(data['revisions_not_used']) or 'none'}.",
        _levels_table(data["levels"]),
        markdown_table(["domain", "records"], _rows(data["domains"])),
        markdown_table(["licence", "records"], _rows(data["licences"])),
        "## Constraints",
        "Each record keeps a witness: a text that meets every call of it under both counting conventions. "
        "The last two columns say how often the source itself already does.",
        _kinds_table(data),
        "## Instructions",
        markdown_table(["renderer", "records"], _rows(data["renderers"])),
        "Renderings that did not say what the calls say, or were not an instruction alone:",
        markdown_table(
            ["renderer", "made", "rejected", "rate", "reasons"],
            [
                [by, found["made"], found["rejected"], f"{found['rate']:.1%}", in_words(found["reasons"])]
                for by, found in data["rejections"].items()
            ],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _levels_table(levels: Mapping[str, Data]) -> str:
    counted = [(what, counting) for what in ("sentences", "tokens") for counting in CONVENTIONS]
    header = ["", "texts", *(f"{what} ({counting})" for what, counting in counted)]
    rows = [
        [name, one["texts"], *(one[what][counting] for what, counting in counted)]
        for name, one in levels.items()
    ]
    return markdown_table(header, rows)


def _kinds_table(data: Data) -> str:
    levels = data["levels"]
    header = ["group", "kind", *levels, "all", *(f"met by source ({name})" for name in CONVENTIONS)]
    rows = []
    for name, kind in data["kinds"].items():
        met = [kind["met_by_source"][counting] for counting in CONVENTIONS]
        shares = ["" if share is None else f"{share:.0%}" for share in met]
        counts = [level["kinds"].get(name, 0) for level in levels.values()]
        rows.append([kind["group"], name, *counts, kind["count"], *shares])
    return markdown_table(header, rows)


def _rows(counts: Mapping[str, int]) -> list[list[Any]]:
    return [[name, count] for name, count in counts.items()]
