"""The roles as a prompted model plays them, in English and in Chinese."""

from __future__ import annotations

from redraft.compose.asking.reasoner import ModelReasoner
from redraft.compose.asking.reviewer import ModelReviewer
from redraft.compose.asking.writer import ModelRefiner, ModelWriter
from redraft.compose.base import Roles
from redraft.models import Models

__all__ = ["ModelReasoner", "ModelRefiner", "ModelReviewer", "ModelWriter", "asked_roles"]


def asked_roles(models: Models, seed: int = 0) -> Roles:
    """Each role, played by the model that the settings name for it."""
    return Roles(
        ModelReasoner(models.for_role("reasoner"), seed),
        ModelWriter(models.for_role("writer"), seed),
        ModelReviewer(models.for_role("reviewer"), seed),
        ModelRefiner(models.for_role("refiner"), seed),
    )
