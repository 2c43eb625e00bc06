from .base import Meaning as Meaning, Quality as Quality, QualityScorer as QualityScorer
from .by_sentence import SentenceQuality as SentenceQuality, likelihoods as likelihoods
from .cues import listed as listed
from .embedded import CONTEXT as CONTEXT, EmbeddedQuality as EmbeddedQuality
from .grammar import (
    WEIGHTS as WEIGHTS,
    GrammarFinding as GrammarFinding,
    grammar_findings as grammar_findings,
    grammar_score as grammar_score,
    weight as weight,
)
from .meaning import meaning_changes as meaning_changes
from .names import kept_share as kept_share, name_changes as name_changes
from .providers import open_quality as open_quality
from .published.quality import TorchQuality as TorchQuality
from .scale import Scale as Scale, Scaled as Scaled
