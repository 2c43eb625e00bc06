"""Metrics by neural models: BERTScore (Zhang et al., 2020), LENS (Maddela et al., 2023), similarity.

`similarity` uses the embedded model. The others' packages bring torch and their weights are large, so both
are optional. After the name may stand where the weights are: a local folder (`lens:/models/lens`), or a
commit on the Hugging Face hub (`lens:davidheineman/lens@COMMIT`). Where nothing does, they are looked for
beside the other published models. A checkpoint of LENS is a pickle, and may run code as it is loaded: name
none that you do not trust.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError, MissingExtra, ModelError, WeightsMissing
from redraft.metrics.base import BLOCK, Need, Rows, Sample, batched, make_signature, ratio, texts_of
from redraft.models import SAFE, Embedder, TokenEmbeddings, fetch_folder
from redraft.settings import load_settings

T = TypeVar("T")

_BERT, _LENS, _SALSA = _NAMES = ("roberta-large", "davidheineman/lens", "davidheineman/lens-salsa")
"""What is loaded where nothing is named; never a folder of that name where the user happens to stand."""
_CHECKPOINT = ("checkpoints/model.ckpt", "*.yaml", "*.json")
"""What is taken of LENS from the hub."""


@dataclass(frozen=True)
class BertScore:
    """BERTScore's F1 with the best reference, by the `bert-score` package: 0 to 100, no idf, not rescaled.

    A folder is scored with the layer that bert-score would use for a model of the folder's name; another
    layer is named after a `#`: `bertscore:/models/roberta-large#17`.
    """

    model: str = _BERT

    name: ClassVar[str] = "bertscore"
    components: ClassVar[tuple[str, ...]] = ("precision", "recall")
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    @property
    def signature(self) -> str:
        _package("bert_score", "BERTScore", "bertscore")
        details = (f"model:{_label(self.model)}", "idf:no", "rescale:no", "multi:best")
        return make_signature(self.name, *details, f"bert-score:{version('bert-score')}")

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        scorer = _bert_scorer(self.model)
        for block in batched(samples, BLOCK):
            found = scorer.score([s.prediction for s in block], [list(s.references) for s in block])
            precision, recall, f1 = (np.asarray(column, dtype=np.float64) for column in found)
            yield np.stack([f1, precision, recall, np.ones(len(block))], axis=1)

    def score(self, sums: Rows) -> Rows:
        return 100 * ratio(sums[..., :3], sums[..., 3:])


@dataclass(frozen=True)
class Lens:
    """LENS: a learned judgement of a simplification beside its references, rescaled to 0 to 100."""

    model: str = _LENS

    name: ClassVar[str] = "lens"
    components: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "references"})
    details: ClassVar[tuple[str, ...]] = ("rescale:yes", "multi:best")

    @property
    def signature(self) -> str:
        _package("lens", self.name.upper().replace("_", "-"), "lens")
        release = f"lens-metric:{version('lens-metric')}"
        return make_signature(self.name, f"model:{_label(self.model)}", *self.details, "case:lower", release)

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for block in batched(samples, BLOCK):
            scores = np.asarray(self._scores(block), dtype=np.float64)
            yield np.stack([scores, np.ones(len(block))], axis=1)

    def _scores(self, block: Sequence[Sample]) -> Sequence[float]:
        scorer = _lens_scorer("LENS", self.model, rescale=True)
        references = [list(sample.references) for sample in block]
        found: Sequence[float] = scorer.score(*_pairs(block), references, devices=_devices())
        return found

    def score(self, sums: Rows) -> Rows:
        return ratio(sums[..., :1], sums[..., 1:])


@dataclass(frozen=True)
class LensSalsa(Lens):
    """LENS-SALSA: a learned judgement of a simplification beside its source alone, 0 to 100."""

    model: str = _SALSA

    name: ClassVar[str] = "lens_salsa"
    needs: ClassVar[frozenset[Need]] = frozenset({"source"})
    details: ClassVar[tuple[str, ...]] = ()

    def _scores(self, block: Sequence[Sample]) -> Sequence[float]:
        scores: Sequence[float] = _lens_scorer("LENS_SALSA", self.model).score(
            *_pairs(block), devices=_devices()
        )[0]
        return scores


def _package(name: str, feature: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(feature, extra) from None


def _label(model: str) -> str:
    """What a signature calls a model: where it lies on one machine says nothing on another."""
    return Path(model).name if Path(model).is_dir() else model


def _folder(model: str, patterns: Sequence[str] = SAFE) -> Path:
    """Where a model lies: at the path that is named, in the user's folder of such models, else on the hub."""
    if model not in _NAMES and Path(model).exists():
        return Path(model)
    own = load_settings().quality_folder() / Path(model).name
    return own if own.exists() else fetch_folder(model, patterns)


