"""Reference-free scores of a text: how fluent it is, how correct, and how true to its source."""

from redraft.quality.base import Meaning, Quality, QualityScorer
from redraft.quality.by_sentence import SentenceQuality
from redraft.quality.embedded import EmbeddedQuality
from redraft.quality.grammar import GrammarFinding, grammar_findings, grammar_score
from redraft.quality.meaning import meaning_changes
from redraft.quality.names import kept_share
from redraft.quality.providers import open_quality
from redraft.quality.published import TorchQuality
from redraft.quality.scale import Scale, Scaled

__all__ = [
    "EmbeddedQuality",
    "GrammarFinding",
    "Meaning",
    "Quality",
    "QualityScorer",
    "Scale",
    "Scaled",
    "SentenceQuality",
    "TorchQuality",
    "grammar_findings",
    "grammar_score",
    "kept_share",
    "meaning_changes",
    "open_quality",
]
