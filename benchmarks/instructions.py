"""How well and how fast instructions are read: `python benchmarks/instructions.py FILE.jsonl [--strict]`.

A line of the file has an `instruction` and its gold `calls`, and maybe a `level`. Calls are compared as sets;
a bound that the instruction words inclusively ("no more than 35") may differ from the gold by one. Where a
row has `not_understood`, each of these phrases must be named by `redraft.understand`. A reading that no text
can meet beside the gold, or that differs from it in a word such as "none" and "use" alone, is backwards.
That the quotations stay as a part, and that they are preserved, are two calls for one demand.

`asked.jsonl`, `asked_more.jsonl` and `asked_unseen.jsonl` have a part `aside`, which is held out
(CONTRIBUTING.md).
With `--by-model` the embedded model reads what the rules leave, as it does for whoever revises.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import defaultdict
from pathlib import Path

from redraft import understand
from redraft.constraints import Constraint, infeasible, parse, parse_call
from redraft.revision import read_instruction
from redraft.settings import load_settings

_INCLUSIVE = re.compile(
    r"no (?:more|fewer|less|longer|shorter)|at (?:most|least)|not exceed|or (?:fewer|less|more)|up to|"
    r"maximum|minimum|limit|within",
    re.IGNORECASE,
)
_QUOTATIONS_STAY = {'parts_check(["quotations"], "unchange")', 'preserve_check("quotations")'}


def same(read: Constraint, gold: Constraint, inclusive: bool) -> bool:
    """Whether a constraint is the gold one, or one off where the wording allows it."""
    if read == gold or {read.call, gold.call} == _QUOTATIONS_STAY:
        return True
    numbers = [
        n for n in (getattr(c, "count", getattr(c, "length", None)) for c in (read, gold)) if n is not None
    ]
    return (
        inclusive
        and type(read) is type(gold)
        and len(numbers) == 2
        and abs(numbers[0] - numbers[1]) == 1
        and getattr(read, "relation", "") == getattr(gold, "relation", "")
    )


def is_backwards(read: Constraint, gold: list[Constraint]) -> bool:
    """Whether the contrary was read of what is asked for."""
    said = [value for value in vars(read).values() if isinstance(value, str)]
    for other in gold:
        if type(other) is type(read) and other != read:
            meant = [value for value in vars(other).values() if isinstance(value, str)]
            numbers = [value for value in vars(read).values() if not isinstance(value, str)]
            same_rest = numbers == [value for value in vars(other).values() if not isinstance(value, str)]
            if same_rest and said != meant:
                return True
    return infeasible([read, *gold]) is not None and infeasible(gold) is None


def is_named(phrase: str, named: list[str]) -> bool:
    """Whether most words of a phrase stand in one that is named."""
    words = set(re.findall(r"\w+", phrase.lower()))
    return any(2 * len(words & set(re.findall(r"\w+", one.lower()))) >= len(words) for one in named)


def main() -> None:
    """Print the rate of exact readings, F1 and speed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("path", type=Path)
    arguments.add_argument("--part", help="the rows of this part alone")
    arguments.add_argument("--by-model", action="store_true", help="with what the embedded model reads")
    arguments.add_argument("--strict", action="store_true", help="allow no bound to be one off")
    options = arguments.parse_args()
    rows = [
        json.loads(line) for line in options.path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    rows = [row for row in rows if options.part in (None, row.get("part"))]
    exact: dict[str, list[bool]] = defaultdict(list)
    named: list[bool] = []
    backwards = 0
    hits = given = wanted = 0
    settings = load_settings({"reading": "model" if options.by_model else "rules"})
    for row in rows:
        gold = [parse_call(call) for call in row["calls"]]
        instruction = read_instruction(row["instruction"], settings)
        read = list(instruction.constraints)
        inclusive = not options.strict and _INCLUSIVE.search(row["instruction"]) is not None
        matched = [any(same(one, other, inclusive) for other in gold) for one in read]
        found = [any(same(one, other, inclusive) for one in read) for other in gold]
        right = all(matched) and all(found)
        exact[str(row.get("level", "all"))].append(right)
        hits, given, wanted = hits + sum(matched), given + len(read), wanted + len(gold)
        backwards += any(is_backwards(one, gold) for one, hit in zip(read, matched, strict=True) if not hit)
        if row.get("not_understood"):
            told = [one.words for one in understand(instruction).not_understood]
            named += [is_named(phrase, told) for phrase in row["not_understood"]]
        if not right:
            print(
                f"FAIL {row['instruction']}\n  gold {[c.call for c in gold]}\n  read {[c.call for c in read]}"
            )
    for level, results in sorted(exact.items()):
        print(f"level {level}: {sum(results)}/{len(results)} exact")
    everything = [right for results in exact.values() for right in results]
    precision, recall = hits / max(given, 1), hits / max(wanted, 1)
    print(
        f"exact {sum(everything) / len(everything):.4f}  F1 {2 * hits / max(given + wanted, 1):.4f}", end="  "
    )
    print(f"precision {precision:.4f}  recall {recall:.4f}")
    print(f"{backwards} read backwards", end="  ")
    print(f"{sum(named)} of {len(named)} demands that are not understood named" if named else "")
    started = time.perf_counter()
    for row in rows:
        parse(row["instruction"])
    print(f"{len(rows) / (time.perf_counter() - started):.0f} instructions/s")


if __name__ == "__main__":
    main()
