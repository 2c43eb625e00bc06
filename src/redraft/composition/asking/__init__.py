"""The roles as a prompted model plays them, in English and in Chinese."""

from redraft.composition.asking.reasoner import ModelReasoner
from redraft.composition.asking.reviewer import ModelReviewer
from redraft.composition.asking.writer import ModelRefiner, ModelWriter

__all__ = ["ModelReasoner", "ModelRefiner", "ModelReviewer", "ModelWriter"]
