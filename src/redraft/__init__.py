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
