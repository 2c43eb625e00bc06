"""The arms of `benchmarks/policies.py` beside the paper's: `python benchmarks/policy_report.py DIR`

reads DIR/scores.json, and writes DIR/report.md (a table for each set and policy, and what was published) and
DIR/curve-SET-POLICY.svg, the counterpart of Figure 3: SARI by the number of pairs. The paper draws its scores
and prints none, so what can stand beside ours are the gains over the untrained models that its text names.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redraft.bench import Curve, line_chart
from redraft.text import write_text

Rows = Mapping[str, Mapping[str, Any]]
"""What is known of arms, by their names."""

COLUMNS = ("split", "replaced", "deleted", "copied", "broken")
BASELINES = ("vanilla", "editor", "parallel")
"""Arms that are lines across the curves, by their names without the policy's."""
PUBLISHED = {
    "turk": ("SARI", {"Phi-3-mini-3.8B": 8.0, "Qwen2.5-7B": 5.8, "Llama-3.1-8B": 4.6, "Qwen2.5-14B": 5.4}),
    "asset": ("LENS", {"Phi-3-mini-3.8B": 2.7, "Qwen2.5-7B": 1.5, "Llama-3.1-8B": 4.3, "Qwen2.5-14B": 1.8}),
}
"""Section 4.4: what the paper's method gains over the untrained model, and in which metric."""


def main() -> None:
    """Write the report of a folder."""
    out = Path(sys.argv[1])
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    parts = []
    for name, found in scores.items():
        for policy in sorted({row["policy"] for row in found["arms"].values()}):
            own = {arm: row for arm, row in found["arms"].items() if row["policy"] == policy}
            parts.append(f"## {name}, policy {policy}, {found['sources']} sentences\n")
            parts.append(f"{table(own, found['compared'])}\n")
            if any(row["curve"] for row in own.values()):
                write_text(out / f"curve-{name}-{policy}.svg", drawn(name, policy, own))
                parts.append(f"![SARI by pairs](curve-{name}-{policy}.svg)\n")
        parts.append(published(name))
    write_text(out / "report.md", "\n".join(parts))
    print(out / "report.md")


def table(arms: Rows, compared: Rows) -> str:
    """The arms, the best first, with how far each is above others; what is beyond its interval is bold."""
    others = [other for other in arms if any(pair.endswith(f" - {other}") for pair in compared)]
    columns = [
        *("arm", "pairs", "SARI", "seeds"),
        *(f"{name} %" for name in COLUMNS),
        *(f"above {other}" for other in others),
    ]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for name, row in sorted(arms.items(), key=lambda entry: -entry[1]["sari"]):
        low, high = row["interval"]
        cells = [
            name,
            f"{row['limit']:,}" if row["limit"] else "",
            f"{row['sari']:.1f} [{low:.1f}, {high:.1f}]",
            ", ".join(f"{one:.1f}" for one in row["saris"]) if len(row["saris"]) > 1 else "",
            *(f"{row[each]:.1f}" if each in row else "" for each in COLUMNS),
            *(above(compared.get(f"{name} - {other}")) for other in others),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def above(difference: Mapping[str, Any] | None) -> str:
    """A paired difference with its interval."""
    if difference is None:
        return ""
    low, high = difference["interval"]
    said = f"{difference['difference']:+.1f}"
    return f"{f'**{said}**' if low > 0 or high < 0 else said} [{low:.1f}, {high:.1f}]"


def published(name: str) -> str:
    """What the paper gains where it measures on that set."""
    if name not in PUBLISHED:
        return ""
    metric, gains = PUBLISHED[name]
    said = ", ".join(f"{model} +{gain}" for model, gain in gains.items())
    return f"Published, the paper's method over the untrained model, {metric}: {said}.\n"


def drawn(name: str, policy: str, arms: Rows) -> str:
    """Figure 3 for one set and policy: a line an objective, and what is no matter of size, dashed."""
    sizes = sorted({row["limit"] for row in arms.values() if row["curve"]})
    curves = []
    for label in dict.fromkeys(row["curve"] for row in arms.values() if row["curve"]):
        own = sorted((row for row in arms.values() if row["curve"] == label), key=lambda row: row["limit"])
        spread = {row["limit"]: row["interval"] for row in own}
        curves.append(Curve(label, {row["limit"]: row["sari"] for row in own}, spread))
    for arm, row in arms.items():
        if (short := arm.removeprefix(f"{policy}-")) in BASELINES:
            across = dict.fromkeys((sizes[0], sizes[-1]), row["sari"])
            curves.append(Curve(short, across, is_baseline=True))
    caption = f"SARI on {name} by the number of pairs, policy {policy}; a bar is the 95 % interval."
    title = "Impact of the number of pairs"
    return line_chart(f"curve-{name}-{policy}", title, caption, ("pairs", "SARI"), curves).standalone()


if __name__ == "__main__":
    main()
