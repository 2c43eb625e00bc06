"""`redraft sentences`: the sentences of a text, numbered as every command counts them."""

from __future__ import annotations

from dataclasses import asdict

from redraft.cli.frame import put, put_json
from redraft.cli.options import Counting, File, Json, MarkUp, format_of, reading_settings, warn_of_language
from redraft.constraints import read
from redraft.text import read_text


def sentences(
    file: File,
    counting: Counting = None,
    format: MarkUp = None,
    json: Json = False,
) -> None:
    """List the sentences, numbered as every command counts them, with their words."""
    settings = reading_settings(counting, format)
    text = read_text(file)
    warn_of_language(text)
    reading = read(text, settings.counting, format_of(settings, text, file))
    rows = list(zip(reading.sentences, reading.sentence_words, strict=True))
    if json:
        put_json([{**asdict(sentence), "words": words} for sentence, words in rows])
        return
    width = len(str(len(rows)))
    widest = max((len(str(words)) for _, words in rows), default=1)
    for sentence, words in rows:
        unit = "word " if words == 1 else "words"
        put(f"{sentence.number:>{width}}  {words:>{widest}} {unit}  {' '.join(sentence.text.split())}\n")
