"""What ships, as it ships: `redraft simplify` on Turk and ASSET, `redraft revise` on all of EditEval.

    python benchmarks/shipped.py DATA/editeval --out DIR [--limit 5] [--part revise]

Embedded, on the CPU, everything at its default. The parts are runs of `redraft bench run`, one after the
other, in DIR/PART; given again, the same command goes on at the first sample that is missing, whatever
stopped it. At the end, and whenever there is nothing left to do, it prints the scores.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from redraft.cli import app

EIGHT = "jfleg iterater_fluency iterater_clarity iterater_coherence stsb_multi_mt turk asset wnc"
PARTS = {
    "simplify-turk": ("simplify:lexical", "turk"),
    "simplify-asset": ("simplify:rewrite", "asset"),
    "revise": ("revise", EIGHT),
}


def main() -> None:
    """Run what is left, and print what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="EditEval's test sets, as JSONL")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="samples of each set, for a trial")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    scores = {}
    for part in options.part:
        system, sets = PARTS[part]
        data = options.out / "data" / part
        data.mkdir(parents=True, exist_ok=True)
        for name in sets.split():
            link = data / f"{name}.jsonl"
            if not link.exists():
                link.symlink_to((options.data / link.name).resolve(strict=True))
        words = ["bench", "run", "editeval", "--data", str(data), "--system", system, "--resume"]
        words += ["--out", str(options.out / part)]
        words += ["--limit", str(options.limit)] if options.limit else []
        if status := app(words, standalone_mode=False):
            sys.exit(status)
        found = json.loads((options.out / part / "scores.json").read_text(encoding="utf-8"))
        scores[part] = found
    for part, found in scores.items():
        print(part, json.dumps(found, ensure_ascii=False)[:4000])


if __name__ == "__main__":
    main()
