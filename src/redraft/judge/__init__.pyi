from .agreement import (
    Agreement as Agreement,
    Statistic as Statistic,
    agreement as agreement,
    cohen_kappa as cohen_kappa,
    defined as defined,
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
    pair_up as pair_up,
    read_items as read_items,
    sample_items as sample_items,
)
from .judgement import (
    Judgement as Judgement,
    PairVerdict as PairVerdict,
    majority as majority,
    pair_verdicts as pair_verdicts,
)
from .judges import (
    Inquiry as Inquiry,
    JudgementLog as JudgementLog,
    JudgingProgress as JudgingProgress,
    PairwiseJudge as PairwiseJudge,
    PointwiseJudge as PointwiseJudge,
    judge_all as judge_all,
    read_judgements as read_judgements,
)
from .questions import (
    MAX_TOKENS as MAX_TOKENS,
    Answer as Answer,
    Choice as Choice,
    Note as Note,
    Question as Question,
    ask_judge as ask_judge,
    escape_tags as escape_tags,
    short_hash as short_hash,
    wrap_in_tags as wrap_in_tags,
)
from .ratings import (
    HumanPreference as HumanPreference,
    HumanRatings as HumanRatings,
    RaterAgreement as RaterAgreement,
    compare_raters as compare_raters,
    pair_with_judges as pair_with_judges,
    read_columns as read_columns,
    read_human_ratings as read_human_ratings,
    sample_preferences as sample_preferences,
)
from .reliability import (
    NOT_MEASURED as NOT_MEASURED,
    PARTS as PARTS,
    PUBLISHED as PUBLISHED,
    Consistency as Consistency,
    Part as Part,
    Reliability as Reliability,
    ablate_rubric as ablate_rubric,
    ablation_settings as ablation_settings,
    measure_consistency as measure_consistency,
    rated_texts as rated_texts,
    reliability_file as reliability_file,
    reliability_of as reliability_of,
    rubric_prompt_hash as rubric_prompt_hash,
    save_reliability as save_reliability,
)
from .rubric import (
    Aspect as Aspect,
    Rubric as Rubric,
    Scale as Scale,
    load_rubric as load_rubric,
    read_rubric as read_rubric,
    rubric_names as rubric_names,
    word_rubrics as word_rubrics,
)
from .scores import (
    AspectComparison as AspectComparison,
    AspectScore as AspectScore,
    PositionBias as PositionBias,
    Share as Share,
    compare_aspects as compare_aspects,
    item_scores as item_scores,
    score_aspects as score_aspects,
)
from .sheet_forms import Guidelines as Guidelines, sheet_form as sheet_form
from .sheets import (
    SheetScores as SheetScores,
    draw_records as draw_records,
    draw_sheet as draw_sheet,
    score_sheets as score_sheets,
    write_sheet as write_sheet,
)
