"""`python -m redraft`."""

from redraft.cli import main

main()
