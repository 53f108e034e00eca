"""The figures of all processes at one moment, asked of each at its own place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from prometheus_client.parser import text_string_to_metric_families

from projections.platform.setting_values import split_listener
from projections.platform.telemetry.exposition import PATH
from workers.unix_http import NO_ANSWER, UnixConnection

SECONDS_MAX: Final = 3.0
LE: Final = "le"

Labels = Mapping[str, str]


class Sample(msgspec.Struct, frozen=True):
    """One figure: its name, its labels and its value."""

    name: str
    labels: dict[str, str]
    value: float


class Process(msgspec.Struct, frozen=True):
    """One process; without samples, one that did not answer."""

    name: str
    samples: tuple[Sample, ...] = ()

    @property
    def is_up(self) -> bool:
        return bool(self.samples)

    def all(self, name: str, **labels: str) -> Iterator[Sample]:
        """The samples of a name that have these labels."""
        for sample in self.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                yield sample

    def total(self, name: str, **labels: str) -> float:
        """The sum of them."""
        return sum(sample.value for sample in self.all(name, **labels))

    def role(self) -> str:
        return next((sample.labels["role"] for sample in self.all("esporles_process")), "")


class Look(msgspec.Struct, frozen=True):
    """All processes, and when they were asked, by the clock of this process."""

    at: float
    processes: tuple[Process, ...]

    def named(self, name: str) -> Process:
        """One of them; one that never answers where there is none of the name."""
        return next((process for process in self.processes if process.name == name), Process(name))


def ask(address: str) -> str:
    """The exposition of one process; one of `NO_ANSWER` when there is none."""
    where = split_listener(address)
    connection: HTTPConnection = (
        UnixConnection(where, SECONDS_MAX) if isinstance(where, Path) else HTTPConnection(*where, timeout=SECONDS_MAX)
    )
    try:
        connection.request("GET", PATH)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def read(name: str, address: str) -> Process:
    """A process as it answers now; one whose answer is no exposition does not answer."""
    try:
        families = tuple(text_string_to_metric_families(ask(address)))
    except (*NO_ANSWER, ValueError):
        return Process(name)
    samples = (Sample(sample.name, sample.labels, sample.value) for family in families for sample in family.samples)
    return Process(name, tuple(samples))


def look(addresses: Mapping[str, str]) -> Look:
    """All of them at once."""
    with ThreadPoolExecutor(max(1, len(addresses))) as threads:
        processes = tuple(threads.map(read, addresses.keys(), addresses.values()))
    return Look(monotonic(), processes)
