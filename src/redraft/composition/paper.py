"""The loop as the RAVEL paper has it (§3, Algorithm 1, Appendix G), to be checked against its figures.

The policy sees the whole state and names a tool with its parameters; the tool works on these alone. Each
answer is asked for once, without a schema: one that cannot be read is a failed step. Nothing is held back,
sent back or mended: any `finish` ends the work (Eq. 8), a review's score alone completes a section (Eq. 6),
the last version of a section stands, and an outline has as many sections as it has.

The prompts are ours, and files: DIR/en/NAME.md, DIR/zh/NAME.md. What a tool has to give back is named as in
the paper, so that its prompts can take the place of ours.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from pydantic import BaseModel, Field

from redraft.composition.actions import Action, Choice, Limits, Name
from redraft.composition.asking import TEMPERATURE, ThinkingRoom, prompt
from redraft.composition.brief import Brief, Language
from redraft.composition.model_roles import PlannedSection, Score
from redraft.composition.state import Outline, Review, SectionText, State, numbered
from redraft.composition.trajectory import Effect
from redraft.errors import BadAnswer, FileError, InputError
from redraft.judge import wrap_in_tags
from redraft.models import Message, Model, Request, json_values, read_answer
from redraft.revision import messages, shown

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
PARAMETERS: Final[Mapping[Name, tuple[str, ...]]] = {
    "outline": ("topic", "style_guide"),
    "draft": ("topic", "style_guide", "section_id", "section_title", "points", "prev_summary"),
    "review": ("section_id", "style_guide", "points", "content"),
    "refine": ("section_id", "style_guide", "points", "content", "feedback"),
    "finish": (),
}
"""What the policy has to give each tool (Appendix G)."""
_APPENDIX_G: Final[Mapping[str, Name]] = {
    "plan_outline": "outline",
    "write_paragraph": "draft",
    "review_content": "review",
    "revise_paragraph": "refine",
}
"""The same tools by the names that the paper's own prompts call them."""
_NAMES: Final[Mapping[str, Name]] = {**{name: name for name in PARAMETERS}, **_APPENDIX_G}
_BLANKS: Final = {
    "policy": "tau",
    "state": "state",
    **dict.fromkeys(("outline", "draft", "review", "refine"), "input"),
}
"""The prompts, each with the blank that is filled in."""
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_ROOM: Final = 2000
"""Tokens of an answer: the policy writes out the text that is to be reviewed."""


@dataclass(frozen=True)
class PaperPrompts:
    """The prompts of the loop, by language and name, such as `en/policy`."""

    texts: Mapping[str, str]

    @classmethod
    def read(cls, folder: Path | None = None) -> PaperPrompts:
        """Those of a folder, checked, of one language or both; without a folder ours."""
        if folder is None:
            return cls({name: prompt.template(f"paper/{name}") for name in _file_names(LANGUAGES)})
        there = [language for language in LANGUAGES if (folder / language).is_dir()]
        if not there:
            raise InputError(
                f"{folder} has no prompts, which stand in its folders {' and '.join(LANGUAGES)}; `redraft"
                " compose --write-prompts DIR` writes ours, to be changed"
            )
        return cls({name: _read_prompt(folder / f"{name}.md") for name in _file_names(there)})

    def write(self, folder: Path) -> None:
        """Write them into a folder, which has none yet."""
        for name, text in self.texts.items():
            file = folder / f"{name}.md"
            if file.exists():
                raise InputError(f"{file} is there already: choose another folder")
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(f"{text}\n", encoding="utf-8")
            except OSError as error:
                raise FileError(f"{file} cannot be written: {error.strerror}") from None

    def fill(self, language: Language, name: str, **blank: object) -> str:
        """A prompt with its blank filled in."""
        return self.texts[f"{language}/{name}"].format(**blank)

    def check(self, language: Language) -> None:
        """Raise where there are none in a language."""
        if f"{language}/policy" not in self.texts:
            raise InputError(f"the prompts have no folder {language}, and the piece is in that language")

    def hashes(self) -> dict[str, str]:
        """What tells these prompts from others, by language."""
        return {one: self.hash_of(one) for one in LANGUAGES if f"{one}/policy" in self.texts}

    def hash_of(self, language: Language) -> str:
        """What tells these prompts of a language from others."""
        own = "\0".join(self.texts[name] for name in _file_names([language]))
        return hashlib.sha256(own.encode()).hexdigest()[:12]


def _file_names(languages: Sequence[Language]) -> list[str]:
    return [f"{language}/{name}" for language in languages for name in _BLANKS]


def _read_prompt(file: Path) -> str:
    """A prompt from a file; InputError says what is wrong with it."""
    try:
        text = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise InputError(f"{file} is missing; there have to be {', '.join(_BLANKS)}, each .md") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    blank = _BLANKS[file.stem]
    twice = "a brace that stands for itself is written twice"
    single = text.replace("{{", "").replace("}}", "")
    found = set(_PLACEHOLDER.findall(single))
    if re.search("[{}]", _PLACEHOLDER.sub("", single)):
        raise InputError(f"{file} has a brace without its other; {twice}")
    if unknown := found - {blank}:
        raise InputError(f"{file}: {{{min(unknown)}}} is unknown, there is only {{{blank}}}; {twice}")
    if blank not in found and file.stem != "policy":
        raise InputError(f"{file} has no {{{blank}}}, so that nothing would be shown")
    return text


