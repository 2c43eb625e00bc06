"""Running any work: jobs, engines that do them, results that survive anything. Knows no benchmark."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
