"""Damaged logs: one change, with all later digests recomputed, as a forger would; deterministic by seed.

`damaged(seed, count)` draws from the golden logs of both titles and all formats, complete and redacted. This module
shares no code with the product, so that a change there does not change the forgeries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from uuid import UUID

from tests.transparency.logs import (
    NOBODY,
    STRANGER,
    Log,
    commitment,
    content,
    copy_value,
    encode,
    hidden_values,
    inventions,
    rechain,
    redact,
)

GOLDEN: Final = Path(__file__).parents[1] / "golden"
FOLDERS: Final = ("", "format-1/", "format-3/", "retired/")
LOGS: Final = sorted(path for folder in FOLDERS for path in GOLDEN.glob(f"{folder}*.jsonl"))
PLAYED: Final = [path for path in LOGS if path.parent.name != "retired"]
"""Without matches of retired rules, which are verified less strictly."""


class Damage(NamedTuple):
    """A file that no verifier may accept, except for the exceptions in `tests/transparency/second.py`."""

    name: str
    """The original golden log and its reader."""
    change: str
    """A description of the change and the fact it affects."""
    content: bytes


# Ways to damage a log. Each returns the index of the first changed entry and a description, or None if it does not
# apply.

Way = Callable[[Log, Random], "tuple[int, str] | None"]
Place = tuple[str | int, ...]


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Yield the paths of all leaf fields of a body."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))
    else:
        yield path


def words(path: Sequence[str | int]) -> str:
    return ".".join(step for step in path if isinstance(step, str))


def parent_of(body: Any, path: Place) -> Any:
    for step in path[:-1]:
        body = body[step]
    return body


NUMBERS: Final = (0, 1, 2, 7, -1, 255, 10**12, 2**53, 2**63, 10**30)


def other(value: Any, log: Log, rng: Random) -> Any:
    """Return another value, usually of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([each for each in (value + 1, value - 1, value + 1, *NUMBERS, 0.5) if each != value])
    if isinstance(value, str) and len(value) == len(NOBODY):
        index = rng.randrange(len(value))
        return value[:index] + ("1" if value[index] == "0" else "0") + value[index + 1 :]
    if isinstance(value, str):
        choices = [f"x{value}", value[:-1], value.upper(), *log.people, "bot:greedy@2", "", "\u0000", 7]
        return rng.choice([each for each in choices if each != value])
    return rng.choice([0, "service", [0], {}] if value is None else [None, [0], "x"])


def some_index(log: Log, rng: Random) -> int:
    """Return a random index; half of the time of an entry that is no action, because these are rare but important."""
    rare = [index for index, entry in enumerate(log.entries) if entry["body"]["type"] != "action_taken"]
    return rng.choice(rare) if rng.random() < 0.6 else rng.randrange(len(log.entries))


def change_field(log: Log, rng: Random) -> tuple[int, str]:
    index = some_index(log, rng)
    body = log.body(index)
    path = rng.choice([path for path in places(body) if path != ("type",)] or [("type",)])
    parent = parent_of(body, path)
    parent[path[-1]] = other(parent[path[-1]], log, rng)
    return index, f"change {body['type']} {words(path)}"


def drop_field(log: Log, rng: Random) -> tuple[int, str]:
    index = some_index(log, rng)
    body = log.body(index)
    path = rng.choice(list(places(body)))
    parent = parent_of(body, path)
    parent.pop(path[-1])
    return index, f"drop {body.get('type')} {words(path)}"


def add_field(log: Log, rng: Random) -> tuple[int, str]:
    index = some_index(log, rng)
    body = log.body(index)
    name, value = rng.choice(
        [
            *(("seat", 0), ("by", "service"), ("unready", True), ("standing", "guest"), ("standsInFor", STRANGER)),
            *(("dispute", "d"), ("charged", 0), ("draws", []), ("bot", None), ("format", 2), ("x", 1), ("guests", [0])),
            *(("commitment", NOBODY), ("share", NOBODY), ("salt", NOBODY), ("upheld", True), ("awaits", [0])),
        ]
    )
    if name in body:
        return index, drop_field(log, rng)[1]
    body[name] = value
    return index, f"add {body['type']} {name}"


def reorder_fields(log: Log, rng: Random) -> tuple[int, str] | None:
    index = some_index(log, rng)
    body = log.body(index)
    names = list(body)
    if len(names) < 3:
        return None
    position = rng.randrange(1, len(names) - 1)
    names[position], names[position + 1] = names[position + 1], names[position]
    log.entries[index]["body"] = {name: body[name] for name in names}
    return index, f"reorder {body['type']}"


def shorten_list(log: Log, rng: Random) -> tuple[int, str] | None:
    index = some_index(log, rng)
    body = log.body(index)
    paths = sorted(
        {path[:end] for path in places(body) for end in range(1, len(path)) if isinstance(path[end], int)}, key=str
    )
    if not paths:
        return None
    path = rng.choice(paths)
    parent = parent_of(body, path)
    values = parent[path[-1]]
    parent[path[-1]] = rng.choice([values[:-1], values[1:], [*values, values[0]], values[::-1], []])
    return (index, f"shorten {body['type']} {words(path)}") if parent[path[-1]] != values else None


