"""Judges of simplifications: a model asked, a rubric counted, or a score; and how two of them differ."""

from redraft.simplification.judging.agreement import AgreementJudge
from redraft.simplification.judging.asked import AskedJudge
from redraft.simplification.judging.comparing import (
    Difference,
    Distribution,
    SystemShare,
    compare_judges,
    compare_rounds,
    distribution,
)
from redraft.simplification.judging.metric import MetricJudge
from redraft.simplification.judging.opening import check_judge, open_judge
from redraft.simplification.judging.rubric import RubricJudge

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
