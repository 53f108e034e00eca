"""Logs as plain values: reading, changing, rechaining, redacting and writing, without code of the product."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec

Body = dict[str, Any]
NOBODY: Final = "0" * 64
STRANGER: Final = "stranger"


class Log:
    """A log as mutable plain values."""

    def __init__(self, content: bytes) -> None:
        lines = content.splitlines()
        self.header: Body = msgspec.json.decode(lines[0])
        self.entries: list[Body] = [msgspec.json.decode(line) for line in lines[1:]]

    def body(self, index: int) -> Body:
        body: Body = self.entries[index]["body"]
        return body

    def indices(self, *kinds: str) -> list[int]:
        return [index for index, entry in enumerate(self.entries) if entry["body"]["type"] in kinds]

    @property
    def title(self) -> str:
        return str(self.header["title"])

    @property
    def people(self) -> list[str]:
        return sorted({entry["body"]["by"] for entry in self.entries if "by" in entry["body"]} | {STRANGER, "service"})


def encode(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (OverflowError, UnicodeEncodeError):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def copy_value(value: Any) -> Any:
    return msgspec.json.decode(encode(value))


def digest(entry: Body) -> str:
    """Return the digest as specified in `docs/specifications/log.md`."""
    microseconds = (datetime.fromisoformat(entry["timestamp"]) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        microseconds=1
    )
    position = (
        UUID(entry["match"]).bytes + entry["version"].to_bytes(8, "big") + microseconds.to_bytes(8, "big", signed=True)
    )
    previous = bytes.fromhex(entry["previous"])
    return hashlib.sha256(b"esporles.entry/1\0" + position + previous + encode(entry["body"])).hexdigest()


def commitment(salt: str, value: Any) -> str:
    return hashlib.sha256(bytes.fromhex(salt) + encode(value)).hexdigest()


def rechain(log: Log, start: int = 0) -> None:
    """Recompute versions, digests and header."""
    for index, entry in enumerate(log.entries[start:], start):
        entry["version"] = index + 1
        entry["previous"] = log.entries[index - 1]["digest"] if index else NOBODY
        entry["digest"] = digest(entry)
    last = log.entries[-1]
    log.header |= {"match": last["match"], "entries": len(log.entries), "head": last["digest"]}


def hidden_values(value: Any) -> Iterator[Body]:
    """Yield the hidden values of a body, in order."""
    if isinstance(value, dict):
        if list(value) == ["commitment", "audience"]:
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from hidden_values(inner)


def redact(log: Log, seat: int | None) -> None:
    """Remove the openings that a spectator or a seat may not see."""
    for entry in log.entries:
        visible = {each["commitment"] for each in hidden_values(entry["body"]) if seat in each["audience"]}
        secrets = [each for each in entry.pop("secrets", ()) if each["commitment"] in visible]
        if secrets:
            entry["secrets"] = secrets
    log.header["redactedFor"] = "spectator" if seat is None else f"seat/{seat}"


def content(log: Log) -> bytes:
    return b"\n".join(map(encode, [log.header, *log.entries])) + b"\n"


def inventions(log: Log, index: int, rng: Random) -> list[Body]:
    """Return facts that could be inserted at this index."""
    seats = log.body(0)["seats"]
    seat, person = rng.randrange(seats), rng.choice(log.people)
    fork = {"parent": log.entries[index - 1]["match"], "at": index, "luck": "same", "by": person}
    ruling = {"ruling": "r", "dispute": "d", "by": rng.choice(["arbiter", person]), "at": rng.choice([1, index + 9])}
    ruling |= {"rule": "4.2", "reasons": rng.choice(["x", " "])}
    result = {"scores": [9] * seats, "ranking": rng.choice([[1] * seats, [2] * seats])}
    take_back = {"seat": seat, "by": person, "toVersion": rng.randrange(1, index + 2)}
    policy = log.body(0)["table"]["timeOut"]
    return [
        {"type": "seat_taken", "seat": seat, "by": person, "shareBy": "service"},
        {"type": "seat_left", "seat": seat, "by": person},
        {"type": "seat_ready", "seat": seat, "by": person},
        {"type": "share_committed", "seat": seat, "by": person, "shareBy": "service"},
        {"type": "table_closed", "by": "service"},
        {"type": "resigned", "seat": seat, "by": person},
        {"type": "timed_out", "seat": seat, "by": "service", "policy": policy},
        {"type": "seat_replaced", "seat": seat, "by": person, "actor": rng.choice(log.people)},
        {"type": "pause_asked", "seat": seat, "by": person},
        {"type": "paused", "by": person},
        {"type": "resumed", "by": person},
        {"type": "voided", "by": person},
        {"type": "taken_back", **take_back},
        {"type": "match_ended", **result},
        {"type": "match_forked", **fork, "seats": [None] * rng.choice([seats, seats + 1]), "format": 2},
        {"type": "ruling_given", **ruling},
        {"type": "ruling_given", **ruling, "measures": [{"type": "result_set", **result}]},
        {"type": "ruling_given", **ruling, "appealOf": "q", "upheld": True},
        {"type": "ruling_given", **ruling, "measures": [{"type": "points_taken", "seat": seats, "points": 1}]},
    ]