def drop_entry(log: Log, rng: Random) -> tuple[int, str]:
    index = rng.randrange(len(log.entries) - 1)
    kind = log.entries.pop(index)["body"]["type"]
    return index, f"leave out {kind}"


def repeat_entry(log: Log, rng: Random) -> tuple[int, str]:
    index = some_index(log, rng)
    log.entries.insert(index, copy_value(log.entries[index]))
    return index, f"repeat {log.body(index)['type']}"


def swap_entries(log: Log, rng: Random) -> tuple[int, str] | None:
    index = rng.randrange(len(log.entries) - 1)
    first, second = log.entries[index], log.entries[index + 1]
    for name in ("body", "secrets"):
        a, b = first.pop(name, None), second.pop(name, None)
        first |= {} if b is None else {name: b}
        second |= {} if a is None else {name: a}
    return index, f"swap {second['body']['type']} and {first['body']['type']}"


def another_body(log: Log, rng: Random) -> tuple[int, str] | None:
    index, source = some_index(log, rng), rng.randrange(len(log.entries))
    if encode(log.body(index)) == encode(log.body(source)):
        return None
    kind = log.body(index)["type"]
    log.entries[index]["body"] = copy_value(log.body(source))
    log.entries[index].pop("secrets", None)
    if "secrets" in log.entries[source]:
        log.entries[index]["secrets"] = copy_value(log.entries[source]["secrets"])
    return index, f"{log.body(source)['type']} in the place of {kind}"


def other_time(log: Log, rng: Random) -> tuple[int, str]:
    """Set a time before the previous entry; later times are on the list of exceptions."""
    index = rng.randrange(1, len(log.entries))
    before = datetime.fromisoformat(log.entries[index - 1]["timestamp"])
    early = before - timedelta(microseconds=rng.choice([1, 1_000_000, 10**13]))
    log.entries[index]["timestamp"] = early.isoformat().replace("+00:00", "Z")
    return index, "an earlier time"


def other_match(log: Log, rng: Random) -> tuple[int, str]:
    index = rng.randrange(len(log.entries))
    log.entries[index]["match"] = str(UUID(bytes=rng.randbytes(16), version=4))
    return index, f"another match of {log.body(index)['type']}"


def reopen(log: Log, rng: Random) -> tuple[int, str] | None:
    """Replace a hidden value, with a matching commitment."""
    with_secrets = [index for index, entry in enumerate(log.entries) if "secrets" in entry]
    if not with_secrets:
        return None
    index = rng.choice(with_secrets)
    entry = log.entries[index]
    opening = rng.choice(entry["secrets"])
    (hidden,) = (each for each in hidden_values(entry["body"]) if each["commitment"] == opening["commitment"])
    with_other_salt = rng.random() < 0.3
    if with_other_salt:
        opening["salt"] = rng.randbytes(32).hex()
    else:
        paths = list(places(opening["value"]))
        path = rng.choice(paths)
        if path:
            parent = parent_of(opening["value"], path)
            parent[path[-1]] = other(parent[path[-1]], log, rng)
        else:
            opening["value"] = other(opening["value"], log, rng)
    hidden["commitment"] = opening["commitment"] = commitment(opening["salt"], opening["value"])
    return index, f"reopen {entry['body']['type']} {'with another salt' if with_other_salt else ''}".strip()


def false_opening(log: Log, rng: Random) -> tuple[int, str] | None:
    with_secrets = [index for index, entry in enumerate(log.entries) if "secrets" in entry]
    if not with_secrets:
        return None
    index = rng.choice(with_secrets)
    entry = log.entries[index]
    secrets, position = entry["secrets"], rng.randrange(len(entry["secrets"]))
    kind = rng.randrange(4)
    if kind == 0:
        secrets.pop(position)
    elif kind == 1:
        secrets[position]["value"] = other(secrets[position]["value"], log, rng)
    elif kind == 2:
        secrets[position]["salt"] = other(secrets[position]["salt"].ljust(64, "0")[:64], log, rng)
    else:
        secrets.append(secrets[position])
    if not secrets:
        del entry["secrets"]
    return index, f"a false opening of {entry['body']['type']} {kind}"


def header_field(log: Log, rng: Random) -> tuple[int, str]:
    name = rng.choice(list(log.header))
    log.header[name] = other(log.header[name], log, rng)
    return -1, f"header {name}"


def put_in(log: Log, rng: Random) -> tuple[int, str]:
    """Insert a fact that did not happen."""
    index = rng.randrange(1, len(log.entries) + 1)
    fact = rng.choice(inventions(log, index, rng))
    before = log.entries[index - 1]
    log.entries.insert(
        index,
        {
            "match": before["match"],
            "version": 0,
            "timestamp": before["timestamp"],
            "previous": "",
            "digest": "",
            "body": fact,
        },
    )
    return index, f"put in {fact['type']}"


