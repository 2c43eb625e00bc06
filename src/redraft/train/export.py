"""Exporting an adapter: a GGUF for llama.cpp, the same weights for peft, and a model card."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import Any, Final

import numpy as np
from safetensors.numpy import save

from redraft.errors import FileError, InputError
from redraft.models import (
    CONFIG_FILE,
    SHIPPED,
    WEIGHTS_FILE,
    Base,
    Lora,
    average_adapters,
    entries_beside,
    find_peft,
    peft_stem,
    read_lora,
    reduce_rank,
    sha256_of,
    write_lora,
)
from redraft.notation import parse_json
from redraft.text import markdown_code, markdown_text, write_text
from redraft.train.recipe.stages import RECORD as RECIPE_RECORD
from redraft.train.rows import read_record

UNKNOWN = "not stated"
_PLAIN_CODE: Final = re.compile(r"`[\w./+-]+`")


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says; `record` is what the trainer wrote down, and may lack anything.

    `licences` go by the name of a training file without its ending, or by a pattern such as `fluency_*`.
    """

    name: str
    base: str
    rank: int
    files: Mapping[str, tuple[int, str]]
    """Size and SHA-256 of each."""
    record: Mapping[str, Any]
    scores: Any = None
    licences: Mapping[str, str] | None = None

    def markdown(self) -> str:
        """The card as Markdown: the same for the same facts."""
        return "\n".join(self._lines()).rstrip("\n") + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"# {markdown_text(self.name)}\n"
        base = markdown_text(self.base)
        yield f"A LoRA adapter of rank {self.rank} for {base}, to be used with `redraft`:\n"
        yield markdown_code(f"redraft models add {self.name}.gguf") + "\n"
        rows = [(f"`{file}`", f"{size:,}", f"`{digest}`") for file, (size, digest) in self.files.items()]
        yield from _table(("file", "bytes", "SHA-256"), rows)
        yield from self._training()
        yield from self._data()
        yield from self._recipe()
        if found := list(_flat(self.scores)):
            yield "## Scores\n"
            yield from _table(("score", "value"), [(key, _number(value)) for key, value in found])

    def _training(self) -> Iterator[str]:
        yield "## Training\n"
        if command := self.record.get("command"):
            yield markdown_code(_without_places(str(command))) + "\n"
        shown = {
            key: value
            for key, value in self.record.items()
            if key not in ("command", "data", "counts", "refused", "in_dev", "date", RECIPE)
        }
        facts = [(key, _number(value)) for key, value in _flat(shown)]
        yield from _table(("setting", "value"), facts)

    def _data(self) -> Iterator[str]:
        entries = self.record.get("data")
        if not isinstance(entries, list):
            return
        yield "## Data\n"
        rows = []
        for entry in entries:
            if not isinstance(entry, Mapping):
                continue
            file = PurePath(str(entry.get("file", "?"))).name
            licence = entry.get("licence") or entry.get("license") or self._licence(PurePath(file).stem)
            count = entry.get("rows", self._rows(PurePath(file).stem))
            weight, digest = entry.get("weight", ""), str(entry.get("sha256", ""))
            counted = f"{count:,}" if isinstance(count, int) else ""
            rows.append((file, counted, _number(weight), str(licence), digest and f"`{digest[:16]}`"))
        yield from _table(("file", "rows", "weight", "licence", "SHA-256 begins"), rows)
        if self.record.get("guarded"):
            yield "Rows equal or close to those of the test sets were kept out.\n"

    def _recipe(self) -> Iterator[str]:
        made = self.record.get(RECIPE)
        if not isinstance(made, Mapping):
            return
        yield "## Recipe\n"
        yield f"`{made['name']}` (SHA-256 `{made['sha256']}`), by `redraft train recipe`"
        if made.get("rehearsal") is not None:
            yield f"as a rehearsal of size {made['rehearsal']}, not to be used"
        if made.get("without"):
            yield f"without {', '.join(made['without'])}"
        stages = ", ".join(f"{name} ({run})" for name, run in made["stages"].items())
        yield markdown_text(f"in the stages {stages}.") + "\n"
        rows = [
            (
                one["file"],
                "measured on" if one["measured"] else "learnt",
                one["licence"],
                f"`{one['sha256'][:16]}`",
            )
            for one in made["data"]
        ]
        yield from _table(("raw data", "for", "licence", "SHA-256 begins"), rows)

    def _rows(self, stem: str) -> int | None:
        counts = self.record.get("counts")
        entries = counts if isinstance(counts, list) else []
        found = [
            entry["rows"]
            for entry in entries
            if isinstance(entry, Mapping) and entry.get("file") == stem and isinstance(entry.get("rows"), int)
        ]
        return sum(found) if found else None

    def _licence(self, stem: str) -> str:
        known = self.licences or {}
        return known.get(stem) or next(
            (licence for pattern, licence in known.items() if fnmatch(stem, pattern)), UNKNOWN
        )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        for row in rows:
            yield f"| {' | '.join(_cell(value) for value in row)} |"
        yield ""


