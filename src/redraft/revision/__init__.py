"""Revise a text under constraints.

The files in the order of the work: task, draft, plans, candidates, appraisal, selection, repair, expansion,
search, evaluation, revising; then trace, page and explain, which show what was done, and rephrasing: other
ways to say one sentence. `asking/` holds what is said to a model and read from its answers, `rewriting/` what
can be done to a sentence without one.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
