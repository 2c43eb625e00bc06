"""Policies as YAML files: those that come with redraft, and those that users write."""

from __future__ import annotations

from importlib.resources import files
from os import PathLike
from pathlib import Path

from redraft.errors import InputError
from redraft.simplification.policies.building import built
from redraft.simplification.policies.reading import Problem, read_yaml
from redraft.simplification.policy import Policy
from redraft.text import read_text

__all__ = ["Problem", "doubts", "load_policy", "policy_names", "policy_text", "read_policy"]


def policy_names() -> tuple[str, ...]:
    """The policies that come with redraft."""
    found = (file.name for file in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


def policy_text(name: str | PathLike[str]) -> str:
    """The YAML of a policy: one of ours by its name, or a user's by the path of its file."""
    if str(name) in policy_names():
        return files(__package__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    if str(name).endswith((".yaml", ".yml")) or str(name) == "-" or Path(name).exists():
        return read_text(name)
    raise InputError(
        f"there is no policy {str(name)!r}: there are {', '.join(policy_names())}, or name a .yaml file"
    )


def load_policy(name: str | PathLike[str]) -> Policy:
    """A policy of ours by its name, or one of a user's by the path of its YAML file."""
    policy, problems = read_policy(policy_text(name))
    if policy is None:
        raise InputError(f"{name} cannot be used:\n" + "\n".join(f"  {one}" for one in problems))
    return policy


def read_policy(text: str) -> tuple[Policy | None, list[Problem]]:
    """The policy that a YAML text describes, or all that is wrong with it."""
    whole = read_yaml(text)
    policy = None if whole.problems else built(whole)
    return (None if whole.problems else policy), sorted(set(whole.problems))


def doubts(policy: Policy) -> list[str]:
    """What is allowed and yet seldom meant."""
    found = [
        f"principles.{aspect}: {one.name!r} names no measure: the rubric judge leaves it out"
        for aspect, principles in (("lexical", policy.lexical), ("structural", policy.structural))
        for one in principles
        if one.measure is None
    ]
    for aspect, principles in (("lexical", policy.lexical), ("structural", policy.structural)):
        if policy.decides == "overall" and not principles:
            found.append(f"principles.{aspect}: there are none, though both aspects decide")
    if not policy.examples:
        found.append("examples: there are none: candidate pools will be asked without")
    if not any(call.startswith("preserve_check") for call in policy.constraints):
        found.append('constraints: not even numbers must stay: preserve_check("numbers") would keep them')
    for place, example in enumerate(policy.examples, 1):
        if example.source == example.simplified:
            found.append(f"examples[{place}]: nothing is simplified")
    return found
