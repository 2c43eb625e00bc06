"""From a training's folder to an adapter that llama.cpp reads, the same in safetensors, and a card."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from redraft.errors import FileError, InputError
from redraft.models import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    Base,
    Lora,
    find_peft,
    instruction_beside,
    peft_stem,
    read_lora,
    reduce_rank,
    sha256_of,
    write_lora,
)
from redraft.notation import parse_json
from redraft.text import write_text
from redraft.train.card import Card

RECORD = "train.json"


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of an adapter: for llama.cpp, for peft (a folder), and for people."""

    gguf: Path
    peft: Path
    card: Path
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
    date: str | None = None,
    rank: int | None = None,
    eight_bits: bool = False,
    precise: bool = False,
) -> Exported:
    """Write `out` (a .gguf), and beside it the folder and the card of the same name; the same from the same.

    `base` is the GGUF that the adapter was trained for. With a `rank` below its own the adapter is smaller,
    and no longer quite the same.
    """
    if out.suffix != ".gguf":
        raise InputError(f"{out}: the name of an adapter's file should end in .gguf")
    if eight_bits and precise:
        raise InputError("an adapter is small (8 bits) or precise (16 bits), not both")
    source = _adapter_in(folder)
    found = Base.of(base)
    lora = read_lora(source, found.heads)
    found.check(lora, source)
    record, error = _record(folder), 0.0
    if rank is not None and rank > lora.rank:
        raise InputError(f"{source} has rank {lora.rank}: a --rank makes it lower, not {rank}")
    if rank is not None and rank < lora.rank:
        lora, error = reduce_rank(lora, rank)
        record["exported"] = {"rank": rank, "lost": round(error, 4)}
    written = Exported(out, out.with_suffix(""), out.with_suffix(".md"), error)
    _check_place(written.peft, folder, source)
    name = name or out.stem
    try:
        written.peft.mkdir(parents=True, exist_ok=True)
        write_lora(
            out,
            lora,
            found.heads,
            name,
            instruction=instruction_beside(source),
            eight_bits=eight_bits,
            precise=precise,
        )
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
    card = Card(name, base_name or found.name, lora.rank, sizes, record, scores, licences, date)
    write_text(written.card, card.markdown())
    return written


def _check_place(peft: Path, *sources: Path) -> None:
    """What is exported goes into no training, least of all over the adapter that it is made from."""
    if (peft / RECORD).exists() or peft.resolve() in [source.resolve() for source in sources]:
        raise InputError(
            f"the 16-bit adapter would go into {peft}, which is a training's folder: "
            "choose another name for --out"
        )


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
