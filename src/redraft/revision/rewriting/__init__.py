"""Rewriting a sentence without a model, by rules: each gives candidates, and says what they cost.

`cuts/` makes a sentence shorter, `splits/` makes two of it or one of two, `voice/` turns passives round,
`forms/` puts it into another tense, person or form, `wording/` changes its words. `edits.py` is what all of
them are made of.
"""
