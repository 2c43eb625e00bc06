"""`redraft policies`, and the commands of `redraft simplify` that make and compare training data."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from redraft.bench import (
    Filters,
    Judging,
    PreferenceBuild,
    PreferenceRecipe,
    compare_verdicts,
    read_preference_sources,
)
from redraft.cli.commands import command, shared
from redraft.cli.console import console, note, problem, put, put_json, visible
from redraft.cli.models import prepare
from redraft.cli.options import Json, settings_from
from redraft.cli.runs import BuildOptions, shown
from redraft.errors import InputError
from redraft.models import SERVICES, Models, check_prices
from redraft.simplification import (
    OFFLINE,
    Aligner,
    Own,
    PoolSystem,
    check_judge,
    check_parser,
    draft_example,
    load_policy,
    open_parser,
    policy_names,
    policy_text,
    policy_warnings,
    read_policy,
    read_systems,
)

policies_app = typer.Typer(add_completion=False)

_TOGETHER = 1024
"""Requests that torch is given at once, to make batches of."""


@policies_app.callback(invoke_without_command=True)
@shared
def policies(ctx: typer.Context) -> None:
    """Show the policies of simplification, and check one's own; alone, the list."""
    if ctx.invoked_subcommand is None:
        list_policies()


@command(policies_app, "list")
def list_policies() -> None:
    """Show the policies that come with redraft."""
    for name in policy_names():
        policy = load_policy(name)
        put(f"{name:10}{policy.title}: {policy.about}\n")


@command(policies_app, "show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A policy that `list` shows, or a file.")],
) -> None:
    """Print a policy's YAML, to read it or to start one's own from it."""
    put(policy_text(name))


@command(policies_app, "check")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A policy in YAML, or - for standard input.")],
    json: Json = False,
) -> None:
    """Say everything that is wrong with a policy: exit status 2 if anything is, 0 if it can be used."""
    policy, problems = read_policy(policy_text(file))
    warnings = policy_warnings(policy) if policy else []
    if json:
        listed = [{"line": one.line, "place": one.place, "says": one.says} for one in problems]
        put_json({"usable": policy is not None, "problems": listed, "warnings": warnings})
    else:
        for one in problems:
            problem(f"{file}: {one}")
        for warning in warnings:
            note(f"warning: {warning}", style="yellow")
    if policy is None:
        raise typer.Exit(2)
    if not json:
        put(f"{policy.name} can be used: {visible(policy.title)}; the {policy.decides} aspect decides\n")


@command(policies_app, "example")
def example(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A sentence.")],
    candidates: Annotated[list[str], typer.Argument(metavar="CANDIDATE...", help="Simplifications of it.")],
    parser: Annotated[
        str, typer.Option(metavar="shallow|link|SPEC", help="Who parses the sentences.")
    ] = "shallow",
) -> None:
    """Draft an example for judges, with alignments and parses, to be corrected and judged."""
    check_parser(parser)
    settings = settings_from()
    prepare(settings.model_copy(update={"model": parser}), scoring=True)

    async def draft() -> str:
        async with Models(settings) as models:
            aligner = Aligner(models.embedder())
            return await draft_example(source, candidates, aligner, open_parser(parser, models))

    put(asyncio.run(draft()))


