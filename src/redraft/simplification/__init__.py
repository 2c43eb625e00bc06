"""Simplify a text by a stated policy, judge simplifications by it, and make preference data of that."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
