"""Instructions in plain English, read as constraints and a style part, by rules and without a model.

`tokens` and `quotes` cut the text into words, numbers and quotations, line by line; `lexicon` and `chunks`
give every phrase a tag; the other modules fold what belongs together and
match rules against the tags, one subject each; `style` is what is left.
"""

from .parsing import Instruction, parse

__all__ = ["Instruction", "parse"]
