"""Reference-based scores of an edit: statistics first; score, interval and tests derived once for all."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