def _loaded(what: str, model: str, load: Callable[[], T]) -> T:
    try:
        return load()
    except WeightsMissing:
        raise
    except Exception as error:  # the packages raise whatever torch, the hub or a checkpoint raises
        hint = f"give a folder that holds the weights ({what}:FOLDER), or let the hub be reached once"
        message = f"the weights of {model} could not be loaded: {error}"
        raise ModelError(message, provider=what, hint=hint) from error


@lru_cache(maxsize=2)
def _bert_scorer(model: str) -> Any:
    package = _package("bert_score", "BERTScore", "bertscore")
    where, _, layer = model.partition("#")
    if layer and not layer.isdigit():
        raise InputError(f'"{layer}" is no layer of {where}: write a number after the #')
    known = package.utils.model2layers
    name = where.partition("@")[0]
    layers = int(layer) if layer else known.get(name) or known.get(Path(name).name)
    if layers is None:
        raise InputError(f"bert-score knows no best layer for {where}: write one, as bertscore:{where}#9")

    def load() -> Any:
        return package.BERTScorer(model_type=str(_folder(where)), num_layers=layers)

    return _loaded("bertscore", where, load)


@lru_cache(maxsize=2)
def _lens_scorer(kind: str, model: str, **options: bool) -> Any:
    package = _package("lens", kind.replace("_", "-"), "lens")

    def load() -> Any:
        found = _folder(model, _CHECKPOINT)
        checkpoint = found / "checkpoints" / "model.ckpt" if found.is_dir() else found
        return getattr(package, kind)(str(checkpoint), **options)

    return _loaded(kind.lower(), model, load)


def _devices() -> list[int] | None:
    return [0] if import_module("torch").cuda.is_available() else None


def _pairs(block: Sequence[Sample]) -> tuple[list[str], list[str]]:
    return [sample.source for sample in block], [sample.prediction for sample in block]


_BATCH = 32


class TokenEmbedder(Protocol):
    """Something that gives every token of a text a vector."""

    @property
    def name(self) -> str:
        """Which model, for the signature."""

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[NDArray[np.floating]]:
        """For each text, one row a token."""


@dataclass(frozen=True)
class TokenSimilarity:
    """Each token is matched with the most similar one of the other text; F1 with the best reference.

    Zhang et al. (2020), section 3, without idf weights and without rescaling; 0 to 100.
    """

    embedder: TokenEmbedder

    name: ClassVar[str] = "similarity"
    components: ClassVar[tuple[str, ...]] = ("precision", "recall")
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    @property
    def signature(self) -> str:
        return make_signature(
            self.name, f"embedder:{self.embedder.name}", "idf:no", "rescale:no", "multi:best"
        )

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for block in batched(samples, _BATCH):
            texts = list(dict.fromkeys(texts_of(block)))
            vectors = dict(zip(texts, map(_unit, self.embedder.embed_tokens(texts)), strict=True))
            rows = np.ones((len(block), 4))
            for row, sample in zip(rows, block, strict=True):
                found = vectors[sample.prediction]
                row[:3] = max(_match(vectors[text], found) for text in sample.references)
            yield rows

    def score(self, sums: Rows) -> Rows:
        return 100 * ratio(sums[..., :3], sums[..., 3:])


@dataclass(frozen=True)
class EmbeddedTokens:
    """The embedded MiniLM as a TokenEmbedder; its weights are loaded at the first text."""

    embedder: Embedder

    @property
    def name(self) -> str:
        return "all-minilm-l6-v2"

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[NDArray[np.floating]]:
        # In a thread of its own: whoever scores may be in an event loop already.
        with ThreadPoolExecutor(max_workers=1) as pool:
            found = pool.submit(lambda: asyncio.run(self._embed(texts))).result()
        return [tokens.vectors for tokens in found]

    async def _embed(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        return await self.embedder.embed_tokens(texts)


def embedded_similarity() -> TokenSimilarity:
    """`similarity`, with the embedded model."""
    from redraft.models import EmbeddedEmbedder  # noqa: PLC0415  (loads llama.cpp)

    return TokenSimilarity(EmbeddedTokens(EmbeddedEmbedder(load_settings())))


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float64)


def _match(wanted: NDArray[np.float64], found: NDArray[np.float64]) -> tuple[float, float, float]:
    if not len(wanted) or not len(found):
        return 0.0, 0.0, 0.0
    cosines = found @ wanted.T
    precision, recall = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    both = precision + recall
    return (2 * precision * recall / both if both > 0 else 0.0), precision, recall
