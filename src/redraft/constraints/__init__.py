"""Constraints that can be checked: kinds, counting, calls, instructions, checking, feasibility."""

from redraft.constraints.base import Constraint, Finding, Findings
from redraft.constraints.calls import Call, parse_call, read_call
from redraft.constraints.checking import check as check_constraints
from redraft.constraints.checking import constraints_of, infeasible
from redraft.constraints.counting import Reading, read
from redraft.constraints.feasibility import Conflict
from redraft.constraints.instruction import Instruction, parse_instruction
from redraft.constraints.registry import kinds
from redraft.constraints.render import render, worded

__all__ = [
    "Call",
    "Conflict",
    "Constraint",
    "Finding",
    "Findings",
    "Instruction",
    "Reading",
    "check_constraints",
    "constraints_of",
    "infeasible",
    "kinds",
    "parse_call",
    "parse_instruction",
    "read",
    "read_call",
    "render",
    "worded",
]
