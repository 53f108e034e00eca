"""Resets of a witness: the root key of a log replaces its key, and names the tree to continue from; no I/O here.

Specified in `docs/specifications/keys.md`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from domain.transparency.errors import Malformed, NotSigned
from domain.transparency.key_chain import parse_signed_note
from domain.transparency.key_notes import KeyChange, RootNaming, require_signatures
from domain.transparency.notes import Note, VerifierKey, decode_text
from domain.transparency.witnessing import CosignRefusal, SeenTree


class LogOfWitness(NamedTuple):
    """The keys of a log that a witness watches, and the root keys that it accepts for it."""

    keys: tuple[VerifierKey, ...]
    roots: tuple[VerifierKey, ...] = ()


def check_reset(data: bytes, logs: Mapping[str, LogOfWitness]) -> KeyChange | CosignRefusal:
    """Return the change of a key that a known root key has signed; `logs`: by origin.

    Return a refusal with a status of HTTP instead: 400 for a bad note, 404 for an unknown log or another name, 403
    without a signature of its root key, 409 if the log has another key.
    """
    try:
        note, change = parse_signed_note(decode_text(data))
    except Malformed as fault:
        return CosignRefusal(400, str(fault))
    if isinstance(change, RootNaming):
        return CosignRefusal(400, "the note names a root key; expected a change of the key of the log")
    log = logs.get(change.old.name)
    if log is None or change.new.name != change.old.name:
        return CosignRefusal(404, "this witness does not watch this log")
    if not any(is_signed_by(note, change, root) for root in log.roots):
        return CosignRefusal(403, "the change is not signed with a root key that this witness knows")
    if change.old not in log.keys:
        return CosignRefusal(409, f"the log does not have the key {change.old}")
    return change


def is_signed_by(note: Note, change: KeyChange, root: VerifierKey) -> bool:
    """Return whether a note has all signatures of a change with this root key."""
    try:
        require_signatures(note, change.signers(root))
    except NotSigned:
        return False
    return True


def keys_after(keys: Iterable[VerifierKey], changes: Sequence[KeyChange], at: datetime) -> tuple[VerifierKey, ...]:
    """Return the keys of a log after changes, in order; a replaced key ends at once, or after its overlap."""
    current = dict.fromkeys(keys)
    for change in changes:
        current[change.new] = None
        if change.until is None or change.until <= at:
            current.pop(change.old, None)
    return tuple(current)


def tree_after(seen: SeenTree, change: KeyChange) -> SeenTree | None:
    """Return the tree to continue from if a change takes the last one back, or None if it stays."""
    named = SeenTree(change.size, change.root)
    return None if change.reason == "planned" or seen.size < named.size or seen == named else named
