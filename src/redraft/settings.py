"""What a user may set, where each value came from, and how the sources outrank one another.

In increasing strength: the default below, `[tool.redraft]` in pyproject.toml, redraft.toml, the environment
(`REDRAFT_MODEL`, …; `OPENAI_BASE_URL` and `OPENAI_API_KEY` too), the flags of a command. A file may choose
folders, addresses and models by their path only if the user trusts it (`redraft trust`).
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, SecretStr, ValidationError

from redraft.addresses import LOGINS, origin_of, take_login, without_login
from redraft.errors import SettingsError
from redraft.house import House, explain_house, read_house
from redraft.project import ProjectFile, how_to_trust, is_trusted, project_files

ROLES = ("planner", "reviser", "judge", "reasoner", "outliner", "writer", "reviewer", "refiner")
"""Roles that may take a model of their own; every other role uses `model`."""

DEFAULT_ORIGIN = "default"
_FOLDERS = ("cache_dir", "weights_dir", "quality_models", "data_dir", "server_token_file")
_ADDRESSES = ("base_url", "server")
_SECRETS = ("api_key", "database_url")
_MODELS = ("model", *ROLES)
OPENAI_URL = "https://api.openai.com/v1"
PULLED = ("qwen-1.5b", "qwen-0.5b")
"""Larger models that are fetched by their name and run as `embedded:NAME`; no file of that name is meant."""

Trust = Literal["low", "high"]
"""How far a model's text is taken at its word; `redraft.models.trust_of` has what it is by default."""


class Price(BaseModel):
    """What a model costs, per million tokens, in any one currency."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: float = Field(ge=0, allow_inf_nan=False)
    completion: float = Field(ge=0, allow_inf_nan=False)

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens cost."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


FREE = Price(prompt=0, completion=0)
"""Of what runs on the user's own machine."""


class Settings(BaseModel):
    """Every setting, checked; made by `load_settings`, or directly in code."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: str = "embedded"
    planner: str | None = None
    reviser: str | None = None
    judge: str | None = None
    reasoner: str | None = None
    outliner: str | None = None
    writer: str | None = None
    reviewer: str | None = None
    refiner: str | None = None
    trust: Trust | None = None
    sound: bool = False
    strict: bool = False
    house: House = House()

    reading: Literal["model", "rules"] = "model"
    """Who reads of an instruction what the rules leave: the embedded model, or nobody."""
    counting: Literal["default", "constrev"] = "default"
    format: Literal["auto", "text", "markdown", "latex"] = "auto"

    cache: bool = True
    cache_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_cache_dir("redraft")))
    cache_max_days: float = Field(default=90.0, gt=0)
    cache_max_mb: float = Field(default=1024.0, gt=0)
    weights_dir: Path | None = None

    data_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("redraft")))
    """Where `redraft serve` keeps documents and jobs."""
    database_url: SecretStr | None = None
    """A PostgreSQL database that they are kept in instead."""
    server: str | None = None
    """A `redraft serve` that the functions of the package ask, and do not work themselves."""
    server_token_file: Path | None = None

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
    _chosen: dict[str, str] = PrivateAttr(default_factory=dict)
    """The specs and the address that files chose, each with its file."""
    _logins: dict[str, tuple[str, str]] = PrivateAttr(default_factory=lambda: LOGINS)

    def model_post_init(self, context: Any, /) -> None:
        """Take names and passwords out of addresses: settings are shown, and written into runs."""
        for name in ("base_url", "server", *_MODELS):
            if value := getattr(self, name):
                self.__dict__[name] = take_login(value)
        self.__dict__["prices"] = {without_login(name): price for name, price in self.prices.items()}

    def origin(self, name: str) -> str:
        """Where a value came from: `default`, `redraft.toml at …`, `REDRAFT_MODEL`, `--model`, `code`."""
        if name not in type(self).model_fields:
            raise SettingsError(f"there is no setting {name!r}{_suggestion(name)}")
        if name in self._origins:
            return self._origins[name]
        return "code" if name in self.model_fields_set else DEFAULT_ORIGIN

    def spec_for(self, role: str) -> str:
        """The model spec of a role, or that of `model` where the role has none of its own.

        Whoever writes a piece plans it too, unless the outliner is named: in the RAVEL paper's study of roles
        (§5.4) another reasoner chooses, and the outline is still the tested model's.
        """
        own: str | None = getattr(self, role) if role in ROLES else None
        return own or (self.spec_for("writer") if role == "outliner" else self.model)

    def recorded(self, models: Mapping[str, str], file: Path) -> Self:
        """The same with the models that a piece was begun with; anyone may have written the file."""
        changed = {role: spec for role, spec in models.items() if self.spec_for(role) != without_login(spec)}
        wanting = {role: spec for role, spec in changed.items() if needs_trust(role, spec)}
        if wanting and not is_trusted(file):
            raise SettingsError(_distrusted(str(file), wanting, file) + "; or name the models yourself")
        cleaned = {role: take_login(spec) for role, spec in changed.items()}
        origins = {**self._origins, **dict.fromkeys(cleaned, str(file))}
        chosen = {**self._chosen, **dict.fromkeys(cleaned.values(), str(file))}
        return self.model_copy(update=cleaned)._with_origins(origins, chosen)

    def weights(self) -> Path:
        """The folder that holds the embedded weights."""
        return self.weights_dir or self.cache_dir / "weights"

    def quality_folder(self) -> Path:
        """The folder that holds the published models which `quality = "torch"` scores with."""
        return self.quality_models or self.weights() / "published"

    def login(self, url: str) -> tuple[str, str] | None:
        """The name and password that were given with an address."""
        return self._logins.get(origin_of(url))

    def chosen_by(self, spec: str) -> str | None:
        """The file that chose where a model's texts are sent; None where the user did."""
        by_address = spec.partition(":")[0] == "openai" and self._chosen.get(self.base_url)
        return self._chosen.get(spec) or by_address or None

    def _with_origins(self, origins: dict[str, str], chosen: dict[str, str]) -> Self:
        self._origins = origins
        self._chosen = chosen
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
    from_file: dict[str, ProjectFile] = {}

    for file in project_files(directory or Path.cwd()):
        _reject_unknown(file.table, file.where)
        for secret in _SECRETS:
            if secret in file.table:
                raise SettingsError(
                    f"{secret} stands in {file.where}, which others may read: set"
                    f" {_variables(secret)[-1]} instead"
                )
        for name, value in file.table.items():
            values[name] = _relative_to(file.path.parent, name, value)
            origins[name] = file.where
            from_file[name] = file

    for name in Settings.model_fields:
        for variable in _variables(name):
            if environment.get(variable):
                values[name] = _from_text(name, environment[variable], variable)
                origins[name] = variable
                from_file.pop(name, None)
                break

    given = {name: value for name, value in (flags or {}).items() if value is not None}
    _reject_unknown(given, "the flags")
    for name, value in given.items():
        values[name] = value
        origins[name] = "--" + name.replace("_", "-")
        from_file.pop(name, None)

    _check_trust(from_file)
    try:
        settings = Settings(**values)
    except ValidationError as error:
        raise SettingsError(_explain(error, origins)) from None
    named = {name: getattr(settings, name) for name in (*_MODELS, "base_url") if name in origins}
    own = {value for name, value in named.items() if name not in from_file}
    chosen = {value: origins[name] for name, value in named.items() if value not in own}
    return settings._with_origins(origins, chosen)


