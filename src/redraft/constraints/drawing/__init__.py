"""Constraints drawn for a text: such as a revision of it is known to obey."""

from redraft.constraints.drawing.drawing import Drawn, draw
from redraft.constraints.drawing.kinds import KINDS
from redraft.constraints.drawing.witness import Pair

__all__ = ["KINDS", "Drawn", "Pair", "draw"]
