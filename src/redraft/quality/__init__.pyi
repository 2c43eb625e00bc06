from .base import (
    Judge as Judge,
    Meaning as Meaning,
    MeaningChange as MeaningChange,
    Quality as Quality,
    QualityScorer as QualityScorer,
    Scale as Scale,
    Scaled as Scaled,
    read_quality as read_quality,
)
from .by_sentence import SentenceQuality as SentenceQuality, spread as spread
from .claims import (
    ClaimChange as ClaimChange,
    SamenessJudge as SamenessJudge,
    claim_changes as claim_changes,
    judged_claim_changes as judged_claim_changes,
)
from .combined import (
    CombinedQuality as CombinedQuality,
    open_combined_quality as open_combined_quality,
    scorers_named as scorers_named,
)
from .conditions import lost_conditions as lost_conditions
from .embedded import (
    CONTEXT as CONTEXT,
    EmbeddedQuality as EmbeddedQuality,
    likelihoods as likelihoods,
    perplexities_of as perplexities_of,
)
from .grammar import (
    WEIGHTS as WEIGHTS,
    GrammarFinding as GrammarFinding,
    grammar_findings as grammar_findings,
    grammar_score as grammar_score,
    weight as weight,
)
from .meaning import (
    compare_meaning as compare_meaning,
    kept_share as kept_share,
    meaning_changes as meaning_changes,
    mentions as mentions,
    missing_names as missing_names,
    name_changes as name_changes,
)
from .numerals import numerals as numerals
from .polarity import added_negations as added_negations, listed as listed
from .preferring import (
    PreferringJudge as PreferringJudge,
    Signs as Signs,
    log_odds as log_odds,
    preference as preference,
)
from .published import TorchQuality as TorchQuality, open_quality as open_quality
from .strict import StrictJudge as StrictJudge
from .trained import (
    JUDGE as JUDGE,
    JudgeTask as JudgeTask,
    TrainedJudge as TrainedJudge,
    question as question,
)