class Policy:
    """π_θ of Eq. 2: what is done next, and with which parameters."""

    def __init__(self, model: Model, prompts: PaperPrompts, seed: int) -> None:
        self._model = ThinkingRoom(model)
        self._prompts = prompts
        self._seed = seed

    async def choose(self, brief: Brief, state: State, limits: Limits) -> Choice:
        """The choice that the answer names."""
        told = wrap_in_tags("state", _state_json(brief, state))
        asked = messages(
            self._prompts.fill(brief.language, "policy", tau=f"{limits.tau:g}"),
            self._prompts.fill(brief.language, "state", state=told),
        )
        request = Request(asked, max_tokens=_ROOM, temperature=TEMPERATURE, seed=self._seed)
        (completion,) = await self._model.complete(request)
        return read_decision(completion.text)


def read_decision(text: str) -> Choice:
    """The thought, the action and its parameters in an answer of the policy."""
    found = (value for value in json_values(text) if isinstance(value, dict) and "action" in value)
    value = next(found, None)
    if value is None:
        return Choice(None, said=text, problem='the answer is no JSON object with an "action"')
    thought, given = value.get("thought"), value.get("params")
    params = {str(name): _parameter(one) for name, one in given.items()} if isinstance(given, dict) else {}
    action, problem = None, ""
    try:
        action = _action(str(value["action"]), params)
    except ValueError as error:
        problem = str(error)
    return Choice(action, thought if isinstance(thought, str) else "", text, problem, params)


def _action(said: str, params: Mapping[str, str]) -> Action:
    name = _NAMES.get(said.strip().removesuffix("()"))
    if name is None:
        raise ValueError(f"{said[:60]!r} is no action; there are: {', '.join(PARAMETERS)}")
    if missing := [one for one in PARAMETERS[name] if one not in params]:
        raise ValueError(f"{name} lacks {', '.join(missing)}")
    if "section_id" not in PARAMETERS[name]:
        return Action(name)
    section = params["section_id"]
    if not re.fullmatch(r"[0-9]{1,4}", section):
        raise ValueError(f"{section[:60]!r} is no section_id")
    return Action(name, int(section))


def tool_problem(choice: Choice, state: State) -> str:
    """Why a tool cannot be used; empty where it can, whatever the status of its section."""
    action = choice.action
    if action is None or action.section is None:
        return ""
    if not 1 <= action.section <= len(state.sections):
        return f"there is no section {action.section}; the outline has {len(state.sections)}"
    if action.name != "draft" and action.section not in state.manuscript:
        return f"section {action.section} has no text yet"
    return ""


async def use_tool(
    action: Action,
    params: Mapping[str, str],
    model: Model,
    prompts: PaperPrompts,
    language: Language,
    seed: int,
) -> Effect | None:
    """What a tool makes of its parameters; BadAnswer where that cannot be read."""
    if action.name == "finish":
        return None
    given = {name: params[name] for name in PARAMETERS[action.name] if name != "section_id"}
    told = wrap_in_tags("text", _json(given))
    asked = Message("user", prompts.fill(language, action.name, input=told))
    request = Request((asked,), max_tokens=_ROOM, temperature=TEMPERATURE, seed=seed)
    (completion,) = await ThinkingRoom(model).complete(request)
    text = completion.text
    if action.name == "outline":
        plan = _read(model, text, _Plan)
        parts = [
            (shown(one.section_title), list(filter(None, map(shown, one.points)))) for one in plan.outline
        ]
        return Outline(shown(plan.title or params["topic"], 200), numbered(parts))
    if action.name == "draft":
        draft = _read(model, text, _Draft)
        return SectionText(draft.content, draft.summary)
    if action.name == "review":
        review = _read(model, text, _Review)
        return Review(review.score, review.feedback)
    revision = _read(model, text, _Revision)
    return SectionText(revision.revised_content, "", revision.change_log)


class _Plan(BaseModel):
    title: str = ""
    outline: list[PlannedSection] = Field(min_length=1)


class _Draft(BaseModel):
    content: str = Field(min_length=1)
    summary: str = ""


class _Review(BaseModel):
    score: Score
    feedback: str


class _Revision(BaseModel):
    revised_content: str = Field(min_length=1)
    change_log: str = ""


_Shape = TypeVar("_Shape", bound=BaseModel)


def _read(model: Model, text: str, shape: type[_Shape]) -> _Shape:
    try:
        return read_answer(text, shape)
    except ValueError as error:
        said = " ".join(str(error).split())[:300]
        raise BadAnswer(f"{model.spec} gave an answer that cannot be read: {said}") from None


def _parameter(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(map(_parameter, value))
    return value if isinstance(value, str) else _json(value)


def _state_json(brief: Brief, state: State) -> str:
    """The state with everything that the policy may pass on to a tool."""
    outline = [
        {
            "id": each.id,
            "section_title": each.title,
            "points": "; ".join(each.points),
            "status": each.status,
        }
        for each in state.sections
    ]
    manuscript = {
        number: {
            "content": passage.content,
            "summary": passage.summary,
            "score": passage.score,
            "feedback": passage.critique,
        }
        for number, passage in sorted(state.manuscript.items())
    }
    meta = {"topic": brief.topic, "style_guide": brief.style}
    return _json({"meta": meta, "outline": outline, "manuscript": manuscript})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
