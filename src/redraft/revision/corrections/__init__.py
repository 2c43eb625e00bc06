"""Errors and what is right: patterns, spelling, the edit tagger, and which edits are taken."""
