"""What a larger editor is asked of an edit, and answers with yes or no: does it say what its source says?

It learnt it from answers of its own that were read sentence by sentence (`benchmarks/labelled.py`).
"""

from __future__ import annotations

from typing import Final

VERDICTS: Final = {
    "same": "Say yes if the second text says the same as the first, and no if not",
    "kept": "Say yes if the second text keeps what matters of the first, and no if not",
}
"""How it is put, in training and in use: of a rewording, and of a cut."""
YES: Final = "yes"
NO: Final = "no"


def verdict_input(source: str, text: str) -> str:
    """An edit and its source, each on a line of its own.

    >>> verdict_input("It rained.", "It did not rain.")
    'It rained.\\nIt did not rain.'
    """
    return "\n".join(" ".join(one.split()) for one in (source, text))
