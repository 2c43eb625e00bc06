"""Judges of simplifications: a model asked, a rubric counted, or a score; and how two of them differ."""

from redraft.simplify.judging.agreement import AgreementJudge
from redraft.simplify.judging.asked import AskedJudge
from redraft.simplify.judging.comparing import (
    Difference,
    Distribution,
    SystemShare,
    compare_judges,
    compare_rounds,
    distribution,
)
from redraft.simplify.judging.metric import MetricJudge
from redraft.simplify.judging.opening import check_judge, open_judge
from redraft.simplify.judging.rubric import RubricJudge

__all__ = [
    "AgreementJudge",
    "AskedJudge",
    "Difference",
    "Distribution",
    "MetricJudge",
    "RubricJudge",
    "SystemShare",
    "check_judge",
    "compare_judges",
    "compare_rounds",
    "distribution",
    "open_judge",
]
