from __future__ import annotations

import asyncio
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from redraft import __version__
from redraft.errors import InputError, MissingExtra, ModelError, WeightsMissing
from redraft.metrics import (
    Sample,
    TokenSimilarity,
    learned,
    load_metric,
    metrics,
    sample_scores,
    score,
    scoring,
)
from redraft.metrics.learned import EmbeddedTokens
from redraft.models.base import TokenEmbeddings
from tests.metrics.corpus import KINDS, REFERENCES, SOURCES, texts

PERFECT = ("em", "bleu", "gleu", "rouge1", "rouge2", "rougeL", "rougeLsum", "update_rouge1", "update_rougeL")


def test_every_score_says_how_it_was_made() -> None:
    names = sorted(set(metrics()) - {"similarity", "bertscore", "lens", "lens_salsa", "adherence", "all_met"})
    found = score(names, SOURCES, KINDS["cut short"], REFERENCES)
    assert list(found) == names
    for name, result in found.items():
        assert result.signature.startswith(f"{name}|")
        assert f"redraft:{__version__}|refs:2|norm:none" in result.signature
        assert result.n == len(SOURCES)
        assert result.interval is not None
        assert result.to_dict() == {
            "score": result.value,
            "interval": list(result.interval),
            "components": dict(result.components),
            "n": result.n,
            "signature": result.signature,
        }
    assert set(found["sari"].components) == {"add", "keep", "delete"}
    assert score("em", None, ["a"], ["a"], resamples=0)["em"].to_dict()["interval"] is None


def test_perfect_predictions() -> None:
    predictions = KINDS["first reference"]
    found = score(PERFECT, SOURCES, predictions, predictions, resamples=0)
    assert [result.value for result in found.values()] == pytest.approx([100] * len(PERFECT))


@settings(max_examples=50)
@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4))
def test_bounds(rows: list[tuple[str, str, str]]) -> None:
    names = ["em", "em_diff", "sari", "bleu", "gleu", "rouge1", "rougeLsum", "update_rouge2"]
    found = score(names, *(list(column) for column in zip(*rows, strict=True)), resamples=0)
    for result in found.values():
        assert -1e-9 <= result.value <= 100 + 1e-9


def test_a_reference_may_stand_alone_or_among_others() -> None:
    one = score("rouge1", None, ["a b"], ["a c"])["rouge1"]
    assert one.value == score("rouge1", None, ["a b"], [["a c"]])["rouge1"].value == pytest.approx(50)
    ragged = score("sari", ["a", "b"], ["a", "b"], ["a", ["b", "c", "d"]])["sari"]
    assert "|refs:1-3|" in ragged.signature


