"""Scoring predictions, and the metrics that can be asked for: ours and those of other packages.

A package adds a metric with an entry point in the group `redraft.metrics`: a class, or a function, that gives
a `Metric`; what stands after a colon in the name that is asked for (`lens:/models/lens`) is its argument.

    [project.entry-points."redraft.metrics"]
    fluency = "mypackage.fluency:Fluency"
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from redraft.errors import InputError
from redraft.metrics.base import Metric, Rows, Sample, Samples, Score
from redraft.metrics.significance import RESAMPLES, SEED, estimate
from redraft.metrics.tokens import editeval_normalise

GROUP = "redraft.metrics"

_OURS = {
    "em": "exact_match:exact_match",
    "em_diff": "exact_match:exact_match_of_edits",
    "em_diff_noop": "exact_match:exact_match_of_edits_or_none",
    "sari": "sari:Sari",
    "bleu": "bleu:bleu",
    "ibleu": "bleu:IBleu",
    "ibleu_sacrebleu": "bleu:IBleuSacrebleu",
    "gleu": "gleu:Gleu",
    "gleu_mean": "gleu:GleuMean",
    "rouge1": "rouge:rouge1",
    "rouge2": "rouge:rouge2",
    "rougeL": "rouge:rouge_l",
    "rougeLsum": "rouge:rouge_lsum",
    "update_rouge1": "rouge:update_rouge1",
    "update_rouge2": "rouge:update_rouge2",
    "update_rougeL": "rouge:update_rouge_l",
    "compression": "changes:compression",
    "edit_distance": "changes:edit_distance",
    "reading_grade": "changes:readability",
    "split": "changes:split",
    "deleted": "changes:deleted",
    "replaced": "changes:replaced",
    "added": "changes:added",
    "copied": "changes:copied",
    "difficult_words": "changes:difficult_words",
    "adherence": "adherence:Adherence",
    "all_met": "adherence:AllMet",
    "similarity": "learned:embedded_similarity",
    "bertscore": "learned:BertScore",
    "lens": "learned:Lens",
    "lens_salsa": "learned:LensSalsa",
}


@lru_cache(maxsize=1)
def metrics() -> Mapping[str, EntryPoint]:
    """Every installed metric by name; another package may add one, never replace one of ours."""
    ours = (EntryPoint(name, f"redraft.metrics.{place}", GROUP) for name, place in _OURS.items())
    return {entry.name: entry for entry in (*entry_points(group=GROUP), *ours)}


def load_metric(asked: str, counting: str = "default") -> Metric:
    """The metric that is asked for by name, with its argument after a colon.

    One with a parameter `counting` is told how words and sentences are counted.

    >>> load_metric("rouge1:stem").name
    'rouge1:stem'
    """
    name, _, argument = asked.partition(":")
    entry = metrics().get(name)
    if entry is None:
        raise InputError(f'there is no metric "{name}"; there are: {", ".join(sorted(metrics()))}')
    try:
        make: Callable[..., Metric] = entry.load()
    except Exception as error:  # whatever another package raises, the user must know whose it is
        raise InputError(f'the metric "{name}" ({entry.value}) could not be loaded: {error}') from error
    parameters = inspect.signature(make).parameters
    if argument and not parameters:
        raise InputError(f'the metric "{name}" takes no argument, but was asked for as "{asked}"')
    options = {"counting": counting} if "counting" in parameters else {}
    return make(*([argument] if argument else []), **options)


Normalise = Callable[[str], str]

NORMALISATIONS: Mapping[str, Normalise] = {"none": lambda text: text, "editeval": editeval_normalise}


def score(
    metrics: str | Metric | Iterable[str | Metric],
    sources: Sequence[str] | None = None,
    predictions: Sequence[str] = (),
    references: Sequence[str | Sequence[str]] | None = None,
    *,
    calls: Sequence[Sequence[str]] | None = None,
    counting: str = "default",
    normalisation: str = "none",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[str, Score]:
    """Score predictions: for each metric, by its name, the score with interval, components and signature.

    `references` has one text or several for each prediction, `calls` the constraints it was to meet, whose
    words and sentences are counted as `counting` says. Texts are scored as they are, or as EditEval compares
    them (`normalisation="editeval"`).

    >>> score("em", predictions=["a", "b"], references=[["a", "c"], ["c"]], resamples=0)["em"].value
    50.0
    """
    chosen = [metrics] if isinstance(metrics, str) or not isinstance(metrics, Iterable) else metrics
    loaded = [load_metric(metric, counting) if isinstance(metric, str) else metric for metric in chosen]
    given = {"source": sources, "references": references, "calls": calls}
    for metric in loaded:
        missing = sorted(need for need in metric.needs if given[need] is None)
        if missing:
            raise InputError(f"{metric.name} needs the {' and the '.join(missing)} of each prediction")
    if normalisation not in NORMALISATIONS:
        raise InputError(f'unknown normalisation "{normalisation}"; use {" or ".join(NORMALISATIONS)}')
    samples = Columns.of(predictions, sources, references, calls, NORMALISATIONS[normalisation])
    scores = score_samples(loaded, samples, resamples=resamples, seed=seed)
    about = f"|refs:{samples.reference_range}|norm:{normalisation}"
    return {name: replace(found, signature=found.signature + about) for name, found in scores.items()}


def score_samples(
    metrics: Iterable[Metric], samples: Samples, *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[str, Score]:
    """Score samples, going through them once for each metric; with `resamples` 0, without intervals."""
    if not len(samples):
        raise InputError("there is nothing to score: no predictions")
    return {metric.name: score_of(metric, samples, resamples=resamples, seed=seed) for metric in metrics}


def score_of(
    metric: Metric, samples: Samples | Rows, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Score:
    """The score of samples by one metric, from the samples or from their statistics."""
    found = estimate(metric, samples, resamples=resamples, seed=seed)
    value, *components = (float(number) for number in found.value)
    return Score(
        name=metric.name,
        value=value,
        signature=metric.signature,
        n=len(samples),
        interval=found.interval if resamples else None,
        components=dict(zip(metric.components, components, strict=True)),
    )


@dataclass(frozen=True)
class Columns:
    """Samples made from columns as they are asked for, so that nothing is held twice."""

    predictions: Sequence[str]
    sources: Sequence[str] | None
    references: Sequence[str | Sequence[str]] | None
    calls: Sequence[Sequence[str]] | None
    normalise: Normalise

    @classmethod
    def of(
        cls,
        predictions: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str | Sequence[str]] | None,
        calls: Sequence[Sequence[str]] | None,
        normalise: Normalise,
    ) -> Columns:
        """The columns, once they fit together."""
        for name, column in (("sources", sources), ("references", references), ("calls", calls)):
            if column is not None and len(column) != len(predictions):
                raise InputError(f"there are {len(predictions)} predictions, but {len(column)} {name}")
        for number, texts in enumerate(references or (), start=1):
            if not isinstance(texts, str) and not len(texts):
                raise InputError(f"sample {number} has no reference")
            _check_texts("reference", number, [texts] if isinstance(texts, str) else texts)
        for number, prediction in enumerate(predictions, start=1):
            _check_texts("prediction", number, [prediction])
        for number, source in enumerate(sources or (), start=1):
            _check_texts("source", number, [source])
        return cls(predictions, sources, references, calls, normalise)

    def __len__(self) -> int:
        return len(self.predictions)

    @property
    def reference_range(self) -> str:
        """How many references a prediction has: `10`, or `1-4` where they differ."""
        many = {1 if isinstance(texts, str) else len(texts) for texts in self.references or ()} or {0}
        return "-".join(str(number) for number in sorted({min(many), max(many)}))

    def __iter__(self) -> Iterator[Sample]:
        clean = self.normalise
        for at, prediction in enumerate(self.predictions):
            texts = self.references[at] if self.references is not None else ()
            yield Sample(
                source=clean(self.sources[at]) if self.sources is not None else "",
                prediction=clean(prediction),
                references=tuple(clean(text) for text in ((texts,) if isinstance(texts, str) else texts)),
                calls=tuple(self.calls[at]) if self.calls is not None else (),
            )


def _check_texts(what: str, number: int, texts: Iterable[object]) -> None:
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"the {what} of sample {number} is no text but {text!r}")
