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

if TYPE_CHECKING:
    from redraft.composition.actions import Limits
    from redraft.composition.brief import Brief, read_brief
    from redraft.composition.composing import acompose, compose
    from redraft.composition.composition import Composition
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
    from redraft.editor import Edit, Editor
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
        WorkersLost,
    )
    from redraft.judge import Judgement, PairwiseJudge, PointwiseJudge, Rubric, load_rubric
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
    from redraft.quality import EmbeddedQuality, Quality, QualityScorer
    from redraft.revision.revising import arevise, revise
    from redraft.revision.revision import How, Revision
    from redraft.settings import Settings, load_settings
    from redraft.simplification.policies import load_policy
    from redraft.simplification.policy import Policy
    from redraft.simplification.simplification import Simplification
    from redraft.simplification.simplifying import asimplify, simplify
    from redraft.text import Document, Entity, EntityFinder, Sentence, Span, align, diff_words, mask

# Where each name lives: a module is imported when one of its names is first asked for, since together they
# take longer than most commands.
_HOMES = {
    "redraft.composition.actions": "Limits",
    "redraft.composition.brief": "Brief read_brief",
    "redraft.composition.composing": "acompose",
    "redraft.composition.composition": "Composition",
    "redraft.constraints": (
        "Call Conflict Constraint Finding Findings Instruction Reading infeasible parse_call render"
    ),
    "redraft.editor": "Edit Editor",
    "redraft.errors": (
        "BadAnswer BudgetExceeded CallError ConnectionFailed ContextOverflow FileError "
        "InfeasibleError InputError MaskError MissingExtra MissingKey ModelError RateLimited "
        "RedraftError SettingsError UnknownModel WeightsMissing WorkersLost"
    ),
    "redraft.judge": "Judgement PairwiseJudge PointwiseJudge Rubric load_rubric",
    "redraft.metrics": "Metric Score score",
    "redraft.models": (
        "Completion Embedder LogProbs Message Model Models Request Scorer TokenEmbeddings Usage ask"
    ),
    "redraft.quality": "EmbeddedQuality Quality QualityScorer",
    "redraft.revision.revising": "arevise",
    "redraft.revision.revision": "How Revision",
    "redraft.settings": "Settings load_settings",
    "redraft.simplification.policies": "load_policy",
    "redraft.simplification.policy": "Policy",
    "redraft.simplification.simplification": "Simplification",
    "redraft.simplification.simplifying": "asimplify",
    "redraft.text": "Document Entity EntityFinder Sentence Span align diff_words mask",
}
_LATE = {name: (module, name) for module, names in _HOMES.items() for name in names.split()} | {
    "check": ("redraft.constraints", "check_constraints"),
    "parse": ("redraft.constraints", "parse_instruction"),
}


if not TYPE_CHECKING:  # a checker should see the names above, and no others

    def __getattr__(name):
        """Import what a name stands for."""
        if name in ("compose", "revise", "simplify"):  # packages that can be called
            return import_module(f"redraft.{name}")
        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, own = _LATE[name]
        value = globals()[name] = getattr(import_module(module), own)
        return value


def __dir__() -> list[str]:
    """What can be had, for completion."""
    return __all__


__all__ = [
    "BadAnswer",
    "Brief",
    "BudgetExceeded",
    "Call",
    "CallError",
    "Completion",
    "Composition",
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
    "How",
    "InfeasibleError",
    "InputError",
    "Instruction",
    "Judgement",
    "Limits",
    "LogProbs",
    "MaskError",
    "Message",
    "Metric",
    "MissingExtra",
    "MissingKey",
    "Model",
    "ModelError",
    "Models",
    "PairwiseJudge",
    "PointwiseJudge",
    "Policy",
    "Quality",
    "QualityScorer",
    "RateLimited",
    "Reading",
    "RedraftError",
    "Request",
    "Revision",
    "Rubric",
    "Score",
    "Scorer",
    "Sentence",
    "Settings",
    "SettingsError",
    "Simplification",
    "Span",
    "TokenEmbeddings",
    "UnknownModel",
    "Usage",
    "WeightsMissing",
    "WorkersLost",
    "__version__",
    "acompose",
    "align",
    "arevise",
    "asimplify",
    "ask",
    "check",
    "compose",
    "diff_words",
    "infeasible",
    "load_policy",
    "load_rubric",
    "load_settings",
    "mask",
    "parse",
    "parse_call",
    "read_brief",
    "render",
    "revise",
    "score",
    "simplify",
]
