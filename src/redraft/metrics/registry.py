"""The metrics that are installed: ours and those of other packages.

A package adds a metric with an entry point in the group `redraft.metrics`: a class, or a function, that gives
a `Metric`; what stands after a colon in the name that is asked for (`lens:/models/lens`) is its argument.

    [project.entry-points."redraft.metrics"]
    fluency = "mypackage.fluency:Fluency"
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from redraft.errors import InputError
from redraft.metrics.base import Metric

GROUP = "redraft.metrics"

_OURS = {
    "em": "exact_match:exact_match",
    "em_diff": "exact_match:exact_match_of_edits",
    "em_diff_noop": "exact_match:exact_match_of_edits_or_none",
    "sari": "sari:Sari",
    "bleu": "bleu:Bleu",
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
    "compression": "lengths:compression",
    "edit_distance": "lengths:edit_distance",
    "reading_grade": "lengths:readability",
    "split": "changes:split",
    "deleted": "changes:deleted",
    "replaced": "changes:replaced",
    "added": "changes:added",
    "copied": "changes:copied",
    "difficult_words": "changes:difficult_words",
    "adherence": "adherence:Adherence",
    "all_met": "adherence:AllMet",
    "similarity": "similarity:embedded_similarity",
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
