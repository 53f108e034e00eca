"""The labels of the service's tree: the announcement in the tree, and the key among the secrets of the service."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final, NamedTuple

from api.accounts.people import People
from api.transparency.errors import TreeDiffers
from api.transparency.store import Leaf, TreeStore
from domain.eventstore.guard import LogItem, stream_of
from domain.matches.log.entries import Entry
from domain.transparency.announcements import Announcement, FormatChanged, parse_announcement
from domain.transparency.errors import Malformed
from domain.transparency.labels import Labeller
from domain.transparency.vrf import VrfKey

KEY_NAME: Final = "labels"
"""Name of the key's secret."""
SEED_PREFIX: Final = b"esporles.labels/1\x00"
LABELLERS_CACHED: Final = 4


def vrf_key_of(people: People) -> VrfKey:
    """Return the key of the labels, derived from a secret of the service."""
    return VrfKey(hashlib.sha512(SEED_PREFIX + bytes.fromhex(people.secret(KEY_NAME))).digest())


class LabelledFrom(NamedTuple):
    """The announcement of labels and its number: all later leaves of events have one."""

    number: int
    announcement: FormatChanged


def find_label_announcement(store: TreeStore) -> LabelledFrom | None:
    """Return the announcement of labels in the tree, or None; raise `TreeDiffers` if an announcement is unreadable."""
    for number, leaf in store.announcements():
        announcement = parse_leaf(number, leaf)
        if isinstance(announcement, FormatChanged):
            return LabelledFrom(number, announcement)
    return None


def parse_leaf(number: int, leaf: Leaf) -> Announcement:
    """Return the announcement of a leaf; raise `TreeDiffers` if it is unreadable."""
    try:
        return parse_announcement(leaf.content)
    except Malformed as fault:
        raise TreeDiffers(f"leaf {number:,} of the tree: {fault}") from fault


@lru_cache(LABELLERS_CACHED)
def labeller_of(announcement: FormatChanged, key: VrfKey | None) -> Labeller:
    """Return the labeller of a tree; raise `TreeDiffers` if its labels are by another key than this one.

    All proofs use the same one, because it caches the proofs of records of roles, which many files contain.
    """
    labeller = None if key is None else Labeller(key, announcement.origin)
    if labeller is None or labeller.announcement != announcement:
        raise TreeDiffers("the labels of the tree are not by the key of this service")
    return labeller


def label_of(labeller: Labeller, event: LogItem) -> bytes:
    """Return the label of an event."""
    of = labeller.of_entry if isinstance(event, Entry) else labeller.of_record
    return of(stream_of(event), event.version)


class ExpectedLabels:
    """Compares labels of leaves with the labels by the key; without a key, only which leaves have a label."""

    def __init__(self, store: TreeStore, key: VrfKey | None) -> None:
        self._store, self._key = store, key
        self._announced: LabelledFrom | None = None
        self._labeller: Labeller | None = None

    def refresh(self) -> None:
        """Read the announcement if it is not known yet; raise `TreeDiffers` if it is unreadable or by another key."""
        if self._announced is None:
            self._announced = find_label_announcement(self._store)
        if self._announced is not None and self._labeller is None and self._key is not None:
            self._labeller = labeller_of(self._announced.announcement, self._key)

    def find_fault(self, number: int, leaf: Leaf, event: LogItem) -> str | None:
        """Return why the label of an event's leaf is false, or None."""
        if self._announced is None or number < self._announced.number:
            return "its leaf has a label, but no announcement of labels before it" if leaf.label else None
        if not leaf.label:
            return "its leaf has no label"
        if self._labeller is not None and label_of(self._labeller, event) != leaf.label:
            return "its leaf has the label of another entry"
        return None
