"""What the teacher is asked: a passage, one operation, and an example of it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from redraft.editor import Value
from redraft.errors import InputError
from redraft.notation import parse_toml
from redraft.train.damage.profile import damage, load_profile
from redraft.train.rows import read_objects
from redraft.train.teaching.drawing import draw_values
from redraft.train.teaching.passage import Passage

Values = Mapping[str, Value]
_NEEDS: Final = "id, task, input, prompt and max_tokens in a JSON object"


@dataclass(frozen=True, slots=True)
class TeacherRequest:
    """A prompt for the teacher, and what its answers are checked against.

    `reference` is the passage before it was damaged, where it was.
    """

    id: str
    task: str
    input: str
    prompt: str
    max_tokens: int
    temperature: float = 0.0
    samples: int = 1
    set: str = ""
    licence: str = ""
    values: dict[str, Value] = field(default_factory=dict)
    reference: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The request as it is written to a file."""
        row = asdict(self)
        if not self.reference:
            del row["reference"]
        return row


_REQUEST: Final = TypeAdapter(TeacherRequest)


def draw_requests(
    texts: Iterable[tuple[str, str]], *, seed: int, tasks: Sequence[str]
) -> Iterator[TeacherRequest]:
    """A request of each text, which comes after where it is from, for a control that it is fit for.

    All controls have their turn as often as texts allow. To be corrected, a text is damaged first.
    """
    asked: Counter[str] = Counter()
    for where, text in texts:
        rng = Random(f"{seed}/{text}")
        passage = Passage(text)
        for task in sorted(tasks, key=lambda task: (asked[task], rng.random())):
            values = draw_values(task, passage, rng)
            if values is not None:
                yield _request(f"{task}-{asked[task]}", task, where, passage, values, rng)
                asked[task] += 1
                break


def _request(
    name: str, task: str, where: str, passage: Passage, values: dict[str, Value], rng: Random
) -> TeacherRequest:
    text, reference = passage.text, ""
    if task == "fluency":
        text, reference = damage(passage.text, load_profile("learner"), rng).text, passage.text
    prompt = teacher_prompt(task, text, values, rng)
    room = answer_room(task, passage)
    return TeacherRequest(name, task, text, prompt, room, set=where, values=values, reference=reference)


def read_requests(path: Path) -> Iterator[TeacherRequest]:
    """The requests of a file."""
    for where, row in read_objects(path, _NEEDS):
        try:
            yield _REQUEST.validate_python(row)
        except ValidationError as error:
            problem = error.errors()[0]
            raise InputError(f"{where}: {'.'.join(map(str, problem['loc']))}: {problem['msg']}") from None


def teacher_prompt(task: str, text: str, values: Values, rng: Random) -> str:
    """The whole message to the teacher, with two of the control's examples."""
    prompts, control = _prompts(), _prompts()[task]
    label = control.get("label", "Rewritten:")
    shown = (
        _filled(prompts["example"], {**example, "label": _filled(label, example)})
        for example in rng.sample(control["examples"], 2)
    )
    filled = {"text": text, **values, **_derived(task, text, values)}
    return _filled(
        prompts["form"],
        {
            "ask": _filled(control["ask"], filled),
            "examples": "\n\n".join(shown),
            "text": filled["text"],
            "label": _filled(label, filled),
        },
    )


def _derived(task: str, text: str, values: Values) -> Values:
    """What follows from a value: the age of a grade, how many sentences, where the word stands."""
    if task == "without_word":
        return {"text": re.sub(rf"(?i)\b({re.escape(str(values['word']))})\b", r"[\1]", text)}
    if task == "simpler":
        return {"age": int(values["n"]) + 5}
    if task == "split":
        return {"parts": max(2, math.ceil(len(text.split()) / int(values["n"])))}
    return {}


def answer_room(task: str, passage: Passage) -> int:
    """Tokens that an answer may take: some more than the passage has."""
    return 32 + passage.words * (5 if task in ("split", "simpler") else 4) // 2


def _filled(template: str, values: Values) -> str:
    return re.sub(r"\{(\w+)\}", lambda place: str(values[place[1]]), template)


@cache
def _prompts() -> dict[str, Any]:
    path = files(__package__) / "data" / "prompts.toml"
    return parse_toml(path.read_text(encoding="utf-8"))
