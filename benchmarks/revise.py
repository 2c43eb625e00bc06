"""Revision, measured beside `redraft bench run constrev`: LaTeX that must compile, and what each way takes.

    python benchmarks/revise.py latex DATA [--effort low]
    python benchmarks/revise.py cost TEXT [--model SPEC]

DATA has a JSON object a line: id and text.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
from collections import Counter
from pathlib import Path

from redraft import Models, load_settings
from redraft.revision import EFFORTS, ENGINES, STRATEGIES, ReviseOptions, Switches, arevise, compile_latex
from redraft.text import mask


async def latex(options: argparse.Namespace) -> None:
    """Revise LaTeX paragraphs: are all commands, citations and formulas there, and does it still compile?"""
    settings = load_settings({"format": "latex"})
    intact = compiled = still = changed = 0
    lines = Path(options.data).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    engine = any(shutil.which(name) for name in ENGINES)
    async with Models(settings) as models:
        for row in rows:
            how = ReviseOptions("search", options.effort)
            found = await arevise(row["text"], "Improve this text.", models=models, options=how)
            changed += found.text != row["text"]
            before, after = (
                Counter(mask(row["text"], "latex").pieces),
                Counter(mask(found.text, "latex").pieces),
            )
            intact += before == after
            if before != after:
                print(row["id"], "lost", before - after, "new", after - before)
            if engine and compile_latex(row["text"]).ok:
                compiled += 1
                still += compile_latex(found.text, original=row["text"]).ok
    print(f"{len(rows)} paragraphs, {changed} changed, {intact} with all their mark-up")
    print(f"{still} of the {compiled} that compiled before compile after")


async def cost(options: argparse.Namespace) -> None:
    """Calls, tokens and seconds of every strategy, effort and ablation, on one text, with nothing cached."""
    text = Path(options.text).read_text(encoding="utf-8")
    words = len(text.split())
    asked = f"Improve this text. Use fewer than {words * 9 // 10} words, and fewer than 30 in every sentence."
    print(f"{words} words; {asked}")
    print("| how | calls | prompt tokens | completion tokens | seconds | constraints met | perplexity |")
    print("|---|---|---|---|---|---|---|")
    ways: list[tuple[str, ReviseOptions]] = [
        *((f"search, {effort}", ReviseOptions("search", effort)) for effort in EFFORTS),
        *((name, ReviseOptions(name)) for name in STRATEGIES if name != "search"),
        *(
            (
                f"search, low, without {name}",
                ReviseOptions("search", "low", switches=Switches(**{name: False})),
            )
            for name in ("plan", "feedback", "quality", "constraints", "preservation")
        ),
    ]
    for name, how in ways:
        settings = load_settings({"model": options.model, "cache": False})
        async with Models(settings) as models:
            found = await arevise(text, asked, models=models, options=how)
        usage, met = found.usage, sum(finding.met for finding in found.findings)
        after = found.after.perplexity if found.after else float("nan")
        tokens = f"{usage.prompt_tokens} | {usage.completion_tokens} | {usage.seconds:.0f}"
        print(
            f"| {name} | {usage.calls} | {tokens} | {met}/{len(found.findings)} | {after:.1f} |",
            flush=True,
        )


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("latex")
    one.add_argument("data")
    one.add_argument("--effort", default="low")
    two = commands.add_parser("cost")
    two.add_argument("text")
    two.add_argument("--model", default="embedded")
    options = parser.parse_args()
    asyncio.run({"latex": latex, "cost": cost}[options.command](options))


if __name__ == "__main__":
    main()
