"""Damaged lines of proof files of format 3: leaves, labels, announcements of the log."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from tests.transparency.damaged import broken_bytes, parent_of, places, words
from tests.transparency.logs import copy_value, encode


def damaged_line(line: bytes, rng: Random) -> tuple[str, bytes]:
    """Return a line of a proof with one field changed, left out or repeated, and the path of the field.

    In the lines of proofs these are leaves, labels, announcements of the log, hashes, the checkpoint and keys.
    """
    fields = msgspec.json.decode(line)
    path = rng.choice([path for path in places(fields) if {"log", "labels", "label"} & set(path) or rng.random() < 0.2])
    parent = parent_of(fields, path)
    kind = rng.randrange(5)
    if kind == 0:
        parent.pop(path[-1])
    elif kind == 1 and isinstance(path[0], str) and isinstance(fields[path[0]], list):
        fields[path[0]].append(copy_value(fields[path[0]][-1]))
    elif kind == 2 and path[-1] == "text":
        parent["text"] = broken_bytes(parent["text"].encode(), rng)[0].decode(errors="replace")
    else:
        parent[path[-1]] = other_text(parent[path[-1]], rng)
    return f"{kind} {words(path)}", encode(fields)


def other_text(value: Any, rng: Random) -> Any:
    """Return another text with one digit changed, or another number."""
    if not isinstance(value, str) or not value:
        return value + rng.choice([1, -1, 10**9]) if isinstance(value, int) else 7
    index = rng.randrange(len(value))
    return value[:index] + ("1" if value[index] == "0" else "0") + value[index + 1 :]
