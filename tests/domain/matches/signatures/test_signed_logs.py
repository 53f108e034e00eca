"""Verification of signatures in two golden matches with forged entries."""

from pathlib import Path
from typing import Any, Final

import pytest

from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_of, read_log
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import forge_entry, rechain, version_of
from tests.signing import Pen

GOLDEN: Final = Path(__file__).parents[3] / "golden"
SIGNED: Final = {title: read_log(GOLDEN / f"{title}-signed.jsonl") for title in ("el_grande", "la_granja")}
BEA, STRANGER = Pen("bea"), Pen("stranger")


@pytest.mark.parametrize("title", SIGNED)
def test_no_signature_can_be_left_out_or_changed(title: str) -> None:
    """Each signed entry in turn: without its signature, with another key or version, or with a flipped bit."""
    log = SIGNED[title]
    signed = [
        entry.version
        for entry in log.entries
        if b'"signed":{' in bytes(entry.body) and not bytes(entry.body).startswith(b'{"type":"ruling_given"')
    ]
    for version in signed[:3] + signed[3::9]:
        for change in CHANGES:
            fault = verify(forge_entry(log, version, change)).fault
            assert fault is not None, change
            assert fault.entry == version
    assert len(signed) > 30


def strip(body: Any) -> None:
    del body["signed"]


def with_another_key(body: Any) -> None:
    body["signed"]["key"] = STRANGER.key


def over_another_version(body: Any) -> None:
    body["signed"]["version"] = 1


def with_a_bit_changed(body: Any) -> None:
    was = body["signed"]["signature"]
    body["signed"]["signature"] = f"{int(was[0], 16) ^ 1:x}{was[1:]}"


CHANGES: Final = (strip, with_another_key, over_another_version, with_a_bit_changed)


def test_where_nothing_is_signed_a_signature_is_false() -> None:
    """A signature of the service over an earlier entry, and a signature of a seat without keys."""
    log = SIGNED["la_granja"]
    service = next(
        each.version
        for each in log.entries
        if b'"by":"service"' in bytes(each.body) and b'"signed"' in bytes(each.body)
    )
    stops = version_of(log, "signing_stopped")
    unsigned = next(
        each.version
        for each in log.entries[stops:]
        if b'"seat":2,"by":"bea"' in bytes(each.body) and b'"action":{' in bytes(each.body)
    )

    def signed_all_the_same(body: Any) -> None:
        body["signed"] = {"key": BEA.key, "signature": "0" * 128}

    for version, change in ((service, over_another_version), (unsigned, signed_all_the_same)):
        fault = verify(forge_entry(log, version, change)).fault
        assert fault is not None
        assert fault.entry == version


@pytest.mark.parametrize("title", SIGNED)
def test_a_closed_signature_is_only_where_there_can_be_one(title: str) -> None:
    """In a redacted log, only seats that sign have the field for hidden signatures."""
    log = log_of(SIGNED[title].entries, None)
    body = next(each for each in log.entries if b'"hiddenAct"' in bytes(each.body))
    stops = version_of(log, "signing_stopped")
    unsigned = next(
        each
        for each in log.entries[stops:]
        if b'"hiddenAction"' in bytes(each.body) and b'"seat":2' in bytes(each.body)
    )

    def as_signed(inner: Any) -> Any:
        return {("hiddenAct" if name == "hiddenAction" else name): value for name, value in inner.items()}

    assert verify(log).is_good
    fault = verify(redact_log(forge_entry(log_of(SIGNED[title].entries), unsigned.version, as_signed))).fault
    assert fault is not None
    assert fault.entry == unsigned.version
    assert body.version < stops


def redact_log(log: Any) -> Any:
    return log_of(rechain(log_of(log.entries, None).entries), None)


@pytest.mark.parametrize("number", [0, -1, -(10**12)])
@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
def test_no_signature_is_lost_by_calling_the_rules_retired(title: str, number: int) -> None:
    """Legality is not verified for retired rules, but signatures still are."""
    log = read_log(GOLDEN / f"{title}-signed.jsonl")

    for reader in (ALL, None):
        report = verify(log_of(forge_entry(log, 1, lambda body: body.update(rulesVersion=number)).entries, reader))

        assert report.fault is not None
        assert "signature" in report.fault.why or "unknown here" in report.fault.why
