"""`redraft models`: which models and adapters there are, fetching the embedded one, trying any."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from redraft.cli.commands import command, shared
from redraft.cli.console import console, note, put, visible
from redraft.cli.options import NoCache, settings_from, warn_unless_english
from redraft.errors import InputError
from redraft.models import (
    CHAT,
    EMBEDDED,
    EMBEDDING,
    SCORING,
    TAGGER,
    VALID,
    Completion,
    Models,
    Request,
    add_adapter,
    ensure,
    fetched_bytes,
    is_pulled,
    is_trained,
    known_adapters,
    larger_file,
    larger_models,
    larger_status,
    list_adapters,
    pull as pull_weights,
    pull_larger,
    remove_adapter,
    remove_larger,
    status,
)
from redraft.settings import ROLES, Settings, load_settings

models_app = typer.Typer(add_completion=False)

ForLarger = Annotated[
    str, typer.Option("--for", metavar="NAME", help="A larger model that it is for, such as qwen-1.5b.")
]


@models_app.callback(invoke_without_command=True)
@shared
def models(ctx: typer.Context) -> None:
    """List models, fetch the embedded one, add adapters, try any; alone, the list."""
    if ctx.invoked_subcommand is None:
        list_models()


@command(models_app, "list")
def list_models() -> None:
    """Show the chosen models, how to name others, and what is on this machine."""
    settings = load_settings()
    put(f"model     {settings.model}  ({settings.origin('model')})\n")
    for role in ROLES:
        if spec := getattr(settings, role):
            put(f"{role:9} {spec}  ({settings.origin(role)})\n")
    put(f"\nspecs     {VALID}\n")
    key = settings.origin("api_key") if settings.api_key else "not set (OPENAI_API_KEY)"
    put(f"service   {settings.base_url}, key {key}\n\nembedded weights in {settings.weights()}\n")
    for weights in status(settings.weights()):
        put(f"  {weights.name:32} {weights.bytes / 1e6:6.0f} MB  {weights.state}\n")
    put("\nlarger models\n")
    for line in larger_lines(settings.weights()):
        put(f"  {line}\n")
    bases = ("", *larger_models())
    adapters = [(base, one) for base in bases for one in list_adapters(settings.weights(), base)]
    put("\nadapters\n" if adapters else "\nadapters  none; redraft models add PATH\n")
    for base, adapter in adapters:
        origin = "added" if adapter.added else "shipped"
        over = " (outranks the shipped one)" if adapter.outranks else ""
        name = f"{adapter.name} for {base}" if base else adapter.name
        put(f"  {name:32} {adapter.bytes / 1e6:6.1f} MB  {origin}{over}  {adapter.path}\n")


def larger_lines(root: Path) -> Iterator[str]:
    """Each model that can be fetched by name: its size, and what there is of it."""
    for name, found in larger_status(root).items():
        model = larger_models()[name]
        state = found.state
        if not found.intact:
            kept = fetched_bytes(name, root)
            state += f", {kept / 1e6:,.0f} MB kept" * bool(kept) + f"; {model.pull}"
        yield f"{name:32} {model.megabytes:6.0f} MB  {state}"


@command(models_app, "add")
def add(
    source: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A GGUF LoRA, a folder of peft's, or that of a training."),
    ],
    name: Annotated[str | None, typer.Option(help="Its name; by default, the file's.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Put it in the place of an older one.")] = False,
    base: ForLarger = "",
) -> None:
    """Keep an adapter for an embedded model, to be asked for by name."""
    if not source.exists():
        raise InputError(f"there is no file or folder {source}")
    root = load_settings().weights()
    if not base:
        with weights_progress() as progress:
            ensure(CHAT, root, progress)
    added = add_adapter(source, name, root, replace=replace, base=base)
    if added.outranks:
        note(f"it outranks the {added.name!r} that comes with redraft")
    put(f"{added.name}  {added.bytes / 1e6:.1f} MB  {added.path}\n")


@command(models_app, "remove")
def remove(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An adapter that was added, or a larger model.")
    ],
    base: ForLarger = "",
) -> None:
    """Delete an adapter that was added, or a larger model that was fetched."""
    root = load_settings().weights()
    if name in larger_models() and not base:
        freed = remove_larger(name, root)
        put(f"removed {name}  {freed / 1e6:,.0f} MB\n")
        return
    removed = known_adapters(root, base).get(name)
    again = remove_adapter(name, root, base)
    put(f"removed {name}  {removed}\n")
    if again:
        note(f"the {name!r} that comes with redraft is used again")


@command(models_app, "pull")
def pull(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A larger model: qwen-1.5b or qwen-0.5b.", show_default=False),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A copy of the larger model's file.")
    ] = None,
) -> None:
    """Fetch and convert what the embedded models need; afterwards no network is used.

    Every byte that is there is checked, and what is damaged is made anew. With a NAME, fetch that larger
    model, to be used as --model embedded:NAME; what an interruption leaves is gone on with.
    """
    root = load_settings().weights()
    if source is not None and name is None:
        raise InputError("--from is for a larger model: redraft models pull NAME --from FILE")
    with weights_progress() as progress:
        if name is None:
            found = pull_weights(root, progress)
        else:
            adapters = known_adapters(root, name).values()
            found = (pull_larger(name, root, progress, source=source, adapters=adapters),)
    for weights in found:
        put(f"{weights.name}  {weights.bytes / 1e6:.0f} MB  ok\n")


@command(models_app, "test")
def try_model(
    spec: Annotated[
        str | None, typer.Argument(metavar="SPEC", help="The model; by default, the chosen one.")
    ] = None,
    prompt: Annotated[str, typer.Option(help="What to ask.")] = "What is the capital of France?",
    adapter: Annotated[
        str | None, typer.Option(metavar="NAME|PATH", help="An adapter to ask it with: a name or a .gguf.")
    ] = None,
    no_cache: NoCache = False,
) -> None:
    """Ask a model one thing; print its answer, and on standard error what it took."""
    completion = asyncio.run(_ask(spec, prompt, adapter, no_cache))
    put(completion.text + "\n")
    if completion.problem:
        note(f"this is no whole answer: {completion.problem}")
    usage = completion.usage
    if usage.cached:
        note("from the cache; --no-cache asks again")
        return
    rate = usage.completion_tokens / usage.seconds if usage.seconds else 0.0
    tokens = f"{usage.prompt_tokens} + {usage.completion_tokens} tokens"
    note(f"{tokens} in {usage.seconds:.1f} s, {rate:.0f} tokens/s")


@contextmanager
def weights_progress() -> Iterator[Callable[[str], None]]:
    """Show what is fetched and converted, while it is."""
    with console().status("preparing the embedded model") as spinner:

        def progress(message: str) -> None:
            spinner.update(Text(visible(message)))
            note(message)

        yield progress


def prepare(settings: Settings, role: str = "model", *, scoring: bool = False) -> None:
    """Have the weights of a role's model, and of the scorers, before they are asked: a wait has a reason."""
    wanted = [SCORING, EMBEDDING, TAGGER] if scoring else []
    if is_pulled(spec := settings.spec_for(role)):
        larger_file(spec.partition(":")[2], settings.weights())
    if spec in EMBEDDED:
        wanted.append(CHAT)
    with weights_progress() as progress:
        for weights in wanted:
            ensure(weights, settings.weights(), progress)


async def _ask(spec: str | None, prompt: str, adapter: str | None, no_cache: bool) -> Completion:
    settings = settings_from(model=spec, no_cache=no_cache)
    if adapter is not None and not _takes_adapters(settings.model):
        raise InputError(f"{settings.model} takes no adapter: embedded, embedded:PATH.gguf and torch do")
    base = settings.model.partition(":")[2]
    if (
        adapter is not None
        and is_pulled(settings.model)
        and adapter not in known_adapters(settings.weights(), base)
    ):
        raise InputError(
            f"{settings.model} takes no adapter {adapter!r}: none of that name is for it; "
            f"redraft models add PATH --for {base}"
        )
    prepare(settings)
    if settings.model.startswith("embedded") and not is_pulled(settings.model):
        warn_unless_english(prompt, "the embedded model knows English; this does not look like it")
    async with Models(settings) as opened:
        with console().status(Text(visible(f"asking {settings.model}"))):
            request = Request.of(prompt, max_tokens=200, adapter=adapter)
            (completion,) = await opened.for_role("model").complete(request)
    return completion


def _takes_adapters(spec: str) -> bool:
    own = spec.partition(":")[0] in ("embedded", "torch") or is_trained(spec)
    return own and spec != "embedded:base"
