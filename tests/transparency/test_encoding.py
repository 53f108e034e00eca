"""Canonical JSON as `docs/specifications/log.md` describes it: both verifiers accept this form and no other."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import pytest

from domain.proofs.match import verify_content
from tests.transparency.damaged import GOLDEN
from tests.transparency.logs import NOBODY, Log
from tests.transparency.second import SecondVerifier

PATH: Final = GOLDEN / "format-3" / "el_grande-ruled.jsonl"
STRANGE: Final = '/"\\\b\t\n\f\r\x00\x0b\x1f\x7f\x80é\u2028\u2029\uffff😀'
WRITTEN: Final = '/\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u000b\\u001f\x7f\x80é\u2028\u2029\uffff😀'
"""`STRANGE` as the page says that it is written."""


def write(value: Any) -> bytes:
    """Return JSON without spaces and without escapes that are not needed, by the standard library."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def write_ruling(reasons: bytes, fraction: str = "") -> tuple[bytes, int]:
    """Return a log with a ruling for these reasons and the version of its entry, with correct digests throughout.

    `fraction` is added to the seconds of the entry and all later ones.
    """
    log = Log(PATH.read_bytes())
    ruling, previous = log.indices("ruling_given")[0], NOBODY
    lines = list[bytes]()
    for index, entry in enumerate(log.entries):
        if index >= ruling:
            entry["timestamp"] = entry["timestamp"].replace("Z", f"{fraction}Z")
        if index == ruling:
            entry["body"]["reasons"] = "REASONS"
        body = write(entry["body"]).replace(b"REASONS", reasons)
        entry["previous"] = previous
        entry["digest"] = previous = digest_of(entry, body)
        lines.append(write(entry | {"body": "BODY"}).replace(b'"BODY"', body))
    header = write(log.header | {"head": previous})
    return b"\n".join([header, *lines, b""]), ruling + 1


def digest_of(entry: dict[str, Any], body: bytes) -> str:
    """Return the digest of an entry with these bytes as its body."""
    at = (datetime.fromisoformat(entry["timestamp"]) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    place = UUID(entry["match"]).bytes + entry["version"].to_bytes(8, "big") + at.to_bytes(8, "big", signed=True)
    return hashlib.sha256(b"esporles.entry/1\0" + place + bytes.fromhex(entry["previous"]) + body).hexdigest()


def find_blamed(second_verifier: SecondVerifier, content: bytes) -> list[int | None]:
    """Return the entry that each verifier blames, None for a good file."""
    reports = (verify_content(content).fault, second_verifier.examine(content).fault)
    return [None if fault is None else fault.entry for fault in reports]


def test_every_character_has_one_form(second_verifier: SecondVerifier) -> None:
    content, _ = write_ruling(WRITTEN.encode())

    assert write(STRANGE) == f'"{WRITTEN}"'.encode()
    assert find_blamed(second_verifier, content) == [None, None]


@pytest.mark.parametrize(
    "text",
    [
        b"\\/",
        b"\\u002f",
        b"\\u00e9",
        b"\\u000B",
        b"\\u0008",
        b"\\u007f",
        b"\\u2028",
        b"\\ud83d\\ude00",
        b"\\ud800",
        b"\\udc00\\ud800",
        b"\xed\xa0\x80",
        b"\xff",
        b"\t",
    ],
)
def test_any_other_form_is_refused_at_its_entry(second_verifier: SecondVerifier, text: bytes) -> None:
    content, version = write_ruling(text)

    assert find_blamed(second_verifier, content) == [version, version]


@pytest.mark.parametrize(
    ("fraction", "is_good"),
    [("", True), (".500000", True), (".000001", True), (".5", False), (".000000", False), (".500", False)],
)
def test_seconds_have_six_digits_or_none(second_verifier: SecondVerifier, fraction: str, is_good: bool) -> None:
    content, version = write_ruling(b"So it is.", fraction)

    assert find_blamed(second_verifier, content) == ([None, None] if is_good else [version, version])
