"""What a user may set, where each value came from, and how the sources outrank one another.

In increasing strength: the default below, `[tool.redraft]` in pyproject.toml, redraft.toml, the environment
(`REDRAFT_MODEL`, …; `OPENAI_BASE_URL` and `OPENAI_API_KEY` too), the flags of a command.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, SecretStr, ValidationError

from redraft.errors import SettingsError

ROLES = ("planner", "reviser", "judge", "reasoner", "writer", "reviewer", "refiner")
"""Roles that may take a model of their own; every other role uses `model`."""

DEFAULT_ORIGIN = "default"
_FOLDERS = ("cache_dir", "weights_dir", "quality_models")
OPENAI_URL = "https://api.openai.com/v1"


class Price(BaseModel):
    """What a model costs, per million tokens, in any one currency."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class Settings(BaseModel):
    """Every setting, checked; made by `load_settings`, or directly in code."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: str = "embedded"
    planner: str | None = None
    reviser: str | None = None
    judge: str | None = None
    reasoner: str | None = None
    writer: str | None = None
    reviewer: str | None = None
    refiner: str | None = None

    counting: Literal["default", "constrev"] = "default"
    format: Literal["auto", "text", "markdown", "latex"] = "auto"

    cache: bool = True
    cache_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_cache_dir("redraft")))
    cache_max_days: float = Field(default=90.0, gt=0)
    cache_max_mb: float = Field(default=1024.0, gt=0)
    weights_dir: Path | None = None

    quality: Literal["embedded", "torch"] = "embedded"
    quality_models: Path | None = None

    threads: int = Field(default=0, ge=0, le=512)
    context: int = Field(default=4096, ge=256)

    base_url: str = OPENAI_URL
    api_key: SecretStr | None = None
    concurrency: int = Field(default=8, ge=1, le=1024)
    timeout: float = Field(default=120.0, gt=0)
    retries: int = Field(default=5, ge=0, le=20)

    max_cost: float | None = Field(default=None, ge=0)
    max_calls: int | None = Field(default=None, ge=0)
    max_tokens: int | None = Field(default=None, ge=0)
    prices: dict[str, Price] = Field(default_factory=dict)

    _origins: dict[str, str] = PrivateAttr(default_factory=dict)
    _from_file: frozenset[str] = PrivateAttr(default=frozenset())

    def origin(self, name: str) -> str:
        """Where a value came from: `default`, `redraft.toml at …`, `REDRAFT_MODEL`, `--model`, `code`."""
        if name not in type(self).model_fields:
            raise SettingsError(f"there is no setting {name!r}{_suggestion(name)}")
        if name in self._origins:
            return self._origins[name]
        return "code" if name in self.model_fields_set else DEFAULT_ORIGIN

    def spec_for(self, role: str) -> str:
        """The model spec of a role, or that of `model` where the role has none of its own."""
        own: str | None = getattr(self, role) if role in ROLES else None
        return own or self.model

    def without_budget(self) -> Self:
        """The same for work that is not to end half-way: whoever hands it out keeps the budget."""
        return self.model_copy(update={"max_cost": None, "max_calls": None, "max_tokens": None})

    def recorded(self, models: Mapping[str, str], where: str) -> Self:
        """The same with the models of roles that a folder was begun with; as from any file, without a key."""
        changed = {role: spec for role, spec in models.items() if self.spec_for(role) != spec}
        origins = {**self._origins, **dict.fromkeys(changed, where)}
        return self.model_copy(update=changed)._with_origins(origins, self._from_file | changed.keys())

    def weights(self) -> Path:
        """The folder that holds the embedded weights."""
        return self.weights_dir or self.cache_dir / "weights"

    def quality_folder(self) -> Path:
        """The folder that holds the published models which `quality = "torch"` scores with."""
        return self.quality_models or self.weights() / "published"

    def may_send_key(self, url: str) -> bool:
        """Whether the user's key may go to this address.

        A project file travels with a repository that someone else may have written: an address that came
        from one never gets a key that came from the environment.
        """
        host = urlsplit(url).hostname
        chosen_by_files = {
            urlsplit(str(getattr(self, name))).hostname
            for name in self._from_file & {"model", *ROLES, "base_url"}
            if "://" in str(getattr(self, name))
        }
        return host not in chosen_by_files

    def _with_origins(self, origins: dict[str, str], from_file: frozenset[str]) -> Self:
        self._origins = origins
        self._from_file = from_file
        return self


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Settings from every source; a flag that is None was not given."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    from_file: set[str] = set()

    for path, table in _project_tables((directory or Path.cwd()).resolve()):
        where = f"{path.name} at {path.parent}"
        _reject_unknown(table, where)
        if "api_key" in table:
            raise SettingsError(
                f"api_key stands in {where}, which others may read: set OPENAI_API_KEY instead"
            )
        for name, value in table.items():
            values[name] = _relative_to(path.parent, name, value)
            origins[name] = where
            from_file.add(name)

    for name in Settings.model_fields:
        for variable in _variables(name):
            if environment.get(variable):
                values[name] = _from_text(name, environment[variable], variable)
                origins[name] = variable
                from_file.discard(name)
                break

    given = {name: value for name, value in (flags or {}).items() if value is not None}
    _reject_unknown(given, "the flags")
    for name, value in given.items():
        values[name] = value
        origins[name] = "--" + name.replace("_", "-")
        from_file.discard(name)

    try:
        settings = Settings(**values)
    except ValidationError as error:
        raise SettingsError(_explain(error, origins)) from None
    return settings._with_origins(origins, frozenset(from_file))


def _project_tables(directory: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The nearest project files on the way up, weakest first; redraft.toml outranks pyproject.toml."""
    found: list[tuple[Path, dict[str, Any]]] = []
    for name in ("pyproject.toml", "redraft.toml"):
        for folder in (directory, *directory.parents):
            path = folder / name
            if not path.is_file():
                continue
            content = _read_toml(path)
            if name == "redraft.toml":
                found.append((path, content))
                break
            table = content.get("tool", {}).get("redraft")
            if isinstance(table, dict):
                found.append((path, table))
                break
    return found


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from None


def _relative_to(folder: Path, name: str, value: Any) -> Any:
    """A relative folder in a project file is meant relative to that file, not to where the user stands."""
    if name in _FOLDERS and isinstance(value, str):
        return folder / Path(value).expanduser()
    return value


def _variables(name: str) -> tuple[str, ...]:
    own = f"REDRAFT_{name.upper()}"
    return (own, f"OPENAI_{name.upper()}") if name in ("base_url", "api_key") else (own,)


def _from_text(name: str, text: str, variable: str) -> Any:
    if name == "prices":
        raise SettingsError(f"{variable}: prices are a table; write them into redraft.toml under [prices]")
    return Path(text).expanduser() if name in _FOLDERS else text


def _reject_unknown(table: Mapping[str, Any], where: str) -> None:
    for name in table:
        if name not in Settings.model_fields:
            raise SettingsError(f"{where}: there is no setting {name!r}{_suggestion(name)}")


def _suggestion(name: str) -> str:
    close = difflib.get_close_matches(name, Settings.model_fields, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(Settings.model_fields)}"


def _explain(error: ValidationError, origins: Mapping[str, str]) -> str:
    lines = []
    for problem in error.errors(include_url=False):
        name = str(problem["loc"][0])
        key = ".".join(str(part) for part in problem["loc"])
        value = "" if name == "api_key" else f", not {problem['input']!r}"
        lines.append(f"{origins.get(name, 'code')}: {key}: {problem['msg']}{value}")
    return "\n".join(lines)
