"""Simplifying without a model worth prompting: single changes, weighed, and the best of them made."""

from redraft.simplification.engine.changes import Change
from redraft.simplification.engine.engine import Engine, Simplified

__all__ = ["Change", "Engine", "Simplified"]
