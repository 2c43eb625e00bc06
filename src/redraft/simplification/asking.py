"""A model that simplifies: told the policy's instruction, and where wanted shown its examples."""

from __future__ import annotations

from redraft.editor import room, usable
from redraft.errors import BadAnswer
from redraft.models import Message, Model, Request, Usage
from redraft.simplification.policy import Policy


def messages(policy: Policy, source: str, *, examples: bool = False) -> tuple[Message, ...]:
    """How a source is put to a model; in training and in use without examples, for a pool with them."""
    shown = policy.examples if examples else ()
    turns = [
        turn for one in shown for turn in (Message("user", one.source), Message("assistant", one.simplified))
    ]
    return Message("system", policy.instruction), *turns, Message("user", source)


async def simplified(
    model: Model,
    policy: Policy,
    source: str,
    *,
    examples: bool = False,
    temperature: float = 0.0,
    seed: int = 0,
    adapter: str | None = None,
) -> tuple[str, Usage]:
    """The model's simplification of a sentence or a paragraph; BadAnswer where it is none."""
    request = Request(
        messages(policy, source, examples=examples),
        max_tokens=room(source),
        temperature=temperature,
        seed=seed,
        adapter=adapter,
    )
    (completion,) = await model.complete(request)
    text = usable(completion, source)
    if text is None:
        raise BadAnswer(
            f"{model.spec} gave no simplification: its answer is empty, cut off, or repeats itself",
            provider=model.spec,
            hint="a larger model may do better; see --model",
        )
    return text, completion.usage
