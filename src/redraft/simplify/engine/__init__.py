"""Simplifying without a model worth prompting: single changes, weighed, and the best of them made."""

from redraft.simplify.engine.changes import Change
from redraft.simplify.engine.engine import Engine, Simplified

__all__ = ["Change", "Engine", "Simplified"]
