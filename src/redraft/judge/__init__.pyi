from .agreement import (
    Agreement as Agreement,
    Statistic as Statistic,
    agreement as agreement,
    cohen_kappa as cohen_kappa,
    exact_agreement as exact_agreement,
    kendall as kendall,
    pearson as pearson,
    spearman as spearman,
)
from .alpha import krippendorff_alpha as krippendorff_alpha
from .asking import (
    MAX_TOKENS as MAX_TOKENS,
    Answer as Answer,
    Choice as Choice,
    Note as Note,
    Question as Question,
    digest as digest,
    put as put,
)
from .comparison import (
    AspectComparison as AspectComparison,
    Share as Share,
    Trust as Trust,
    compare_aspects as compare_aspects,
)
from .intervals import Interval as Interval
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
from .judgement import Judgement as Judgement
from .judges import Inquiry as Inquiry, PairwiseJudge as PairwiseJudge, PointwiseJudge as PointwiseJudge
from .meta import (
    PARTS as PARTS,
    PUBLISHED as PUBLISHED,
    Consistency as Consistency,
    Part as Part,
    ablated as ablated,
    consistencies as consistencies,
    settings_of as settings_of,
    texts_of as texts_of,
)
from .people import (
    People as People,
    Preference as Preference,
    draw_preferences as draw_preferences,
    read_people as read_people,
)
from .prompting import neutral as neutral, tagged as tagged
from .ratings import (
    RaterAgreement as RaterAgreement,
    beside as beside,
    compare_raters as compare_raters,
    read_columns as read_columns,
)
from .reliability import (
    NOT_MEASURED as NOT_MEASURED,
    Reliability as Reliability,
    keep as keep,
    kept_in as kept_in,
    reliability_of as reliability_of,
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
from .running import (
    Journal as Journal,
    Progress as Progress,
    judge_all as judge_all,
    read_judgements as read_judgements,
)
from .scores import AspectScore as AspectScore, item_scores as item_scores, score_aspects as score_aspects
from .sheets.page import Guidelines as Guidelines
from .sheets.scores import SheetScores as SheetScores, score_sheets as score_sheets
from .sheets.sheet import draw_sheet as draw_sheet, write_sheet as write_sheet
from .verdicts import Verdict as Verdict, majority as majority, verdicts as verdicts
