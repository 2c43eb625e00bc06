"""Instructions in plain English, read as constraints and a style part, by rules and without a model.

`tokens` cuts the text into words, numbers and quotations, line by line; `lexicon` gives every phrase a tag,
and `patterns` says how rules are written over tags. `bounds` reads numbers with their relations, `governors`
finds the verb that an item belongs to; `counts`, `keywords`, `sentences` and `other_kinds` read the
constraints, `style` is what is left, and `parsing` does all of it in order.
"""

from .parsing import Instruction, parse

__all__ = ["Instruction", "parse"]