def test_normalisation_is_applied_to_all_sides() -> None:
    found = score("em", None, ["Well , yes ."], [["Well, yes ."]], normalisation="editeval")["em"]
    assert found.value == 100
    assert found.signature.endswith("norm:editeval")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sari", ["a"], ["a", "b"], ["a", "b"]), "there are 2 predictions, but 1 sources"),
        (("sari", ["a"], ["a"], []), "there are 1 predictions, but 0 references"),
        (("sari", ["a", "b"], ["a", "b"], ["a", []]), "sample 2 has no reference"),
        (("sari", None, ["a"], ["a"]), "sari needs the source of each prediction"),
        (("sari", None, ["a"], None), "sari needs the references and the source"),
        (("adherence", ["a"], ["a"]), "adherence needs the calls"),
        (("em", None, [], []), "nothing to score"),
        (("em", None, ["a", None], ["a", "b"]), "the prediction of sample 2 is no text but None"),
        (("sari", [1], ["a"], ["a"]), "the source of sample 1 is no text but 1"),
        (("em", None, ["a"], [["a", None]]), "the reference of sample 1 is no text but None"),
        (("sarii", ["a"], ["a"], ["a"]), 'no metric "sarii"; there are: added, .*sari'),
        (("sari:13a", ["a"], ["a"], ["a"]), '"sari" takes no argument'),
    ],
)
def test_what_cannot_be_scored_is_said(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        score(*arguments)  # type: ignore[arg-type]


def test_unknown_normalisation() -> None:
    with pytest.raises(InputError, match="none or editeval"):
        score("em", None, ["a"], ["a"], normalisation="wnc")


def test_adherence() -> None:
    short, without_b = 'word_count_check(3, "less than")', 'keyword_keep_removal_check("b", "remove")'
    calls = [[short, without_b], [], [short]]
    texts = ["a b", "a", "a"]
    found = score("adherence:default", texts, texts, calls=calls)["adherence:default"]
    assert found.value == pytest.approx(200 / 3)
    assert found.components == {"all_met": 50}
    assert "counting:default" in found.signature
    turned = score("all_met", texts, texts, calls=calls)["all_met"]
    assert (turned.value, turned.components) == (50, {"adherence": pytest.approx(200 / 3)})
    samples = [Sample(text, text, calls=tuple(asked)) for text, asked in zip(texts, calls, strict=True)]
    assert sample_scores(load_metric("adherence"), samples) == pytest.approx([50, np.nan, 100], nan_ok=True)
    assert sample_scores(load_metric("all_met"), samples) == pytest.approx([0, np.nan, 100], nan_ok=True)


@pytest.mark.parametrize(
    ("asked", "counting", "met", "signed"),
    [
        ("adherence", "default", 100, "counting:default"),
        ("adherence", "constrev", 0, "counting:constrev"),
        ("adherence:constrev", "default", 0, "counting:constrev"),
        ("adherence:default", "constrev", 100, "counting:default"),
    ],
)
def test_adherence_counts_as_it_is_told(asked: str, counting: str, met: float, signed: str) -> None:
    text = "Dr. Lee agreed, i.e. she said yes."  # one sentence, but more to ConsTRev
    found = score(asked, [text], [text], calls=[['sentence_count_check(2, "less than")']], counting=counting)[
        asked
    ]
    assert found.value == met
    assert signed in found.signature


def test_sources_may_be_left_out() -> None:
    assert score(["em"], predictions=["a"], references=["a"])["em"].value == 100
    with pytest.raises(InputError, match="nothing to score"):
        score("em", references=[])


class Letters:
    """Every token is a letter, every letter an axis."""

    name = "letters"

    def embed_tokens(self, texts: list[str]) -> list[np.ndarray]:
        return [np.eye(26)[[ord(letter) - 97 for letter in text if letter.isalpha()]] for text in texts]


def test_similarity_with_an_embedder() -> None:
    found = score(TokenSimilarity(Letters()), None, ["ab", "ab", ""], [["ab"], ["ac", "xy"], ["a"]])[
        "similarity"
    ]
    assert found.value == pytest.approx((100 + 50 + 0) / 3)
    assert found.components == {"precision": pytest.approx(50), "recall": pytest.approx(50)}
    assert "embedder:letters" in found.signature
    longer = score(TokenSimilarity(Letters()), None, ["abc"], [["a"]])["similarity"]
    assert longer.value == pytest.approx(50)
    assert longer.components == {"precision": pytest.approx(100 / 3), "recall": pytest.approx(100)}


class AsyncLetters:
    """The same, as redraft.models has embedders."""

    async def embed(self, texts: list[str]) -> np.ndarray:
        raise NotImplementedError

    async def embed_tokens(self, texts: list[str]) -> tuple[TokenEmbeddings, ...]:
        return tuple(TokenEmbeddings((), vectors) for vectors in Letters().embed_tokens(texts))


def test_similarity_within_an_event_loop() -> None:
    async def scored() -> float:
        metric = TokenSimilarity(EmbeddedTokens(AsyncLetters()))
        assert "embedder:all-minilm-l6-v2" in metric.signature
        return score(metric, None, ["ab"], ["ac"], resamples=0)["similarity"].value

    assert asyncio.run(scored()) == pytest.approx(50)


class Fluency:
    name = "fluency"


def test_another_package_may_add_a_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        EntryPoint("fluency", f"{__name__}:Fluency", scoring.GROUP),
        EntryPoint("sari", f"{__name__}:Fluency", scoring.GROUP),
        EntryPoint("broken", "no.such.module:Metric", scoring.GROUP),
    ]
    monkeypatch.setattr(scoring, "entry_points", lambda group: entries)
    scoring.metrics.cache_clear()
    try:
        assert load_metric("fluency").name == "fluency"
        assert load_metric("sari").name == "sari"
        assert load_metric("sari").components, "ours cannot be replaced"
        with pytest.raises(InputError, match=r"no\.such\.module:Metric"):
            load_metric("broken")
    finally:
        scoring.metrics.cache_clear()


class FakeTorch:
    class cuda:  # noqa: N801
        @staticmethod
        def is_available() -> bool:
            return False


class FakeLens:
    """The interface of the package, with the length of a text for a judgement."""

    class LENS:
        def __init__(self, path: str, rescale: bool) -> None:
            assert path.endswith("checkpoints/model.ckpt")
            assert rescale

        def score(
            self, sources: list[str], predictions: list[str], references: list[list[str]], devices: None
        ) -> list[float]:
            return [float(len(text)) for text in predictions]

    class LENS_SALSA:  # noqa: N801
        def __init__(self, path: str) -> None:
            pass

        def score(
            self, sources: list[str], predictions: list[str], devices: None
        ) -> tuple[list[float], None]:
            return [float(len(text)) for text in predictions], None


