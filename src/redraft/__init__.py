"""Revise text under constraints that can be checked.

>>> import redraft
>>> instruction = redraft.parse("At most 250 words, and never say 'synergy'. Make it friendlier.")
>>> [constraint.call for constraint in instruction.constraints]
['word_count_check(251, "less than")', 'keyword_keep_removal_check("synergy", "remove")']
>>> instruction.style
'Make it friendlier'
>>> redraft.check("Synergy is back.", instruction.constraints).met
False
"""

__version__ = "0.1.0"

from importlib import import_module
from typing import TYPE_CHECKING

from redraft.constraints import (
    Call,
    Conflict,
    Constraint,
    Finding,
    Findings,
    Instruction,
    Reading,
    infeasible,
    parse_call,
    render,
)
from redraft.constraints import check_constraints as check
from redraft.constraints import parse_instruction as parse
from redraft.errors import (
    BadAnswer,
    BudgetExceeded,
    CallError,
    ConnectionFailed,
    ContextOverflow,
    FileError,
    InfeasibleError,
    InputError,
    MaskError,
    MissingExtra,
    MissingKey,
    ModelError,
    RateLimited,
    RedraftError,
    SettingsError,
    UnknownModel,
    WeightsMissing,
)
from redraft.metrics import Metric, Score, score
from redraft.models import (
    Completion,
    Embedder,
    LogProbs,
    Message,
    Model,
    Models,
    Request,
    Scorer,
    TokenEmbeddings,
    Usage,
    ask,
)
from redraft.settings import Settings, load_settings
from redraft.text import Document, Entity, EntityFinder, Sentence, Span, align, diff_words, mask

if TYPE_CHECKING:
    from redraft.editor import Edit, Editor
    from redraft.quality import EmbeddedQuality, Quality, QualityScorer
else:
    _LATE = {
        **dict.fromkeys(("Edit", "Editor"), "redraft.editor"),
        **dict.fromkeys(("EmbeddedQuality", "Quality", "QualityScorer"), "redraft.quality"),
    }

    def __getattr__(name):
        """Import what takes a while once it is asked for."""
        if name in _LATE:
            return getattr(import_module(_LATE[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BadAnswer",
    "BudgetExceeded",
    "Call",
    "CallError",
    "Completion",
    "Conflict",
    "ConnectionFailed",
    "Constraint",
    "ContextOverflow",
    "Document",
    "Edit",
    "Editor",
    "EmbeddedQuality",
    "Embedder",
    "Entity",
    "EntityFinder",
    "FileError",
    "Finding",
    "Findings",
    "InfeasibleError",
    "InputError",
    "Instruction",
    "LogProbs",
    "MaskError",
    "Message",
    "Metric",
    "MissingExtra",
    "MissingKey",
    "Model",
    "ModelError",
    "Models",
    "Quality",
    "QualityScorer",
    "RateLimited",
    "Reading",
    "RedraftError",
    "Request",
    "Score",
    "Scorer",
    "Sentence",
    "Settings",
    "SettingsError",
    "Span",
    "TokenEmbeddings",
    "UnknownModel",
    "Usage",
    "WeightsMissing",
    "__version__",
    "align",
    "ask",
    "check",
    "diff_words",
    "infeasible",
    "load_settings",
    "mask",
    "parse",
    "parse_call",
    "render",
    "score",
]
