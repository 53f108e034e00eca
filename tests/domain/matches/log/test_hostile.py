"""Malicious files that would exhaust memory or CPU are rejected, with the bad entry named."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.log.entries import Opening
from domain.matches.log.log_files import LINE_MAX, OPENINGS_MAX, LogFile, log_bytes, log_of, parse_log, read_log
from domain.matches.verification.verify import VerifyReport, verify
from domain.proofs.match import verify_content
from tests.domain.matches.match_helpers import ALL_TITLES, forge_entry, rechain, toy_log, version_of

GOLDEN = Path(__file__).parents[3] / "golden"
LOG = toy_log()
CONTENT = log_bytes(LOG)
MANY = 10**12


def describe_fault(report: VerifyReport) -> tuple[int | None, str, str]:
    assert report.fault is not None
    return report.fault.entry, report.fault.kind, report.fault.why


def set_in(name: str, to: int) -> Callable[[Any], None]:
    def change(body: Any) -> None:
        body[name] = to

    return change


@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
@pytest.mark.parametrize("seats", [21, 10**8, MANY])
def test_millions_of_seats_are_rejected_without_the_rules(title: str, seats: int) -> None:
    log = read_log(GOLDEN / "retired" / f"{title}-0.jsonl")

    entry, kind, why = describe_fault(verify(forge_entry(log, 1, set_in("seats", seats))))

    assert (entry, kind) == (1, "legality")
    assert f"{seats} is not a number from 0 to 20" in why


@pytest.mark.parametrize("kind", ["roll", "draw"])
@pytest.mark.parametrize("field", ["count", "poolSize"])
@pytest.mark.parametrize("number", [MANY, 10**5, -1, 0])
def test_huge_draws_are_rejected_without_the_rules(kind: str, field: str, number: int) -> None:
    log = read_log(GOLDEN / "retired" / "la_granja-0.jsonl")
    version, index = find_public_draw(log, kind)

    def change(body: Any) -> None:
        body["draws"][index][field] = number

    assert describe_fault(verify(forge_entry(log, version, change)))[:2] == (version, "chance")


def find_public_draw(log: LogFile, kind: str) -> tuple[int, int]:
    """Return the version of an entry with a public draw of this kind, and the index of the draw in it."""
    return next(
        (entry.version, index)
        for entry in log.entries
        for index, draw in enumerate(msgspec.json.decode(entry.body).get("draws", ()))
        if draw["kind"] == kind and "outcome" in draw
    )


def test_a_draw_without_its_pool_is_a_fault_of_chance() -> None:
    log = read_log(GOLDEN / "retired" / "la_granja-0.jsonl")
    version, index = find_public_draw(log, "draw")

    def change(body: Any) -> None:
        del body["draws"][index]["pool"]

    entry, kind, why = describe_fault(verify(forge_entry(log, version, change)))

    assert (entry, kind) == (version, "chance")
    assert "is unknown" in why


def test_a_line_of_ten_megabytes_is_refused_unread() -> None:
    lines = CONTENT.split(b"\n")
    long = b'{"type":"voided","by":"service","reason":"' + b"x" * 10_000_000 + b'"}'

    assert describe_fault(verify_content(b"\n".join([*lines[:3], long, *lines[4:]]))) == (
        3,
        "line",
        f"the line is longer than {LINE_MAX} bytes",
    )
    assert describe_fault(verify_content(lines[0].replace(b"toy", b"x" * 10_000_000) + CONTENT[len(lines[0]) :])) == (
        None,
        "file",
        f"the first line is longer than {LINE_MAX} bytes",
    )


@pytest.mark.parametrize("bracket", [(b"[", b"]"), (b'{"x":', b"}")])
@pytest.mark.parametrize("depth", [10_000, 500_000])
def test_deeply_nested_json_is_rejected(depth: int, bracket: tuple[bytes, bytes]) -> None:
    deep = bracket[0] * depth + b"0" + bracket[1] * depth
    lines = CONTENT.split(b"\n")
    for line in (deep, lines[4].replace(b'"body":{', b'"body":{"x":' + deep + b",", 1)):
        entry, kind, _ = describe_fault(verify_content(b"\n".join([*lines[:4], line, *lines[5:]])))
        assert (entry, kind) == (4, "line")
    entries = list(LOG.entries)
    entries[3] = replace(entries[3], body=msgspec.Raw(b'{"type":"seat_left","seat":' + deep[:10_000] + b"}"))
    assert describe_fault(verify_content(log_bytes(log_of(rechain(entries)))))[:2] == (4, "line")


@pytest.mark.parametrize("number", [b"1" * 5_000, b"1e400", b"1e12", b"-1e308", b"0.1"])
def test_numbers_that_no_field_holds_are_refused(number: bytes) -> None:
    version = version_of(LOG, "action_taken")
    entries = list(LOG.entries)
    body = bytes(entries[version - 1].body)
    entries[version - 1] = replace(
        entries[version - 1], body=msgspec.Raw(body.replace(b'"seat":', b'"seat":' + number))
    )

    assert describe_fault(verify(log_of(rechain(entries)), titles=ALL_TITLES))[0] == version


def test_too_many_openings_are_rejected_early() -> None:
    none = Opening("", "", msgspec.Raw(b"0"))
    half = (none,) * (OPENINGS_MAX // 2)
    entries = [replace(entry, secrets=half) for entry in LOG.entries[:4]]

    with pytest.raises(LogFault, match=rf"^entry 3: the log opens more than {OPENINGS_MAX:,} hidden values"):
        parse_log(log_bytes(log_of(rechain(entries))))


def test_thousands_of_pauses_are_verified() -> None:
    """The file is valid: its match is paused and resumed many times."""
    started = version_of(LOG, "match_started")
    entries = list(LOG.entries[:started])
    bodies = (b'{"type":"paused","by":"service"}', b'{"type":"resumed","by":"service"}')
    for number in range(6_000):
        body, at = msgspec.Raw(bodies[number % 2]), entries[-1].timestamp + timedelta(seconds=1)
        version = entries[-1].version + 1
        entries.append(replace(LOG.entries[1], originator_version=version, timestamp=at, body=body, secrets=()))

    report = verify(log_of(rechain(entries)), titles=ALL_TITLES)

    assert report.fault is None
    assert report.entries == started + 6_000
