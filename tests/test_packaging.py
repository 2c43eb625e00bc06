"""What is packaged is safe as it stands: no port beyond this machine, no secret in a file, nobody is root."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

TREE = Path(__file__).parents[1]
PACKAGING = TREE / "packaging"


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((PACKAGING / "compose.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def steps() -> list[str]:
    """The steps of the Dockerfile, one a line."""
    text = (PACKAGING / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [line for line in text.splitlines() if line]


def test_nothing_is_published_beyond_this_machine(compose: Any) -> None:
    ports = [port for one in compose["services"].values() for port in one.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)
    assert compose["networks"]["inside"] == {"internal": True}
    for name in ("database", "llama", "vllm"):
        assert compose["services"][name]["networks"] == ["inside"]


def test_secrets_stand_in_files_of_their_own(compose: Any) -> None:
    assert all(set(one) == {"file"} for one in compose["secrets"].values())
    for service in compose["services"].values():
        assert set(service.get("secrets", [])) <= set(compose["secrets"])
        for name, value in service.get("environment", {}).items():
            assert name.endswith("_FILE") or not re.search("PASSW|TOKEN|KEY", name)
            assert not re.search(r"//[^@/]*:[^@/]*@", value)


def test_the_image_has_an_ordinary_user_and_wants_a_token(steps: list[str]) -> None:
    (user,) = [step.split()[1] for step in steps if step.startswith("USER")]
    assert any(step.startswith("RUN useradd") and f" {user} " in step for step in steps)
    (entry,) = [step for step in steps if step.startswith("ENTRYPOINT")]
    assert '"--token-file"' in entry
    assert any(step.startswith("HEALTHCHECK") and "/healthz" in step for step in steps)


def test_the_image_is_given_all_that_it_copies(steps: list[str]) -> None:
    ignored = (TREE / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [step.split()[1:-1] for step in steps if step.startswith("COPY ") and "--from" not in step]
    for name in (one for names in copied for one in names):
        assert (TREE / name).exists()
        assert f"!{name}" in ignored


def test_the_service_has_no_rights() -> None:
    unit = (PACKAGING / "redraft.service").read_text(encoding="utf-8").splitlines()
    wanted = ("DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=")
    assert set(wanted) <= set(unit)
    assert any(line.startswith("LoadCredential=token:") for line in unit)
