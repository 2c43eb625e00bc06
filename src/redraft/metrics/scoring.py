"""Scoring predictions with any metrics: what `redraft score` and `redraft.score` do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from redraft.errors import InputError
from redraft.metrics.base import Metric, Rows, Sample, Samples, Score
from redraft.metrics.registry import load_metric
from redraft.metrics.significance import RESAMPLES, SEED, estimate
from redraft.metrics.treebank import editeval_normalise

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
