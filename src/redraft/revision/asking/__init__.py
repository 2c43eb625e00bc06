"""The parts of a revision that ask a model: planner, reviser, feedback, and the baselines."""

from redraft.revision.asking.baselines import BASELINES, Baseline, run_baseline
from redraft.revision.asking.feedback import ASPECTS, model_feedback
from redraft.revision.asking.history import told
from redraft.revision.asking.metered import Metered
from redraft.revision.asking.plan_reading import TOOLS, PlanAnswer, read_plan
from redraft.revision.asking.planner import Fallback, ModelPlanner, has_learnt
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.asking.sections import ROOM

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
