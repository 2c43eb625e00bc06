"""`python -m redraft`."""

import os
import sys

# `python -m` looks for modules where the user stands, before anywhere else: a stranger's may lie there.
if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from redraft.cli import main

main()
