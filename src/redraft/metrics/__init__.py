"""Reference-based scores of an edit: statistics first; score, interval and tests derived once for all."""

from redraft.metrics.base import Mean, Metric, Sample, Samples, Score, rows_of, sample_scores
from redraft.metrics.registry import load_metric, metrics
from redraft.metrics.scoring import NORMALISATIONS, score, score_of, score_samples
from redraft.metrics.significance import (
    Comparison,
    Estimate,
    approximate_randomisation,
    estimate,
    paired_bootstrap,
)
from redraft.metrics.similarity import TokenEmbedder, TokenSimilarity
from redraft.metrics.treebank import editeval_normalise

__all__ = [
    "NORMALISATIONS",
    "Comparison",
    "Estimate",
    "Mean",
    "Metric",
    "Sample",
    "Samples",
    "Score",
    "TokenEmbedder",
    "TokenSimilarity",
    "approximate_randomisation",
    "editeval_normalise",
    "estimate",
    "load_metric",
    "metrics",
    "paired_bootstrap",
    "rows_of",
    "sample_scores",
    "score",
    "score_of",
    "score_samples",
]
