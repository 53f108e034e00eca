"""What a forger would do: change an entry and make every later digest anew."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from domain.kernel.values import replace
from domain.matches.log.entries import Entry, Opening, canonical, commitment, digest
from domain.matches.log.file import LogFile, log_of


def rechained(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries with digests that follow from each other again."""
    chained: list[Entry] = []
    for entry in entries:
        chained.append(replace(entry, previous=digest(chained[-1])) if chained else entry)
    return tuple(chained)


def forged(log: LogFile, version: int, change: Callable[[Any], Any]) -> LogFile:
    """The log with the body of an entry changed; `change` works on builtins."""
    entries = list(log.entries)
    body = msgspec.json.decode(entries[version - 1].body)
    changed = change(body) or body
    entries[version - 1] = replace(entries[version - 1], body=msgspec.Raw(msgspec.json.encode(changed)))
    return log_of(rechained(entries))


def reopened(log: LogFile, version: int, index: int, value: Any) -> LogFile:
    """The log with another value behind a hidden value, committed to as it should be."""
    entries = list(log.entries)
    entry = entries[version - 1]
    old = entry.secrets[index]
    raw = canonical(value)
    new = Opening(commitment(bytes.fromhex(old.salt), raw), old.salt, msgspec.Raw(raw))
    body = bytes(entry.body).replace(old.commitment.encode(), new.commitment.encode())
    secrets = (*entry.secrets[:index], new, *entry.secrets[index + 1 :])
    entries[version - 1] = replace(entry, body=msgspec.Raw(body), secrets=secrets)
    return log_of(rechained(entries))


def version_of(log: LogFile, kind: str, nth: int = 0) -> int:
    """The version of the nth entry of a kind."""
    found = [entry.version for entry in log.entries if f'"type":"{kind}"'.encode() in bytes(entry.body)[:60]]
    return found[nth]
