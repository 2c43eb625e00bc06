"""The editor: asks a model for edits, and chooses among them."""

from redraft.editor.choice import NAMES, WEIGHTS, Candidate, Weights, best, choose, features
from redraft.editor.editor import TEMPERATURE, Edit, Editor, answers, gathered
from redraft.editor.kinds import KINDS, Kind, kind_of
from redraft.editor.prompt import ADAPTER, editor_messages, room
from redraft.editor.tidying import runs_away, tidied, usable

__all__ = [
    "ADAPTER",
    "KINDS",
    "NAMES",
    "TEMPERATURE",
    "WEIGHTS",
    "Candidate",
    "Edit",
    "Editor",
    "Kind",
    "Weights",
    "answers",
    "best",
    "choose",
    "editor_messages",
    "features",
    "gathered",
    "kind_of",
    "room",
    "runs_away",
    "tidied",
    "usable",
]
