"""What every test needs."""

from __future__ import annotations

import signal

# A shell that runs the tests in the background makes them ignore Ctrl-C, and with them every process that they
# start; but some tests are about Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
