"""Models as judges: marks by a rubric, comparisons, juries, how far raters agree, what a judge is worth."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
