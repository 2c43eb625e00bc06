"""Write a long piece by outline, draft, review, refine and finish, and keep the whole trajectory."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