def build_preferences(
    policy: Annotated[str, typer.Option(metavar="POLICY", help="A policy by name, or a YAML file.")],
    sources: Annotated[
        Path, typer.Option(metavar="FILE", help="Sentences: one a line, or JSONL with input, text or source.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the data are written.")],
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM",
            help="A system of the pool: engine, editor, told, both, trained or a model, as in engine:rewrite "
            "(another policy), editor@0.5 (temperature), trained@0.9x8 (eight answers) or "
            "openai:gpt-4o@1#zero (no examples); repeat it.",
            show_default=", ".join(OFFLINE),
        ),
    ] = None,
    judge: Annotated[
        str,
        typer.Option(
            metavar="rubric|agreement|metric:NAME|SPEC", help="Who prefers one candidate to another."
        ),
    ] = "rubric",
    kept: Annotated[
        float,
        typer.Option(
            "--kept-words",
            min=0,
            metavar="POINTS",
            help="With the judge agreement: points of 100 off for a candidate that keeps every word of the "
            "source, and fewer for one that keeps some.",
        ),
    ] = 0.0,
    doubted: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="POINTS",
            help="With the judge agreement: points of 100 off where the trained judge is sure that a "
            "candidate is broken or says something else, and fewer where it is less sure.",
        ),
    ] = 0.0,
    apart: Annotated[
        float, typer.Option(min=0, metavar="POINTS", help="How far best and worst are apart, at least.")
    ] = 0.0,
    adapter: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.gguf",
            help="What `trained` is, in the place of the adapter that was added for the policy.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    backend: Annotated[
        Literal["embedded", "torch"],
        typer.Option(help="What our own systems write with: llama.cpp, or torch, in batches on a GPU."),
    ] = "embedded",
    think: Annotated[
        bool | None,
        typer.Option("--think/--no-think", help="Let the judge reason first.", show_default="as it likes"),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often the judge is asked.")] = 1,
    parser: Annotated[
        str,
        typer.Option(
            metavar="shallow|link|SPEC",
            help="Who parses for the judge: our own parser, Link Grammar, or a model.",
        ),
    ] = "shallow",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Draw so many sources.", show_default="all")
    ] = None,
    dev: Annotated[
        float, typer.Option(min=0, max=0.9, metavar="SHARE", help="The share of sources kept for dev.jsonl.")
    ] = 0.125,
    sizes: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,…", help="Also write the first N pairs, as train-N.jsonl, for size curves."
        ),
    ] = None,
    licence: Annotated[
        str, typer.Option(metavar="TEXT", help="The terms of the data, for the card.")
    ] = "not stated",
    seed: Annotated[int, typer.Option(min=0, help="For all that is drawn.")] = 0,
    *,
    options: BuildOptions,
) -> None:
    """Build preference data for a policy: candidates from a pool, the best and the worst by a judge."""
    chosen = load_policy(policy)
    systems = read_systems(system or OFFLINE)
    check_judge(judge)
    for option, points in (("--kept-words", kept), ("--doubted", doubted)):
        if points and judge != "agreement":
            raise InputError(f"{option} is for --judge agreement, not for {judge}")
    check_parser(parser)
    recipe = PreferenceRecipe(
        chosen,
        tuple(one.spec for one in systems),
        Judging(judge, think, rounds, seed, parser, kept, doubted),
        Filters(),
        seed,
        limit,
        dev,
        _sizes(sizes),
        licence=licence,
        apart=apart,
        own=Own(backend, None if adapter is None else str(adapter)),
    )
    settings = settings_from(max_cost=options.budget, no_cache=options.no_cache)
    if backend == "torch" and judge.partition(":")[0] not in SERVICES:
        settings = settings.model_copy(update={"concurrency": max(settings.concurrency, _TOGETHER)})
    check_prices(settings, [judge, *(one.name for one in systems)])
    engine = options.open_engine()
    with console().status("reading"):
        found = read_preference_sources(sources, recipe.filters)
    chat = any(_is_embedded(one) for one in systems)
    prepare(settings.model_copy(update={"reviser": "embedded" if chat else judge}), "reviser", scoring=True)
    try:
        card = asyncio.run(PreferenceBuild(recipe, found, out, settings, engine, shown).run(options.resume))
    except KeyboardInterrupt:
        note("go on with: the same command and --resume")
        raise
    _show_card(card, recipe.sizes)
    put(f"{out / 'train.jsonl'}\n")


def compare_judges(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where build-preferences wrote its data.")],
    json: Json = False,
) -> None:
    """Compare what several judges said of the same candidates, two by two, and whom each prefers."""
    found = compare_verdicts(folder)
    if json:
        put_json(found)
        return
    put(visible("\n".join(_compared(found)), lines=True) + "\n")


def _compared(found: dict[str, Any]) -> Iterator[str]:
    """Whom each judge prefers, and how often two of them differ."""
    for name, one in found["judges"].items():
        yield f"{name}: {one['judged']} sources"
        for aspect, shares in one["preferences"].items():
            rows = (
                f"{each['by']} {100 * each['preferred']:.1f} / {100 * each['dispreferred']:.1f}"
                for each in shares["systems"]
            )
            yield f"  {aspect}, preferred / dispreferred %: {' · '.join(rows)}"
    for pair in found["pairs"]:
        yield f"{' against '.join(pair['judges'])}: {pair['both']} sources"
        for one in pair["aspects"]:
            differing, opposite = _share(one["differing"]), _share(one["opposite"])
            yield f"  {one['aspect']}: differing {differing}, opposite {opposite}"


def _sizes(value: str | None) -> tuple[int, ...]:
    parts = [part.strip() for part in (value or "").split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise InputError(f"--sizes should be whole numbers with commas between, as in 1000,2000: {value}")
    return tuple(sorted({int(part) for part in parts}))


def _is_embedded(system: PoolSystem) -> bool:
    return system.name in ("editor", "told", "both", "trained", "embedded", "embedded:base")


def _share(value: dict[str, Any]) -> str:
    return f"{100 * value['value']:.1f} %" if value["value"] is not None else "–"


def _show_card(card: dict[str, Any], sizes: tuple[int, ...]) -> None:
    pairs = card["pairs"]
    for size in sorted(set(sizes) - set(pairs["sizes"])):
        note(f"train-{size}.jsonl is not written: there are {pairs['train']} pairs to train on", "yellow")
    if again := card["pool"]["to_try_again"] + card["judge"]["failed"]:
        note(f"{again} sources failed; --resume tries them again", style="yellow")
    if (thought := card["judge"]["thought"]) is not None and thought < 1:
        note(f"the judge thought first in {thought:.0%} of its answers alone", style="yellow")
    left = ", ".join(f"{count} {reason}" for reason, count in pairs["left_out"].items())
    note(f"{pairs['train']} pairs to train on, {pairs['dev']} for development; without a pair: {left or 0}")
