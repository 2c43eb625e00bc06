"""Revise a text under constraints.

`revising.py` is where it begins, and `rephrasing.py` says one sentence in other ways. What all parts share:
the task, the draft in units, the records, and the numbers of `tuning.py`. The parts in the order of the work:
`wishes/` reads what no constraint says, `first/` does what needs no search, and one of the `strategies/` does
the rest by a `search/`. It asks the editor (`editing/`) or larger models (`asking/`), and what they answer is
held against rules and a judge (`judging/`), mended (`corrections/`) and made to obey (`choosing/`).
`rewriting/` is what can be done to a sentence without a model, `showing/` what is told of a revision.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
