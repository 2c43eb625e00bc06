"""What a judge of simplifications is shown: which words became which, and how sentences are built."""

from redraft.simplification.evidence.alignment import Aligner, Alignment, Link
from redraft.simplification.evidence.opening import check_parser, open_parser
from redraft.simplification.evidence.parsing import Parsed, Parser
from redraft.simplification.evidence.trees import Tree, read_tree

__all__ = [
    "Aligner",
    "Alignment",
    "Link",
    "Parsed",
    "Parser",
    "Tree",
    "check_parser",
    "open_parser",
    "read_tree",
]
