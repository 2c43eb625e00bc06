"""The roles as a prompted model plays them, in English and in Chinese."""

from redraft.compose.asking.reasoner import ModelReasoner
from redraft.compose.asking.reviewer import ModelReviewer
from redraft.compose.asking.writer import ModelRefiner, ModelWriter

__all__ = ["ModelReasoner", "ModelRefiner", "ModelReviewer", "ModelWriter"]
