"""Revising a text under constraints: tools, plans, a search over revisions, and repair that is verified."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
