"""The ground floor: documents, their sentences and words, and what became of them in a revision."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
