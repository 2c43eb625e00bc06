"""Judges of simplifications, what they are shown (alignments, parses), and how two of them differ."""
