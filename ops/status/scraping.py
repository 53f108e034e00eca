"""Scraping the metrics of all processes at once."""

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
from workers.unix_http import REQUEST_ERRORS, UnixConnection

SECONDS_MAX: Final = 3.0
LE: Final = "le"

Labels = Mapping[str, str]


class Sample(msgspec.Struct, frozen=True):
    """A metric's name, labels and value."""

    name: str
    labels: dict[str, str]
    value: float


class Process(msgspec.Struct, frozen=True):
    """The samples of a process; empty if it did not respond."""

    name: str
    samples: tuple[Sample, ...] = ()

    @property
    def is_up(self) -> bool:
        """Return whether the process responded."""
        return bool(self.samples)

    def all(self, name: str, **labels: str) -> Iterator[Sample]:
        """Yield the samples of a name with these labels."""
        for sample in self.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                yield sample

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of their values."""
        return sum(sample.value for sample in self.all(name, **labels))

    def role(self) -> str:
        """Return the role of the process, or an empty string."""
        return next((sample.labels["role"] for sample in self.all("esporles_process")), "")


class Scrape(msgspec.Struct, frozen=True):
    """The samples of all processes, and the monotonic time of the scrape."""

    at: float
    processes: tuple[Process, ...]


def fetch_metrics(address: str) -> str:
    """Return the metrics of a process at HOST:PORT or unix:///path as text, whatever the status.

    Raises one of `REQUEST_ERRORS` without a response, `ValueError` for another form of address.
    """
    listener = split_listener(address)
    connection: HTTPConnection = (
        UnixConnection(listener, SECONDS_MAX)
        if isinstance(listener, Path)
        else HTTPConnection(*listener, timeout=SECONDS_MAX)
    )
    try:
        connection.request("GET", PATH)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def scrape_process(name: str, address: str) -> Process:
    """Scrape a process; return it without samples if it does not respond or its response is unreadable."""
    try:
        families = tuple(text_string_to_metric_families(fetch_metrics(address)))
    except (*REQUEST_ERRORS, ValueError):
        return Process(name)
    samples = (Sample(sample.name, sample.labels, sample.value) for family in families for sample in family.samples)
    return Process(name, tuple(samples))


def scrape(addresses: Mapping[str, str]) -> Scrape:
    """Scrape all processes concurrently; those without a response are included without samples, in the same order."""
    with ThreadPoolExecutor(max(1, len(addresses))) as threads:
        processes = tuple(threads.map(scrape_process, addresses.keys(), addresses.values()))
    return Scrape(monotonic(), processes)
