from .agreement import (
    Agreement as Agreement,
    Statistic as Statistic,
    agreement as agreement,
    cohen_kappa as cohen_kappa,
    exact_agreement as exact_agreement,
    kendall as kendall,
    krippendorff_alpha as krippendorff_alpha,
    pearson as pearson,
    spearman as spearman,
)
from .item import (
    Context as Context,
    Item as Item,
    Items as Items,
    Pair as Pair,
    check_needs as check_needs,
    draw as draw,
    pair_up as pair_up,
    read_items as read_items,
)
from .judgement import Judgement as Judgement, Verdict as Verdict, majority as majority, verdicts as verdicts
from .judges import (
    Inquiry as Inquiry,
    Journal as Journal,
    PairwiseJudge as PairwiseJudge,
    PointwiseJudge as PointwiseJudge,
    Progress as Progress,
    judge_all as judge_all,
    read_judgements as read_judgements,
)
from .questions import (
    MAX_TOKENS as MAX_TOKENS,
    Answer as Answer,
    Choice as Choice,
    Note as Note,
    Question as Question,
    digest as digest,
    neutral as neutral,
    put as put,
    tagged as tagged,
)
from .ratings import (
    People as People,
    Preference as Preference,
    RaterAgreement as RaterAgreement,
    beside as beside,
    compare_raters as compare_raters,
    draw_preferences as draw_preferences,
    read_columns as read_columns,
    read_people as read_people,
)
from .reliability import (
    NOT_MEASURED as NOT_MEASURED,
    PARTS as PARTS,
    PUBLISHED as PUBLISHED,
    Consistency as Consistency,
    Part as Part,
    Reliability as Reliability,
    ablated as ablated,
    consistencies as consistencies,
    keep as keep,
    kept_in as kept_in,
    reliability_of as reliability_of,
    settings_of as settings_of,
    texts_of as texts_of,
    wording as wording,
)
from .rubric import (
    Aspect as Aspect,
    Rubric as Rubric,
    Scale as Scale,
    load_rubric as load_rubric,
    read_rubric as read_rubric,
    rubric_names as rubric_names,
)
from .scores import (
    AspectComparison as AspectComparison,
    AspectScore as AspectScore,
    Share as Share,
    Trust as Trust,
    compare_aspects as compare_aspects,
    item_scores as item_scores,
    score_aspects as score_aspects,
)
from .sheets.scores import SheetScores as SheetScores, score_sheets as score_sheets
from .sheets.sheet import Guidelines as Guidelines, draw_sheet as draw_sheet, write_sheet as write_sheet
