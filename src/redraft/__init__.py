"""Revise text under constraints that can be checked."""

__version__ = "0.1.0"
