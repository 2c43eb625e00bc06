"""Models that write, score and embed, named by a spec such as `embedded` or `openai:MODEL`."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
