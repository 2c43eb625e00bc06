"""What is measured on each output of a run by models, once, and what the scores make of it.

    DIR/measures.jsonl   one measured output a line, append-only, as DIR/samples.jsonl is

A record: {"key": "L1/L1-003/1#5f2c…", "measures": {"perplexity": 20.1, …}, "rounds": [{…}], "error": null}.
The key holds a hash of what was measured and by what: an output that has changed is measured again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from redraft.errors import InputError
from redraft.judge import Judgement, read_judgements, short_hash
from redraft.metrics import (
    BLOCK,
    Metric,
    Need,
    Rows,
    Sample as Scored,
    batched,
    load_metric,
    make_signature,
    ratio,
)
from redraft.models import Models
from redraft.quality import Quality, QualityScorer, Scale, open_quality
from redraft.revision import compile_latex, keyword_preservation
from redraft.runs import Answer, Job, Record, Results, RunDir
from redraft.text import Format

MEASURES: Final = "measures.jsonl"
LATEX: Final = ("keywords", "compile_errors")
"""The measures of a text in LaTeX alone."""
QUALITY: Final = (
    *("quality", "perplexity", "grammar", "some", "likelihood", "meaning", "entities"),
    *LATEX,
)
"""The measures of a text's quality: `quality` is the mean of three on their scale (the paper's R_g, in per
cent), `grammar` errors per 100 words, `entities` and `keywords` the shares of names and of LaTeX kept,
`compile_errors` what a TeX engine finds wrong, where one is installed (Table 8)."""
CHANGED: Final = ("perplexity", "grammar")
"""Those of them that the source has too: their mean comes with how far it is from the sources'."""
PLANNING: Final = ("tool_f1", "tool_exact", "check_f1")
"""How well a planner chose its tools, in per cent."""
JUDGE: Final = "judge"
"""The mark of a judge, from 1 to 10."""
WRITING: Final = ("length", "within", "repeated", "empty")
"""What is seen of a text that was written: its length in per cent of what was asked for; then, in per cent of
texts or of the text, how many are within a fifth of that, how much it repeats, how many are empty."""
DYNAMICS: Final = (
    *("success", "efficiency", "refinements_per_section", "reviews_per_section"),
    *("failures", "outline", "steps"),
)
"""How the writing of a piece went, as `redraft.composition.dynamics` names it."""
MEASURED: Final = frozenset({*QUALITY, *PLANNING, JUDGE, *WRITING, *DYNAMICS})


@dataclass(frozen=True)
class Measured:
    """A metric that is the mean of one measure; `by` says who measured it.

    A sample without the measure, or with an infinite one, has an empty row, and is to be left out.
    """

    name: str
    by: str = ""

    needs: ClassVar[frozenset[Need]] = frozenset()

    @property
    def components(self) -> tuple[str, ...]:
        return ("change",) if self.name in CHANGED else ()

    @property
    def signature(self) -> str:
        return make_signature(self.name, "avg:samples", *([f"by:{self.by}"] if self.by else []))

    def statistics(self, samples: Iterable[Scored]) -> Iterator[Rows]:
        for block in batched(samples, BLOCK):
            yield np.array([self._row(sample) for sample in block])

    def _row(self, sample: Scored) -> tuple[float, ...]:
        value = sample.measures.get(self.name)
        if self.name not in CHANGED:
            return _row(value)
        before = sample.measures.get(f"{self.name}_before")
        return *_row(value), *_row(None if value is None or before is None else value - before)

    def score(self, sums: Rows) -> Rows:
        return ratio(sums[..., ::2], sums[..., 1::2])

    def sample_scores(self, rows: Rows) -> Rows:
        """The measure of each sample; NaN where there is none."""
        return np.where(rows[:, 1] > 0, rows[:, 0], np.nan)


def _row(value: float | None) -> tuple[float, float]:
    return (value, 1.0) if value is not None and math.isfinite(value) else (0.0, 0.0)


def known_rows(rows: Rows) -> Rows:
    """The rows that say something."""
    return rows[rows.any(axis=1)]


def metric_of(name: str, by: str = "") -> Metric:
    """A metric of a data set: the mean of a measure, or one that is installed."""
    return Measured(name, by if name in (*QUALITY, JUDGE) else "") if name in MEASURED else load_metric(name)


def measure_key(record: Record, by: str) -> str:
    """What names the measures of an output."""
    texts = (record["input"], record["output"], *record.get("rounds", ()))
    return f"{record['key']}#{by}-{short_hash(*texts)[:12]}"


def measuring_jobs(records: Iterable[Record], formats: Mapping[str, Format], by: str) -> Iterator[Job]:
    """The work of measuring the outputs of a run; `formats` has the mark-up of the data sets to measure."""
    for record in records:
        if record["output"] is not None and record["dataset"] in formats:
            texts = (record["output"], *record.get("rounds", ()))
            step = MeasureOutput(record["input"], texts, formats[record["dataset"]])
            yield Job(measure_key(record, by), step, {})


@dataclass(frozen=True, slots=True)
class MeasureOutput:
    """Measure an output against its input, and so the text after each round."""

    source: str
    texts: tuple[str, ...]
    format: Format

    async def do(self, models: Models) -> Answer:
        """The measures."""
        source, format = self.source, self.format
        scorer: QualityScorer = open_quality(models, format=format)
        own, *found = await scorer.score([source, *self.texts], [source] * (len(self.texts) + 1))
        scale = Scale(own)
        first, *rounds = (
            _measures(quality, own, scale, source, text, format)
            for quality, text in zip(found, self.texts, strict=True)
        )
        if format == "latex":
            first["compile_errors"] = await asyncio.to_thread(_compile_errors, source, self.texts[0])
        return Answer({"measures": first, **({"rounds": rounds} if rounds else {})})


def _measures(
    quality: Quality, own: Quality, scale: Scale, source: str, text: str, format: Format
) -> dict[str, Any]:
    known, before = quality.to_dict(), own.to_dict()
    return {
        "quality": 100 * scale.of(quality).mean,
        **{name: known[name] for name in ("perplexity", "grammar", "some", "likelihood", "entities")},
        **{f"{name}_before": before[name] for name in CHANGED},
        "meaning": None if quality.meaning is None else quality.meaning.similarity,
        "keywords": keyword_preservation(source, text, format) if format == "latex" else None,
    }


def _compile_errors(source: str, text: str) -> int | None:
    """How many errors a text has that is set where its source was; None where no engine is installed."""
    try:
        return len(compile_latex(text, original=source).errors)
    except InputError:
        return None


def read_measures(run: RunDir, by: str) -> dict[str, Record]:
    """What was measured of each item of a run, by the item's key: records with `measures` and `rounds`."""
    known = {
        record["key"]: record for record in Results(run.path / MEASURES).records() if not record["error"]
    }
    found = {}
    for key, record in run.latest().items():
        if record["output"] is not None and (measured := known.get(measure_key(record, by))):
            found[key] = measured
    return found


JUDGEMENTS: Final = "judgements.jsonl"


def read_judge_scores(run: RunDir) -> dict[str, Judgement]:
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


def judge_score(judgement: Judgement) -> float:
    """The mark; the rubrics of a benchmark have one aspect."""
    (mark,) = judgement.marks.values()
    return float(mark)


def judge_signature(judgement: Judgement) -> str:
    """Who gave a mark, asked in what words, for a signature."""
    return f"{judgement.judge},prompt:{judgement.prompt_hash}"