def _cell(text: str) -> str:
    return text if _PLAIN_CODE.fullmatch(text) else markdown_text(text)


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Nested values by their dotted names; of a list that is no list of plain values, only its length."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list) and any(isinstance(inner, Mapping | list) for inner in value):
        yield name, f"{len(value)} entries"
    elif isinstance(value, list):
        yield name, ", ".join(map(_number, value))
    elif value is not None and not (isinstance(value, float) and not math.isfinite(value)):
        yield name, value


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _without_places(command: str) -> str:
    """The command without the folders of whoever ran it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    parts = (word.rpartition("=") for word in words)
    return shlex.join(
        f"{name}{equals}{Path(value).name if Path(value).is_absolute() else value}"
        for name, equals, value in parts
    )


RECORD = "train.json"
RECIPE = "recipe"


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of an adapter: for llama.cpp, for peft (a folder), and for people."""

    gguf: Path
    peft: Path
    card: Path
    rank: int
    error: float = 0.0
    """How far off a rank that was made lower leaves the adapter, as a share of it."""


def export(
    folder: Path,
    out: Path,
    base: Path,
    *,
    base_name: str | None = None,
    name: str | None = None,
    scores: Any = None,
    licences: Mapping[str, str] | None = None,
    rank: int | None = None,
    average: tuple[Path, float] | None = None,
    precise: bool = False,
) -> Exported:
    """Write `out` (a .gguf), and beside it the folder and the card of the same name; the same from the same.

    `base` is the GGUF that the adapter was trained for. With a `rank` below its own the adapter is smaller,
    and no longer quite the same. `average` is another adapter, and this one's share of the mean of the two.
    """
    if out.suffix != ".gguf":
        raise InputError(f"{out}: the name of an adapter's file should end in .gguf")
    source = _adapter_in(folder)
    found = Base.of(base)
    lora = read_lora(source, found.heads)
    found.check(lora, source)
    record, error = _record(folder), 0.0
    made = read_record(folder.parent / RECIPE_RECORD)
    if made and (folder.parent / f"{folder.name}.json").is_file():  # a stage of it, which has a stamp
        record[RECIPE] = made
        if not made.get("ships") and out.resolve().is_relative_to(SHIPPED.resolve()):
            raise InputError(
                f"{out} would ship, and the recipe {made.get('name')} says that it must not: it is a "
                "rehearsal, or learns from data whose terms forbid it; choose another --out"
            )
    if average is not None:
        other, share = average
        beside = read_lora(other, found.heads)
        found.check(beside, other)
        rank = rank or max(lora.rank, beside.rank)
        lora = average_adapters(lora, beside, share)
        record["averaged"] = {"with": other.name, "sha256": sha256_of(other), "own share": share}
    if rank is not None and rank > lora.rank:
        raise InputError(f"{source} has rank {lora.rank}: a --rank makes it lower, not {rank}")
    if rank is not None and rank < lora.rank:
        lora, error = reduce_rank(lora, rank)
        record["exported"] = {"rank": rank, "lost": round(error, 4)}
    written = Exported(out, out.with_suffix(""), out.with_suffix(".md"), lora.rank, error)
    # What is exported goes into no training, least of all over the adapter that it is made from.
    if (written.peft / RECORD).exists() or written.peft.resolve() in (folder.resolve(), source.resolve()):
        raise InputError(
            f"the 16-bit adapter would go into {written.peft}, which is a training's folder: "
            "choose another name for --out"
        )
    name = name or out.stem
    try:
        written.peft.mkdir(parents=True, exist_ok=True)
        write_lora(out, lora, found.heads, name, entries=entries_beside(source), precise=precise)
        files = _write_peft(lora, written.peft)
    except OSError as failure:
        place = failure.filename or out
        raise FileError(
            f"{place} cannot be written: {failure.strerror or failure}; choose another --out"
        ) from None
    sizes = {
        path.relative_to(out.parent).as_posix(): (path.stat().st_size, sha256_of(path))
        for path in (out, *files)
    }
    card = Card(name, base_name or found.name, lora.rank, sizes, record, scores, licences)
    write_text(written.card, card.markdown())
    return written


def _adapter_in(folder: Path) -> Path:
    if found := find_peft(folder):
        return found
    if (folder / "model").is_dir():
        raise InputError(f"{folder} holds a whole model; only adapters can be exported (train with a --rank)")
    raise InputError(f"{folder} holds no adapter: expected are {CONFIG_FILE} and {WEIGHTS_FILE} in adapter/")


def _write_peft(lora: Lora, folder: Path) -> list[Path]:
    tensors = {}
    for place, (a, b) in lora.pairs.items():
        stem = peft_stem(place)
        tensors[f"{stem}.lora_A.weight"] = a.astype(np.float16)
        tensors[f"{stem}.lora_B.weight"] = b.astype(np.float16)
    config = {
        "bias": "none",
        "lora_alpha": lora.scale * lora.rank,
        "peft_type": "LORA",
        "r": lora.rank,
        "target_modules": sorted({projection for _, projection in lora.pairs}),
        "task_type": "CAUSAL_LM",
    }
    files = [folder / CONFIG_FILE, folder / WEIGHTS_FILE]
    files[0].write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    files[1].write_bytes(save(tensors, {"format": "pt"}))
    return files


def _record(folder: Path) -> dict[str, Any]:
    for place in (folder, folder.parent):
        try:
            found = parse_json((place / RECORD).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return {}
