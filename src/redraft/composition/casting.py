"""Who plays each role: the engine of the embedded model, or a model that is asked."""

from __future__ import annotations

from typing import Final

from redraft.composition.actions import Action
from redraft.composition.asking import ModelReasoner, ModelRefiner, ModelReviewer, ModelWriter
from redraft.composition.base import Roles
from redraft.composition.brief import Brief
from redraft.composition.small.choosing import SmallReasoner
from redraft.composition.small.refining import SmallRefiner
from redraft.composition.small.reviewing import SmallReviewer
from redraft.composition.small.writing import SmallWriter
from redraft.errors import InputError
from redraft.models import EMBEDDED, Models
from redraft.revision import SMALL
from redraft.settings import Settings

ROLES: Final = ("reasoner", "writer", "reviewer", "refiner")
_WHO: Final = {"draft": "writer", "review": "reviewer", "refine": "refiner"}


def cast(models: Models, seed: int) -> Roles:
    """The roles as the settings fill them."""
    reasoner, writer, reviewer, refiner = (models.for_role(role) for role in ROLES)
    embedder = models.embedder()
    return Roles(
        SmallReasoner(reasoner, embedder, seed) if reasoner.spec in SMALL else ModelReasoner(reasoner, seed),
        SmallWriter(writer, embedder, seed) if writer.spec in SMALL else ModelWriter(writer, seed),
        SmallReviewer(embedder) if reviewer.spec in SMALL else ModelReviewer(reviewer, seed),
        SmallRefiner(SmallWriter(refiner, embedder, seed), embedder)
        if refiner.spec in SMALL
        else ModelRefiner(refiner, seed),
    )


def player(action: Action) -> str:
    """The role that does an action."""
    return _WHO.get(action.name, "reasoner")


def check_language(brief: Brief, settings: Settings) -> None:
    """Raise where a piece in Chinese falls to a model that knows none."""
    if brief.language == "zh" and any(settings.spec_for(role) in EMBEDDED for role in ROLES):
        raise InputError("the embedded model knows no Chinese: name another with --model")
