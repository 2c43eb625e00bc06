"""A stand-in for a strong model: an OpenAI-compatible service that answers with published revisions.

    python benchmarks/replay.py DATA [--port 8123] [--compare better|original|random] [--seed 0]
    redraft revise TEXT -i INSTRUCTION --model http://127.0.0.1:8123/v1#gpt_4o

DATA has a JSON object a line: `id`, `instruction`, `text`, `published` (revisions by the name of a model,
which is the name to ask for) and, if there are any, `calls`, as in ConsTRev. A request for a revision is
answered with the published one of its text and its instruction, whole or the sentences that are asked for;
plans name the sentences that it changes, reviews find nothing wrong, and comparisons are answered as
`--compare` says.
What is asked in any other way, or of any other text, is an error (status 404): nothing is made up.

Requests are recognised by the prompts of `redraft.revision` themselves: see FORMS.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import string
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, Self, get_args

from redraft.models import Prompts
from redraft.text import Document, align

Preference = Literal["better", "original", "random"]
CHARACTERS_A_TOKEN = 4
_NUMBERED = re.compile(r"^\[(\d+)\](?: \(fixed\))? (.+)$", re.MULTILINE)
_OMITTED = "\nMay be left out"
_PLANNED = re.compile(r"^Sentence: (.+)\nTo do: (.+)$", re.MULTILINE)
_ITEM = re.compile(r"\bas item (\S+) has it\b")
_CANDIDATE = re.compile(r"^<candidate_([ab])>\n(.*?)\n</candidate_\1>$", re.MULTILINE | re.DOTALL)


class NotRecognisedError(Exception):
    """A request that nothing is known to answer; it says why."""


def key(text: str) -> str:
    """The letters and digits of a text: the same however it is spaced."""
    return "".join(character for character in text.casefold() if character.isalnum())


@dataclass(frozen=True)
class Item:
    """A text, what was asked of it, and what a model made of it."""

    id: str
    instruction: str
    text: str
    revision: str
    calls: tuple[str, ...] = ()

    @cached_property
    def changes(self) -> Mapping[str, str]:
        """What became of each sentence, by its key: a text that is empty where it was left out.

        Of sentences that became one, the first has it; a sentence that is new stands behind the one before.
        """
        before, after = Document(self.text), Document(self.revision)
        found = dict.fromkeys(range(1, len(before.sentences) + 1), "")
        place = 1
        for link in align(before, after):
            place = min(link.original, default=place)
            new = " ".join(after.sentence(number).text for number in link.revised)
            found[place] = f"{found[place]} {new}".strip()
        return {key(before.sentence(number).text): new for number, new in found.items()}

    @cached_property
    def sentences(self) -> frozenset[str]:
        """The keys of all sentences, before and after."""
        return frozenset((*self.changes, *(key(one.text) for one in Document(self.revision).sentences)))

    def revised(self, sentence: str) -> str:
        """What became of a sentence; one that is not of the original stays as it is."""
        return self.changes.get(key(sentence), sentence)


def read_items(path: Path, model: str) -> tuple[Item, ...]:
    """The items of a file that a model has revised."""
    rows = map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
    return tuple(
        Item(row["id"], row["instruction"], row["text"], row["published"][model], tuple(row.get("calls", ())))
        for row in rows
        if model in row["published"]
    )


Values = Mapping[str, str]
"""What stands in the blanks of a prompt."""


@dataclass(frozen=True)
class Form:
    """A way of asking: the prompts it is made of, one a message, and how it is answered."""

    prompts: tuple[str, ...]
    answer: Callable[[Replay, Values, Mapping[str, Any]], str]
    package: str = "redraft.revision.asking"

    def values(self, messages: Sequence[Mapping[str, str]]) -> Values | None:
        """What the blanks were filled with; None where these are other prompts."""
        if len(messages) < len(self.prompts):
            return None
        found: dict[str, str] = {}
        for name, message in zip(self.prompts, messages, strict=False):
            opening, pattern = _pattern(self.package, name)
            said = message["content"]
            match = pattern.fullmatch(said) if said.startswith(opening) else None
            if match is None:
                return None
            found |= match.groupdict()
        return found


@cache
def _pattern(package: str, name: str) -> tuple[str, re.Pattern[str]]:
    """How a prompt begins, and the whole with its blanks as groups; one that is not there fits none."""
    try:
        parts = list(string.Formatter().parse(Prompts(package).template(name)))
    except FileNotFoundError:
        return "", re.compile("(?!)")
    written = "".join(re.escape(words) + (f"(?P<{blank}>.*?)" if blank else "") for words, blank, *_ in parts)
    return parts[0][0], re.compile(written, re.DOTALL)


def _numbered(values: Values) -> dict[str, str]:
    """The numbered sentences of a request; where blanks adjoin, the pattern may take some for checks."""
    return dict(_NUMBERED.findall(f"{values['sentences']}\n{values.get('checks', '')}"))


@dataclass
class Replay:
    """Answers to requests, from the items of one model."""

    items: Sequence[Item]
    compare: Preference = "better"
    seed: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """How often each form was asked for, by its last prompt."""

    def answer(self, body: Mapping[str, Any]) -> str:
        """The answer to the body of a request."""
        for form in FORMS:
            if (values := form.values(body["messages"])) is not None:
                self.counts[form.prompts[-1]] += 1
                return form.answer(self, values, body)
        raise NotRecognisedError(f"no form of request begins so: {body['messages'][0]['content'][:120]!r}")

    def find(self, values: Values, sentences: Iterable[str]) -> Item:
        """The item of an instruction and a text, which may be a part of it, or partly revised already."""
        keys = {key(sentence) for sentence in sentences}
        asked = " ".join(values.get("instruction", "").split())
        named = set(_ITEM.findall(" ".join(values.values())))
        found = [
            (len(keys & item.sentences), item)
            for item in self.items
            if (item.id in named if named else not asked or " ".join(item.instruction.split()) == asked)
        ]
        most = max((score for score, _ in found), default=0)
        best = [item for score, item in found if score == most > 0]
        if len(best) != 1:
            told = f"{len(best)} items have" if best else "no item has"
            raise NotRecognisedError(f"{told} the instruction {asked[:120]!r} and this text")
        return best[0]

    def whole_text(self, values: Values, body: Mapping[str, Any]) -> str:
        """The revision, or that of a section of the text."""
        document = Document(values["text"])
        item = self.find(values, [sentence.text for sentence in document.sentences])
        if key(document.text) == key(item.text):
            return item.revision
        return " ".join(filter(None, (item.revised(sentence.text) for sentence in document.sentences)))

    def thought_text(self, values: Values, body: Mapping[str, Any]) -> str:
        """The revision after a thought; alone, where it is asked for again."""
        text = self.whole_text(values, body)
        again = len(body["messages"]) > 1
        return text if again else f"The request is to be met in full.\n\nREVISED TEXT:\n{text}"

    def same_text(self, values: Values, body: Mapping[str, Any]) -> str:
        """The text as it is: what was published is all there is."""
        return values["text"]

    def one_sentence(self, values: Values, body: Mapping[str, Any]) -> str:
        """What became of a sentence; itself where it was left out."""
        item = self.find(values, [values["text"]])
        return item.revised(values["text"]) or values["text"]

    def planned_text(self, values: Values, body: Mapping[str, Any]) -> str:
        """The sentences of a text that is written by a plan, those with nothing to do as they are."""
        planned = _PLANNED.findall(values["sentences"])
        item = self.find(values, [sentence for sentence, _ in planned])
        texts = (sentence if todo == "nothing" else item.revised(sentence) for sentence, todo in planned)
        return " ".join(filter(None, texts))

    def some_sentences(self, values: Values, body: Mapping[str, Any]) -> str:
        """The sentences of the to-do list that were changed; one is left out only where it may be."""
        shown = _numbered(values)
        item = self.find(values, shown.values())
        todo, _, omitted = (values["todo"] + values["omitted"]).partition(_OMITTED)
        numbers = re.findall(r"^\[(\d+)\]", todo, re.MULTILINE) or list(shown)
        omittable = re.findall(r"\[(\d+)\]", omitted)
        lines = [
            f"[{number}] {new}".strip()
            for number in numbers
            if (new := item.revised(shown[number])) != shown[number] and (new or number in omittable)
        ]
        return "\n".join(lines) or "none"

    def plan(self, values: Values, body: Mapping[str, Any]) -> str:
        """The calls of the item, and the sentences that its revision changes."""
        calls = self.find(values, _numbered(values).values()).calls
        thought = "THOUGHT: The request is to be met in full, and the text to read better."
        return "\n".join((thought, "CALLS:", *calls, "PLAN:", self.advice(values, body)))

    def advice(self, values: Values, body: Mapping[str, Any]) -> str:
        """A line for each sentence that the revision changes."""
        shown = _numbered(values)
        item = self.find(values, shown.values())
        lines = (
            f"{number}: {'rewrite it' if new else 'leave it out'} as item {item.id} has it"
            for number, sentence in shown.items()
            if (new := item.revised(sentence)) != sentence
        )
        return "\n".join(lines) or "none"

    def review(self, values: Values, body: Mapping[str, Any]) -> str:
        """Nothing wrong."""
        return "none"

    def comparison(self, values: Values, body: Mapping[str, Any]) -> str:
        """The letter of the version that is preferred."""
        return self.preferred(values["first"], values["second"])

    def judgement(self, values: Values, body: Mapping[str, Any]) -> str:
        """What a judge says of two candidates, in each of its aspects."""
        shown = dict(_CANDIDATE.findall(values["material"]))
        letter = self.preferred(shown["a"], shown["b"])
        schema = body["response_format"]["json_schema"]["schema"]
        return json.dumps(
            {name: letter if "enum" in kind else "as told" for name, kind in schema["properties"].items()}
        )

    def preferred(self, first: str, second: str) -> str:
        """A or B; between two revisions, the one that has more of what was published."""
        if self.compare == "random":
            return random.Random(f"{self.seed}\0{first}\0{second}").choice("AB")
        originals = {key(item.text) for item in self.items}
        if key(first) in originals or key(second) in originals:
            revision_first = key(second) in originals
            return "A" if revision_first == (self.compare == "better") else "B"
        published = frozenset[str]().union(*(item.sentences - item.changes.keys() for item in self.items))
        one, other = (
            sum(key(sentence.text) in published for sentence in Document(text).sentences)
            for text in (first, second)
        )
        return "A" if one >= other else "B"


FORMS = (
    Form(("direct",), Replay.whole_text),
    Form(("iterate",), Replay.whole_text),
    Form(("cot",), Replay.thought_text),
    Form(("amend",), Replay.same_text),
    Form(("rewrite",), Replay.planned_text),
    Form(("apply",), Replay.planned_text),
    Form(("sentence",), Replay.one_sentence),
    Form(("reviser", "revise_request"), Replay.some_sentences),
    Form(("planner", "planner_example", "planner_answer", "plan_request"), Replay.plan),
    Form(("plan_only",), Replay.advice),
    Form(("feedback", "feedback_request"), Replay.review),
    Form(("compare",), Replay.comparison),
    Form(("compare", "compare_request"), Replay.judgement, "redraft.judge"),
)
"""Every form that is known; more messages, such as what was wrong with an answer, may follow its own."""


class ReplayServer:
    """The service, on loopback, while it is used as a context; its models are those of the file."""

    def __init__(self, path: Path, *, compare: Preference = "better", seed: int = 0, port: int = 0) -> None:
        rows = map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
        names = sorted({name for row in rows for name in row["published"]})
        self.models = {name: Replay(read_items(path, name), compare, seed) for name in names}
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
        self._server.replay = self  # type: ignore[attr-defined]

    @property
    def url(self) -> str:
        """The address, less the name of a model."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A chat completion; as of a real model, it is cut off where it takes more tokens than it may."""
        name = body["model"]
        if name not in self.models:
            raise NotRecognisedError(f"there is no model {name!r}")
        text = self.models[name].answer(body)
        most = CHARACTERS_A_TOKEN * (body.get("max_completion_tokens") or body.get("max_tokens") or len(text))
        choice = {
            "finish_reason": "length" if len(text) > most else "stop",
            "message": {"role": "assistant", "content": text[:most]},
        }
        read = sum(len(message["content"]) for message in body["messages"]) // CHARACTERS_A_TOKEN
        written = len(text[:most]) // CHARACTERS_A_TOKEN + 1
        count = body.get("n") or 1
        return {
            "id": "replay",
            "object": "chat.completion",
            "created": 0,
            "model": name,
            "choices": [{"index": index, **choice} for index in range(count)],
            "usage": {"prompt_tokens": read, "completion_tokens": count * written},
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _replay(self) -> ReplayServer:
        replay: ReplayServer = self.server.replay  # type: ignore[attr-defined]
        return replay

    def do_GET(self) -> None:
        """The list of models."""
        names = self._replay.models
        self._send(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in names]})

    def do_POST(self) -> None:
        """A chat completion, or what was not recognised."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            self._send(200, self._replay.reply(body))
        except NotRecognisedError as error:
            self._send(404, {"error": {"message": f"replay: {error}", "type": "not_recognised"}})

    def log_message(self, *_: object) -> None:
        return

    def _send(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    """Serve until interrupted, then say what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--compare", choices=get_args(Preference), default="better")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    server = ReplayServer(options.data, compare=options.compare, seed=options.seed, port=options.port)
    for name, replay in server.models.items():
        print(f"{server.url}#{name}  {len(replay.items)} revisions")
    with server:
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            for name, replay in server.models.items():
                print(name, dict(replay.counts))


if __name__ == "__main__":
    main()