def needs_trust(name: str, value: Any) -> bool:
    """Whether a file may set this only if the user trusts it: a folder, an address, or a model's path."""
    scheme, colon, _ = str(value).partition(":")
    ours = [f"embedded:{own}" for own in ("base", *PULLED)]
    elsewhere = bool(colon) and scheme != "openai" and value not in ours
    return name in (*_FOLDERS, *_ADDRESSES) or (name in _MODELS and elsewhere)


def _check_trust(from_file: Mapping[str, ProjectFile]) -> None:
    """Raise if a setting needs trust that its file does not have."""
    for file in dict.fromkeys(from_file.values()):
        own = {name: value for name, value in file.table.items() if from_file.get(name) is file}
        wanting = {name: value for name, value in own.items() if needs_trust(name, value)}
        if wanting and not is_trusted(file.path, file.sha256):
            raise SettingsError(_distrusted(file.where, wanting, file.path))


def _distrusted(where: str, wanting: Mapping[str, Any], path: Path) -> str:
    set_there = ", ".join(f"{name} = {without_login(str(value))!r}" for name, value in wanting.items())
    return (
        f"{where} sets {set_there}: folders, addresses and models by their path are taken from a file only if"
        f" you trust it\n  {how_to_trust(path)}"
    )


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
    if name == "house":
        return read_house(Path(text).expanduser())
    return Path(text).expanduser() if name in _FOLDERS else text


def _reject_unknown(table: Mapping[str, Any], where: str) -> None:
    for name in table:
        if name not in Settings.model_fields:
            raise SettingsError(f"{where}: there is no setting {name!r}{_suggestion(name)}")


def _suggestion(name: str) -> str:
    close = difflib.get_close_matches(name, Settings.model_fields, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(Settings.model_fields)}"


def _explain(error: ValidationError, origins: Mapping[str, str]) -> str:
    lines = [f"{origins.get('house', 'code')}: {line}" for line in explain_house(error, is_within=True)]
    for problem in error.errors(include_url=False):
        name = str(problem["loc"][0])
        if name == "house":
            continue
        key = ".".join(str(part) for part in problem["loc"])
        value = "" if name in _SECRETS else f", not {problem['input']!r}"
        lines.append(f"{origins.get(name, 'code')}: {key}: {problem['msg']}{value}")
    return "\n".join(lines)
