"""Names by GLiNER (Zaratiana et al., 2024); dates, numbers and citations by rule, as ever."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError, ModelError
from redraft.notation import parse_json
from redraft.text import Document, Entity, EntityKind, RuleFinder

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
