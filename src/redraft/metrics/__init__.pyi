from .adherence import JUDGING as JUDGING, tool_use as tool_use
from .base import (
    BLOCK as BLOCK,
    Mean as Mean,
    Metric as Metric,
    Need as Need,
    Rows as Rows,
    Sample as Sample,
    Samples as Samples,
    Score as Score,
    batched as batched,
    ratio as ratio,
    rows_of as rows_of,
    sample_scores as sample_scores,
    sign as sign,
)
from .changes import levenshtein as levenshtein
from .learned import TokenEmbedder as TokenEmbedder, TokenSimilarity as TokenSimilarity
from .scoring import (
    NORMALISATIONS as NORMALISATIONS,
    Columns as Columns,
    load_metric as load_metric,
    metrics as metrics,
    score as score,
    score_of as score_of,
    score_samples as score_samples,
)
from .significance import (
    CONFIDENCE as CONFIDENCE,
    RESAMPLES as RESAMPLES,
    SEED as SEED,
    Comparison as Comparison,
    Estimate as Estimate,
    Interval as Interval,
    approximate_randomisation as approximate_randomisation,
    cluster_interval as cluster_interval,
    estimate as estimate,
    mean_interval as mean_interval,
    paired_bootstrap as paired_bootstrap,
    percentile_interval as percentile_interval,
    sign_test as sign_test,
    wilson_interval as wilson_interval,
)
from .tokens import (
    editeval_normalise as editeval_normalise,
    rouge_tokens as rouge_tokens,
    tokens_13a as tokens_13a,
    treebank_words as treebank_words,
    words_13a as words_13a,
)
