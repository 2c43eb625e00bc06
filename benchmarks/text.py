"""Speed and memory of documents as they grow: python benchmarks/text.py [largest size in MB]."""

from __future__ import annotations

import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial

from redraft.text import Document, Format, Sentence, align, count_words, mask

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
ALIGNED = (250, 500, 1_000, 2_000, 4_000, 8_000)
OPENING = ("The", "A", "In 2019, the", "However, Dr. Reed's", "Our", "See Fig. 3: the")
NOUNS = ("river", "committee", "method", "city", "teacher", "engine", "letter", "garden", "market", "signal")
VERBS = (
    "carried",
    "described",
    "improved by 3.5%",
    "ignored",
    "reached (at last)",
    "repeated",
    "lost",
    "found",
)

MARKED_UP: dict[Format, str] = {
    "markdown": "See [the *page*](https://example.org/a) and `x = 1`.\n\n- an item\n- **another**\n\n",
    "latex": "See \\emph{the page}~\\cite{a,b}, where $x = 1$.\n\\begin{equation} x = y \\end{equation}\n\n",
}


def prose(size: int, seed: int = 1) -> str:
    """English-like prose in paragraphs of five sentences."""
    dice = random.Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        parts.append(sentence(dice) + ("\n\n" if len(parts) % 5 == 4 else " "))
        length += len(parts[-1])
    return "".join(parts)[:size]


def sentence(dice: random.Random) -> str:
    """One sentence, with a number in it so that few are alike."""
    return (
        f"{dice.choice(OPENING)} {dice.choice(NOUNS)} {dice.choice(VERBS)} the {dice.choice(NOUNS)} "
        f"of item {dice.randrange(10_000)}, and the {dice.choice(NOUNS)} {dice.choice(VERBS)} it, e.g. twice."
    )


def one_line(size: int) -> str:
    """The same prose with no line break."""
    return prose(size).replace("\n\n", " ")


def stops(size: int) -> str:
    """Nothing but full stops."""
    return "." * size


def sentences(text: str, format: Format = "text") -> tuple[Sentence, ...]:
    """The work of segmentation."""
    return Document(text, format).sentences


def marked_up(size: int, format: Format) -> str:
    """The same prose with a link, some code or maths, and emphasis in each paragraph."""
    return "".join(paragraph + "\n" + MARKED_UP[format] for paragraph in prose(size).split("\n\n"))[:size]


def measured(run: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds of one run, and the peak of memory in MB of another: watching memory takes time."""
    started = time.process_time()
    run()
    seconds = time.process_time() - started
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return seconds, peak / 1e6


def by_size(name: str, make: Callable[[int], str], run: Callable[[str], object], largest: int) -> None:
    for size in SIZES:
        if size > largest:
            break
        text = make(size)
        seconds, peak = measured(partial(run, text))
        speed = size / seconds / 1e6
        print(f"{name:<24}{size:>12,} B{seconds * 1e3:>12.1f} ms{speed:>9.2f} MB/s{peak:>10.1f} MB")


def aligned(share: float) -> None:
    for count in ALIGNED:
        dice = random.Random(2)
        before = [sentence(dice) for _ in range(count)]
        after = [line.replace(" the ", " some ", 1) if dice.random() < share else line for line in before]
        original, revised = Document(" ".join(before)), Document(" ".join(after))
        seconds, peak = measured(partial(align, original, revised))
        print(f"align, {share:>4.0%} changed{count:>12,} sentences{seconds * 1e3:>10.1f} ms{peak:>22.1f} MB")


def main() -> None:
    """Print a table; time per byte should stay the same from line to line."""
    largest = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else SIZES[-1]
    by_size("segment", prose, sentences, largest)
    by_size("segment, one line", one_line, sentences, largest)
    by_size("segment, only stops", stops, sentences, largest)
    by_size("count words", prose, count_words, largest)
    by_size("words of a document", prose, lambda text: Document(text).words, largest)
    for format in MARKED_UP:
        make = partial(marked_up, format=format)
        by_size(f"segment {format}", make, partial(sentences, format=format), largest)
        by_size(f"mask {format}", make, partial(mask, format=format), largest)
    for share in (0.1, 1.0):
        aligned(share)


if __name__ == "__main__":
    main()
