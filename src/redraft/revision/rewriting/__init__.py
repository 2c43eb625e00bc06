"""Rewriting a sentence without a model: splits, merges, compressions, extensions, keywords, corrections."""
