"""Reference-free scores of a text: how fluent it is, how correct, and how true to its source."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
