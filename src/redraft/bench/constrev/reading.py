"""Reading ConsTRev: our records, the published files as their authors distribute them, and plain texts.

Ours has an object a line with `id`, `level`, `instruction`, `text`, `calls`; of what the builder adds,
`set` is read. `published` may hold outputs of other systems by name, `plan` a person's plan.

The authors' files (`test.agent.constraint_2.jsonl`) have their planner's whole prompt in `test_input`, the
instruction and the text at its tail, and the calls under `tool_test_result`, at times several in one string,
joined by semicolons. Their level stands in the name of the file.

A line with a `text` and no instruction is a text to improve: LaTeX, if it looks like that. So is a paper of
TETRA, with a person's plan for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from redraft.bench.benchmark import Sample
from redraft.bench.constrev.tetra import tetra_files, tetra_samples
from redraft.constraints import parse_call
from redraft.errors import CallError, InputError
from redraft.notation import parse_json
from redraft.text import guess_format

BUILT: Final = "constrev.jsonl"
"""The records of `redraft bench build`; what it rejected lies beside them."""
IMPROVE: Final = "Improve this text."
TASK: Final = "constrained revision"
GROUP_OF: Final = {
    "sentence_modification_check": "sentence",
    "word_count_check": "length",
    "sentence_count_check": "length",
    "sentence_length_check": "length",
    "keyword_keep_removal_check": "keyword",
    "keyword_frequency_check": "keyword",
}
"""The three groups of Table 11, by the kind of constraint; ours has more kinds."""

_LAST_WORDS: Final = re.compile(r"###OBSERVATION: Tool's output result\.\"?\s*")
_MOST: Final = 9
"""The highest level there may be; the paper's is 4."""
_LEVEL: Final = re.compile(r"constraint_(\d)")
_CALLS: Final = re.compile(r";\s*(?=[a-z_]+\()")


def read_samples(path: Path) -> Iterator[Sample]:
    """The samples of a file, of a folder that was built, of TETRA, or of every .jsonl file in a folder."""
    if tetra_files(path):
        yield from tetra_samples(path, TASK, IMPROVE)
        return
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    files = [file for file in files if file.name == BUILT] or files
    if not files:
        raise InputError(f"{path} has no .jsonl files: ConsTRev is a JSON object a line")
    for file in files:
        try:
            with file.open(encoding="utf-8") as lines:
                yield from _samples(lines, file)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{file} cannot be read: {error}") from None


def _samples(lines: Iterable[str], file: Path) -> Iterator[Sample]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
            if not isinstance(record, dict):
                raise InputError("it should be an object")
            yield _published(record, file) if "test_input" in record else _own(record)
        except (ValueError, KeyError, TypeError, AttributeError, CallError, InputError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(f"{file}, line {number}: {what}") from None


def _own(record: dict[str, Any]) -> Sample:
    text, calls = _text(record, "text"), record.get("calls", [])
    if not isinstance(calls, list) or not all(isinstance(call, str) for call in calls):
        raise InputError("calls should be a list of strings")
    name = str(record["id"])
    if "instruction" not in record and "level" not in record:
        is_latex = guess_format(text) == "latex"
        return Sample(
            name, "latex" if is_latex else "L0", TASK, text, (), instruction=IMPROVE,
            format="latex" if is_latex else "text",
        )  # fmt: skip
    is_single = record.get("set") == "single"
    level = record["level"]
    if not isinstance(level, int) or not 0 <= level <= _MOST:
        raise InputError(f"level should be a number from 0 to {_MOST}, not {level!r}")
    others = record.get("published", {})
    if not isinstance(others, dict) or not all(isinstance(each, str) for each in others.values()):
        raise InputError("published should have texts by the names of systems")
    return Sample(
        name,
        _group(calls) if is_single else f"L{level}",
        TASK,
        text,
        (),
        instruction=_text(record, "instruction"),
        calls=_checked(calls),
        plan=_text(record, "plan") if "plan" in record else "",
        others=others,
    )


def _text(record: dict[str, Any], name: str) -> str:
    if not isinstance(record[name], str):
        raise InputError(f"{name} should be a text, not {record[name]!r}")
    return str(record[name])


def _published(record: dict[str, Any], file: Path) -> Sample:
    level = _LEVEL.search(file.name)
    if level is None:
        raise InputError(
            "the level should stand in the name of the file, as in test.agent.constraint_2.jsonl"
        )
    asked = _LAST_WORDS.split(str(record["test_input"]))[-1]
    instruction, blank, text = asked.partition("\n\n")
    if not blank or not text.strip():
        raise InputError("an instruction, an empty line and the text should stand at the end of test_input")
    found = record.get("tool_test_result", {}).get("constraint_info", ())
    calls = _checked(call for joined in found for call in _CALLS.split(joined) if call != "text_eval()")
    name = f"L{level[1]}-{int(record['id']):03}"
    return Sample(name, f"L{level[1]}", TASK, text, (), instruction=instruction.strip(), calls=calls)


def _checked(calls: Iterable[str]) -> tuple[str, ...]:
    """The calls in our spelling; one that is none is an error."""
    return tuple(parse_call(call).call for call in calls)


def _group(calls: Iterable[str]) -> str:
    """The group of a record with one constraint, which may be two calls."""
    return next((GROUP_OF.get(parse_call(call).name, "other") for call in calls), "other")
