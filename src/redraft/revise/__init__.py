"""Revising a text under constraints: tools, plans, a search over revisions, and repair that is verified."""
