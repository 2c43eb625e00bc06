"""Quality by the models that papers report: GPT-2 Large, BARTScore, SOME and GLiNER (`redraft[torch]`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError, ModelError
from redraft.models import Cache, CachedScorer, Embedder, Models
from redraft.notation import parse_json
from redraft.quality.base import Meaning
from redraft.quality.embedded import EmbeddedQuality, likelihoods_of, meaning_of, paired, plain
from redraft.quality.loading import Folders, find_folders
from redraft.quality.published_scorers import BartScorer, Gpt2Scorer, Pair, Some, Weights
from redraft.text import Document, Entity, EntityKind, Format, RuleFinder

_LABELS: Final[dict[str, EntityKind]] = {
    "person": "person",
    "organization": "organisation",
    "location": "place",
}
_NAMES: Final = frozenset(_LABELS.values())
_CONFIG: Final = "gliner_config.json"
_KNOWN: Final = ("microsoft/deberta-v3-", "microsoft/mdeberta-v3-")
_RULES: Final = RuleFinder()


class GlinerFinder:
    """An EntityFinder on a GLiNER model in a local folder; needs the package `gliner`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def find(self, text: str) -> list[Entity]:
        """The entities of a text, in order and apart from one another."""
        ruled = [entity for entity in _RULES.find(text) if entity.kind not in _NAMES]
        named = [
            entity
            for entity in self._names(text)
            if not any(entity.start < other.end and other.start < entity.end for other in ruled)
        ]
        return sorted([*ruled, *named], key=lambda entity: entity.start)

    def _names(self, text: str) -> Iterator[Entity]:
        # Sentence by sentence: GLiNER does not see what is beyond some hundred words.
        sentences = Document(text).sentences
        if not sentences:
            return
        found = _load(self._folder).inference([each.text for each in sentences], list(_LABELS))
        for sentence, entities in zip(sentences, found, strict=True):
            for entity in entities:
                start, end = sentence.start + entity["start"], sentence.start + entity["end"]
                yield Entity(text[start:end], _LABELS[entity["label"]], start, end)


@lru_cache(maxsize=1)
def _load(folder: Path) -> Any:
    try:
        import torch  # noqa: PLC0415 - optional parts

        package = import_module("gliner")
    except ImportError:
        raise InputError(f"the model in {folder} needs a package of its own: pip install gliner") from None
    _check(folder)
    try:
        model = package.GLiNER.from_pretrained(str(folder), local_files_only=True)
    except Exception as error:  # the package raises whatever its parts raise
        raise ModelError(f"{folder} could not be loaded as GLiNER: {error}", provider="torch") from error
    return model.to("cuda" if torch.cuda.is_available() else "cpu").eval()


def _check(folder: Path) -> None:
    """Raise where the package would run code that comes with a model: of DeBERTa it has its own."""
    try:
        config = parse_json((folder / _CONFIG).read_text(encoding="utf-8"))
        encoder = config.get("encoder_config")
        known = (
            encoder.get("model_type") == "deberta-v2"
            if encoder
            else str(config["model_name"]).startswith(_KNOWN)
        )
        several = config.get("labels_encoder") or config.get("labels_decoder")
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise ModelError(f"{folder} has no usable {_CONFIG}: {error}", provider="torch") from None
    if not known or several:
        raise ModelError(
            f"{folder} is a GLiNER model that is not on DeBERTa alone, and may bring code of its own",
            provider="torch",
            hint="use one such as urchade/gliner_medium-v2.1",
        )


class TorchQuality(EmbeddedQuality):
    """A QualityScorer on GPT-2, BARTScore and SOME; what they said is kept in the cache.

    Texts are taken as the embedded provider takes them. Names are found by GLiNER where there is a folder for
    it, else by rule. A text without words is the worst there is: its SOME is 0.
    """

    def __init__(
        self,
        folders: Folders,
        embedder: Embedder,
        cache: Cache,
        *,
        format: Format | None = None,
        weights: Weights | None = None,
        threads: int = 0,
    ) -> None:
        finder = GlinerFinder(folders.gliner) if folders.gliner else None
        gpt2 = CachedScorer(Gpt2Scorer(folders.gpt2, threads), cache)
        super().__init__(gpt2, embedder, finder, format=format)
        self._bart = CachedScorer(BartScorer(folders.bart, threads), cache)
        self._some = Some(folders, cache, weights or Weights(), threads)

    async def likelihood(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[float, ...]:
        """BARTScore from each source to its text: the mean log-probability of a token."""
        return await likelihoods_of(paired(texts, sources), self._bart)

    async def some(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[float, ...]:
        """SOME of each text, from 0 to 1 but for what the regressors overshoot."""
        given = [None] * len(texts) if sources is None else [plain(source) for source in sources]
        pairs: list[Pair] = list(zip([plain(text) for text in texts], given, strict=True))
        asked = [pair for pair in dict.fromkeys(pairs) if pair[0]]
        scores = dict(zip(asked, await self._some.score(asked, self._format), strict=True))
        return tuple(scores.get(pair, 0.0) for pair in pairs)

    async def meaning(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[Meaning, ...]:
        """How near each text is to its source, and which facts it changes by rule."""
        return await meaning_of(paired(texts, sources), self._embedder, None)


def open_quality(models: Models, *, format: Format | None = None) -> EmbeddedQuality:
    """A scorer on the embedded or the published models; these are looked for now, and may be fetched."""
    settings = models.settings
    if settings.quality == "embedded":
        return EmbeddedQuality(models.scorer(), models.embedder(), format=format)
    return TorchQuality(
        find_folders(settings), models.embedder(), models.cache, format=format, threads=settings.threads
    )
