"""The part of a verification report that describes the proof of a log."""

from datetime import datetime

from domain.kernel.values import Value


class Cosigned(Value, frozen=True):
    """A witness's cosignature of the checkpoint; `is_trusted` is null if no trusted keys were given."""

    name: str
    key: str
    at: datetime
    is_trusted: bool | None


class KeyNoteShown(Value, frozen=True):
    """A note about the keys of the service, and the index of its leaf."""

    leaf: int
    note: str


class ProofShown(Value, frozen=True):
    """A verified proof: the checkpoint, its signers, and descriptions of the checks."""

    origin: str
    key: str
    is_trusted: bool | None
    size: int
    root: str
    leaves_checked: int
    cosigned: tuple[Cosigned, ...]
    checked: tuple[str, ...]
    labels_checked: int = 0
    key_notes: tuple[KeyNoteShown, ...] = ()
    unlabelled: tuple[str, ...] = ()
    """The entries and records whose leaves have no labels: `entries 1 to 40`."""
