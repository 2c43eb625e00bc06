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
from .lengths import levenshtein as levenshtein
from .registry import load_metric as load_metric, metrics as metrics
from .scoring import (
    NORMALISATIONS as NORMALISATIONS,
    Columns as Columns,
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
    approximate_randomisation as approximate_randomisation,
    estimate as estimate,
    paired_bootstrap as paired_bootstrap,
)
from .similarity import TokenEmbedder as TokenEmbedder, TokenSimilarity as TokenSimilarity
from .tokens import rouge_tokens as rouge_tokens, tokens_13a as tokens_13a, words_13a as words_13a
from .tool_use import JUDGING as JUDGING, tool_use as tool_use
from .treebank import editeval_normalise as editeval_normalise, treebank_words as treebank_words
