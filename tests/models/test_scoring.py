"""Log-probabilities from CTranslate2."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from redraft.models import LogProbs, Models, scoring
from redraft.models.scoring import OVERLAP, WINDOW, EmbeddedScorer, windows_of
from redraft.settings import Settings

GOOD = "Statistical machine translation has made remarkable progress in the last few years."
WORSE = "Statistical machine translation have make remarkable progress in the last few years."
WORST = "Years few last the in progress remarkable made has translation machine statistical."


@pytest.fixture
def score(settings: Settings) -> object:
    scorer = EmbeddedScorer(settings)

    def run(texts: Sequence[str], contexts: Sequence[str] | None = None) -> tuple[LogProbs, ...]:
        return asyncio.run(scorer.log_probs(texts, contexts))

    return run


def test_better_english_is_likelier(score) -> None:  # type: ignore[no-untyped-def]
    good, worse, worst = (scores.perplexity for scores in score([GOOD, WORSE, WORST]))
    assert good < worse < worst


def test_tokens_make_up_the_text(score) -> None:  # type: ignore[no-untyped-def]
    (scores,) = score([GOOD])
    assert "".join(scores.tokens) == GOOD
    assert len(scores.values) == len(scores.tokens)


def test_a_context_makes_its_own_words_likelier(score) -> None:  # type: ignore[no-untyped-def]
    text = " The quorum was not reached."
    fitting, odd = score([text, text], ["The vote failed for lack of a quorum.", "I like ice cream."])
    assert fitting.total > odd.total
    assert len(fitting.values) == len(odd.values)


def test_empty_and_odd_texts(score) -> None:  # type: ignore[no-untyped-def]
    empty, emoji, space, marked = score(["", "👩‍👩‍👧 漢字", " \n", "<|im_end|>"])
    assert (empty.values, empty.total, empty.perplexity) == ((), 0.0, 1.0)
    assert emoji.values
    assert space.values
    assert len(marked.values) > 1, "control tokens in a user's text are text"
    assert score([]) == ()


def test_order_and_batch_do_not_matter(score) -> None:  # type: ignore[no-untyped-def]
    texts = [GOOD, WORST, "Yes.", GOOD + " " + WORSE]
    alone = [score([text])[0].total for text in texts]
    together = [scores.total for scores in score(texts[::-1])][::-1]
    assert together == alone


def test_a_long_text_is_scored_whole(score, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    for name, tokens in (("WHOLE", 40), ("WINDOW", 32), ("OVERLAP", 8)):
        monkeypatch.setattr(scoring, name, tokens)
    text = "\n".join([GOOD, WORSE, WORST, "Yes.", GOOD])
    (scores,) = score([text])
    assert len(scores.tokens) > 40
    assert "".join(scores.tokens) == text
    assert len(scores.values) == len(scores.tokens)


def test_windows_score_each_token_once() -> None:
    context, own = [f"c{i}" for i in range(3000)], [f"t{i}" for i in range(5000)]
    windows = windows_of(7, context, own)
    assert [token for window in windows for token in window.tokens[-window.count :]] == own
    assert all(len(window.tokens) <= WINDOW for window in windows)
    assert all(len(window.tokens) - window.count >= OVERLAP for window in windows)
    assert sum(len(window.tokens) for window in windows) < 2 * len(own)
    assert windows_of(0, ["s"], []) == []


def test_scores_are_cached(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings) as models:
            first = await models.scorer().log_probs([GOOD, GOOD, "Yes."], ["a", "a", "a"])
            assert models.cache.info().entries == {"log_probs": 2}
            assert await models.scorer().log_probs([GOOD, GOOD, "Yes."], ["a", "a", "a"]) == first
            assert models.cache.info().entries == {"log_probs": 2}

    asyncio.run(run())