def other_draw(log: Log, rng: Random) -> tuple[int, str] | None:
    with_draws = [index for index, entry in enumerate(log.entries) if entry["body"].get("draws")]
    if not with_draws:
        return None
    index = rng.choice(with_draws)
    draw = rng.choice(log.body(index)["draws"])
    name = rng.choice([name for name in draw if not name.startswith("hidden")])
    old = draw[name]
    if isinstance(old, list) and old:
        at = rng.randrange(len(old))
        draw[name] = [*old[:at], other(old[at], log, rng), *old[at + 1 :]] if rng.random() < 0.5 else old[::-1]
    else:
        draw[name] = other(old, log, rng)
    return (index, f"draw {name}") if draw[name] != old else None


def other_share(log: Log, rng: Random) -> tuple[int, str] | None:
    indices = log.indices("seat_ready", "seat_taken", "share_committed", "table_reopened")
    index = rng.choice(indices)
    body = log.body(index)
    names = [name for name in ("share", "salt", "commitment", "by", "seat", "shareBy") if name in body]
    if not names:
        return None
    name = rng.choice(names)
    if isinstance(body[name], dict):
        body[name]["commitment"] = other(body[name]["commitment"], log, rng)
    elif name == "shareBy":
        body[name] = rng.choice([each for each in ("client", "service", "awaited") if each != body[name]])
    else:
        body[name] = other(body[name], log, rng)
    return index, f"share {body['type']} {name}"


def other_signature(log: Log, rng: Random) -> tuple[int, str] | None:
    signed = [index for index, entry in enumerate(log.entries) if {"signed", "keys"} & set(entry["body"])]
    if not signed:
        return None
    index = rng.choice(signed)
    body = log.body(index)
    name = rng.choice([name for name in ("signed", "keys") if name in body])
    if rng.random() < 0.3:
        del body[name]
        return index, f"drop {name} of {body['type']}"
    parent = body[name] if name == "signed" else rng.choice(body[name])
    field = rng.choice([*parent, "version"])
    parent[field] = other(parent.get(field, index), log, rng)
    return index, f"change {name}.{field} of {body['type']}"


WAYS: Final[tuple[tuple[Way, int], ...]] = (
    (change_field, 30),
    (drop_field, 6),
    (add_field, 6),
    (reorder_fields, 3),
    (shorten_list, 6),
    (drop_entry, 8),
    (repeat_entry, 4),
    (swap_entries, 4),
    (another_body, 5),
    (other_time, 3),
    (other_match, 3),
    (reopen, 8),
    (false_opening, 6),
    (header_field, 4),
    (put_in, 14),
    (other_draw, 8),
    (other_share, 8),
    (other_signature, 8),
)


def broken_bytes(content: bytes, rng: Random) -> tuple[bytes, str]:
    """Change, insert or delete a byte without recomputing digests."""
    at = rng.randrange(len(content))
    kind = rng.randrange(4)
    if kind == 0:
        return content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1 :], "a bit is another"
    if kind == 1:
        return content[:at] + rng.choice([b" ", b"\n", b"0", b"\xff", b",", b'"']) + content[at:], "a byte put in"
    if kind == 2:
        return content[:at] + content[at + 1 + rng.randrange(40) :], "bytes left out"
    return content[:at], "the end left out"


def damage(path: Path, rng: Random) -> Damage | None:
    """Damage one golden log in one way; return None if nothing changed."""
    original = path.read_bytes()
    log = Log(original)
    seat = rng.choice(["all", "all", None, 0])
    reader = "whole" if seat == "all" else "spectator" if seat is None else "seat 0"
    name = f"{path.parent.name}/{path.stem}, {reader}"
    if seat != "all":
        redact(log, seat if isinstance(seat, int) else None)
    undamaged = content(log)
    if rng.random() < 0.08:
        damaged, change = broken_bytes(undamaged, rng)
        return Damage(name, change, damaged) if damaged != undamaged else None
    (change_log,) = rng.choices([change for change, _ in WAYS], [weight for _, weight in WAYS])
    result = change_log(log, rng)
    if result is None:
        return None
    index, change = result
    if index >= 0:
        rechain(log, index)
    damaged = content(log)
    return Damage(name, change, damaged) if damaged != undamaged else None


def damaged_files(seed: str, count: int, logs: Sequence[Path] = PLAYED) -> Iterator[Damage]:
    """Yield `count` damaged files, from all logs in turn."""
    damaged_count = turn = 0
    while damaged_count < count:
        path = logs[turn % len(logs)]
        file = damage(path, Random(f"{seed}/{turn}"))
        turn += 1
        if file is not None:
            damaged_count += 1
            yield file
