"""The provider of quality that the settings ask for."""

from __future__ import annotations

from redraft.models import Models
from redraft.quality.embedded import EmbeddedQuality
from redraft.quality.published import TorchQuality, find_folders
from redraft.text import Format


def open_quality(models: Models, *, format: Format | None = None) -> EmbeddedQuality | TorchQuality:
    """A scorer on the embedded or the published models; these are looked for now, and may be fetched."""
    settings = models.settings
    if settings.quality == "embedded":
        return EmbeddedQuality(models.scorer(), models.embedder(), format=format)
    return TorchQuality(
        find_folders(settings), models.embedder(), models.cache, format=format, threads=settings.threads
    )
