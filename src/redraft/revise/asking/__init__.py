"""The parts of a revision that ask a model: planner, reviser, feedback, and the baselines."""

from redraft.revise.asking.baselines import BASELINES, Baseline, run_baseline
from redraft.revise.asking.feedback import ASPECTS, model_feedback
from redraft.revise.asking.history import told
from redraft.revise.asking.metered import Metered
from redraft.revise.asking.plan_reading import TOOLS, PlanAnswer, read_plan
from redraft.revise.asking.planner import Fallback, ModelPlanner, has_learnt
from redraft.revise.asking.reviser import ModelReviser
from redraft.revise.asking.sections import ROOM

__all__ = [
    "ASPECTS",
    "BASELINES",
    "ROOM",
    "TOOLS",
    "Baseline",
    "Fallback",
    "Metered",
    "ModelPlanner",
    "ModelReviser",
    "PlanAnswer",
    "has_learnt",
    "model_feedback",
    "read_plan",
    "run_baseline",
    "told",
]
