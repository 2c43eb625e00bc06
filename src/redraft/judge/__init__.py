"""Models as judges: marks by a rubric, comparisons in both orders, juries, and how far raters agree."""

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
    "Context",
    "Inquiry",
    "Item",
    "Items",
    "Journal",
    "Judgement",
    "Note",
    "Pair",
    "PairwiseJudge",
    "PointwiseJudge",
    "Progress",
    "Question",
    "Rubric",
    "Scale",
    "Share",
    "Statistic",
    "Trust",
    "Verdict",
    "agreement",
    "check_needs",
    "cohen_kappa",
    "compare_aspects",
    "draw",
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
    "read_rubric",
    "rubric_names",
    "score_aspects",
    "spearman",
    "verdicts",
]
