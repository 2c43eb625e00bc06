"""Revise text under constraints that can be checked.

>>> import redraft
>>> instruction = redraft.parse("At most 250 words, and never say 'synergy'. Make it friendlier.")
>>> [constraint.call for constraint in instruction.constraints]
['word_count_check(251, "less than")', 'keyword_keep_removal_check("synergy", "remove")']
>>> instruction.style
'Make it friendlier'
>>> redraft.check("Synergy is back.", instruction.constraints).met
False
"""

__version__ = "0.1.0"

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
