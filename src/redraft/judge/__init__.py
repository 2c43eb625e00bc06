"""Models as judges: marks by a rubric, comparisons, juries, how far raters agree, what a judge is worth."""

from redraft.judge.agreement import (
    Agreement,
    Statistic,
    agreement,
    cohen_kappa,
    exact_agreement,
    kendall,
    pearson,
    spearman,
)
from redraft.judge.alpha import krippendorff_alpha
from redraft.judge.asking import Answer, Choice, Note, Question
from redraft.judge.comparison import AspectComparison, Share, Trust, compare_aspects
from redraft.judge.item import Context, Item, Items, Pair, check_needs, draw, pair_up, read_items
from redraft.judge.judgement import Judgement
from redraft.judge.judges import Inquiry, PairwiseJudge, PointwiseJudge
from redraft.judge.meta import Consistency, ablated, consistencies, settings_of
from redraft.judge.people import People, Preference, draw_preferences, read_people
from redraft.judge.reliability import Reliability, reliability_of
from redraft.judge.rubric import Aspect, Rubric, Scale, load_rubric, read_rubric, rubric_names
from redraft.judge.running import Journal, Progress, judge_all, read_judgements
from redraft.judge.scores import AspectScore, item_scores, score_aspects
from redraft.judge.verdicts import Verdict, majority, verdicts

__all__ = [
    "Agreement",
    "Answer",
    "Aspect",
    "AspectComparison",
    "AspectScore",
    "Choice",
    "Consistency",
    "Context",
    "Inquiry",
    "Item",
    "Items",
    "Journal",
    "Judgement",
    "Note",
    "Pair",
    "PairwiseJudge",
    "People",
    "PointwiseJudge",
    "Preference",
    "Progress",
    "Question",
    "Reliability",
    "Rubric",
    "Scale",
    "Share",
    "Statistic",
    "Trust",
    "Verdict",
    "ablated",
    "agreement",
    "check_needs",
    "cohen_kappa",
    "compare_aspects",
    "consistencies",
    "draw",
    "draw_preferences",
    "exact_agreement",
    "item_scores",
    "judge_all",
    "kendall",
    "krippendorff_alpha",
    "load_rubric",
    "majority",
    "pair_up",
    "pearson",
    "read_items",
    "read_judgements",
    "read_people",
    "read_rubric",
    "reliability_of",
    "rubric_names",
    "score_aspects",
    "settings_of",
    "spearman",
    "verdicts",
]
