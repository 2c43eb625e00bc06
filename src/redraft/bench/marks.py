"""The marks that a judge gave to the outputs of a run.

    DIR/judgements.jsonl   every judgement, one a line, append-only

run.json says whose count, and in what words the judge was asked: {"spec": "openai:MODEL", "prompts": {"edit":
"5f2c…"}, "agreement": {"edit": "not measured"}}, by task.
"""

from __future__ import annotations

from typing import Final

from redraft.judge import Judgement, read_judgements
from redraft.runs import RunDir

JUDGEMENTS: Final = "judgements.jsonl"


def read_marks(run: RunDir) -> dict[str, Judgement]:
    """What the judge of a run said of each output, by its key; nothing where none was named."""
    judge = run.facts().get("judge")
    if judge is None:
        return {}
    return {
        each.id: each
        for each in read_judgements(run.path / JUDGEMENTS)
        if each.error is None
        and each.judge == judge["spec"]
        and each.prompt_hash in judge["prompts"].values()
    }


def judge_of(run: RunDir, task: str) -> tuple[str, str] | None:
    """Whose marks count for a task, asked in what words; marks of different judges do not compare."""
    judge = run.facts().get("judge")
    return None if judge is None else (judge["spec"], judge["prompts"].get(task, ""))


def mark_of(judgement: Judgement) -> float:
    """The mark; the rubrics of a benchmark have one aspect."""
    (mark,) = judgement.marks.values()
    return float(mark)


def told_by(judgement: Judgement) -> str:
    """Who gave a mark, asked in what words, for a signature."""
    return f"{judgement.judge},prompt:{judgement.prompt_hash}"
