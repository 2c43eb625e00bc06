"""The workbench in the browser and the HTTP API: they ask the workspace, and hold no logic of their own."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
