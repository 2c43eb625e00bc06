"""Hand-made runs: small enough to work out by head."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from redraft.runs.results import RunDir

Outputs = Mapping[tuple[str, int], str | None]
"""What a system gave for a sample of `jfleg` under a prompt; None where it failed."""

INPUTS = {"a": "He go home .", "b": "They was late .", "c": "It rain a lot .", "d": "She have two cat ."}
GOLD = {"a": "He goes home .", "b": "They were late .", "c": "It rains a lot .", "d": "She has two cats ."}
INSTRUCTIONS = ("Fix grammar errors", "Fix the grammar mistakes")


def score(value: float, margin: float = 1.0) -> dict[str, Any]:
    return {"score": value, "low": value - margin, "high": value + margin, "signature": "sari|test"}


def dataset(
    short: str, prompts: Sequence[Mapping[str, float]], *, planned: int = 4, failed: int = 0
) -> dict[str, Any]:
    """A data set's part of scores.json, from the scores of each prompt."""
    return {
        "abbreviation": short,
        "task": "fluency",
        "planned": planned,
        "scored": planned - failed,
        "failed": failed,
        "prompts": {
            str(number): {
                "instruction": INSTRUCTIONS[(number - 1) % 2],
                "scored": planned - failed,
                "scores": {metric: score(value) for metric, value in scores.items()},
            }
            for number, scores in enumerate(prompts, 1)
        },
    }


def scores(label: str, datasets: Mapping[str, Any]) -> dict[str, Any]:
    return {"benchmark": "editeval", "system": "model", "label": label, "datasets": dict(datasets)}


def record(name: str, prompt: int, output: str | None, **changed: Any) -> dict[str, Any]:
    return {
        "key": f"jfleg/{name}/{prompt}",
        "dataset": "jfleg",
        "id": name,
        "task": "fluency",
        "prompt": prompt,
        "instruction": INSTRUCTIONS[prompt - 1],
        "input": INPUTS[name],
        "references": [GOLD[name]],
        "documents": [],
        "output": output,
        "error": None if output is not None else "ConnectionFailed: timed out",
        "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 5, "seconds": 0.5, "cost": 0.0},
        **changed,
    }


def write_run(
    path: Path, label: str, records: Sequence[dict[str, Any]], datasets: Mapping[str, Any] | None = None
) -> RunDir:
    """A run's folder, with a score of 50 for every sample that did not fail."""
    run = RunDir(path)
    run.write("run.json", {"benchmark": "editeval", "system": "model", "models": {"model": "embedded"}})
    if datasets is None:
        datasets = {"jfleg": dataset("JFL", [{"sari": 40.0, "gleu": 50.0}])} if records else {}
    run.write("scores.json", scores(label, datasets))
    with run.samples.open("w", encoding="utf-8", errors="surrogatepass") as file:
        file.writelines(json.dumps(each) + "\n" for each in records)
    with (path / "sample_scores.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(
            json.dumps({"key": each["key"], "scores": {"sari": 50.0, "gleu": 40.0}}) + "\n"
            for each in records
            if each["output"] is not None
        )
    return run


def outputs(given: Outputs) -> list[dict[str, Any]]:
    return [record(name, prompt, output) for (name, prompt), output in given.items()]