class FakeBertScore:
    class utils:  # noqa: N801
        model2layers = {"roberta-large": 17}  # noqa: RUF012

    class BERTScorer:
        def __init__(self, model_type: str, num_layers: int) -> None:
            if not model_type.startswith("/"):
                raise OSError("no network")
            self.layers = num_layers

        def score(self, predictions: list[str], references: list[list[str]]) -> tuple[np.ndarray, ...]:
            return tuple(np.full(len(predictions), value) for value in (0.5, 0.7, self.layers / 100))


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    fakes = {"lens": FakeLens, "torch": FakeTorch, "bert_score": FakeBertScore}
    monkeypatch.setattr(learned, "import_module", fakes.__getitem__)
    monkeypatch.setattr(learned, "version", lambda package: "9.9")
    for load in (learned._lens_scorer, learned._bert_scorer):
        load.cache_clear()


@pytest.mark.usefixtures("packages")
def test_learned_metrics_from_a_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("models") / "roberta-large"
    folder.mkdir()
    lens = score(f"lens:{folder}", ["a"], ["abc"], ["b"])["lens"]
    assert (lens.value, lens.signature.split("|")[1]) == (3, "model:roberta-large")
    assert score(f"lens_salsa:{folder}", ["a", "a"], ["abc", "a"])["lens_salsa"].value == 2
    bert = score(f"bertscore:{folder}", None, ["a"], ["b"])["bertscore"]
    assert (bert.value, bert.components) == (17, {"precision": 50, "recall": 70})
    assert score(f"bertscore:{folder}#9", None, ["a"], ["b"])["bertscore"].value == 9


@pytest.mark.usefixtures("packages")
def test_learned_metrics_from_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_QUALITY_MODELS", str(tmp_path))
    for name in ("lens", "lens-salsa", "roberta-large"):
        (tmp_path / name).mkdir()
    assert score("lens", ["a"], ["abc"], ["b"])["lens"].value == 3
    assert score("lens_salsa", ["a"], ["abc"])["lens_salsa"].value == 3
    assert score("bertscore", None, ["a"], ["b"])["bertscore"].value == 17


@pytest.mark.usefixtures("packages")
def test_learned_metrics_from_the_hub_are_those_of_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def fetch(name: str, *, revision: str, allow_patterns: list[str], local_files_only: bool) -> str:
        asked.append((name, revision))
        assert ("checkpoints/model.ckpt" in allow_patterns) == ("lens" in name)
        assert not any(pattern.endswith((".py", ".bin", ".pt")) for pattern in allow_patterns)
        return str(tmp_path)

    monkeypatch.setenv("REDRAFT_QUALITY_MODELS", str(tmp_path))
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(snapshot_download=fetch))
    for name in ("davidheineman/lens", "davidheineman/lens-salsa", "roberta-large"):
        (tmp_path / "here" / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    commit = "0123456789" * 4
    score(f"lens:davidheineman/lens@{commit}", ["a"], ["abc"], ["b"])
    score("bertscore", None, ["a"], ["b"])
    score(f"bertscore:me/roberta-large@{commit}", None, ["a"], ["b"])
    assert asked[0] == ("davidheineman/lens", commit)
    assert asked[1][0] == "roberta-large"
    assert len(asked[1][1]) == 40
    assert asked[2] == ("me/roberta-large", commit)
    for name in ("lens", "lens_salsa", "lens:davidheineman/lens@main", "bertscore:me/other#3"):
        with pytest.raises(WeightsMissing, match="@COMMIT"):
            score(name, ["a"], ["b"], ["c"])
    assert len(asked) == 3


@pytest.mark.usefixtures("packages")
def test_learned_metrics_without_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise OSError("no network")

    monkeypatch.setenv("REDRAFT_QUALITY_MODELS", str(tmp_path))
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(snapshot_download=refuse))
    with pytest.raises(ModelError, match="no network\n  give a folder"):
        score("bertscore", None, ["b"], ["c"])
    with pytest.raises(InputError, match="knows no best layer for my-model"):
        score("bertscore:my-model", None, ["b"], ["c"])
    with pytest.raises(InputError, match='"x" is no layer'):
        score("bertscore:my-model#x", None, ["b"], ["c"])


@pytest.mark.parametrize(
    ("name", "extra"), [("lens", "lens"), ("lens_salsa", "lens"), ("bertscore", "bertscore")]
)
def test_learned_metrics_without_their_package(
    name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(package: str) -> None:
        raise ImportError(package)

    monkeypatch.setattr(learned, "import_module", absent)
    for load in (learned._lens_scorer, learned._bert_scorer):
        load.cache_clear()
    with pytest.raises(MissingExtra, match=rf"redraft\[{extra}\]"):
        score(name, ["a"], ["b"], ["c"])
