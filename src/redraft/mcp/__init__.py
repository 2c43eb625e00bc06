"""The Model Context Protocol: assistants parse, check, revise, simplify and score texts as tools."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
