"""Rules for the content of every leaf, the same for all readers; specified in `docs/specifications/transparency.md`."""

import re
from typing import Final, NamedTuple

from domain.transparency.announcements import (
    FORMAT,
    Announcement,
    FormatChanged,
    LogBegun,
    is_announcement,
    parse_announcement,
)
from domain.transparency.errors import Malformed
from domain.transparency.labels import LABEL_BYTES
from domain.transparency.merkle import HASH_BYTES

VRF_KEY: Final = re.compile(r"[0-9a-f]{64}")


class LeafContent(NamedTuple):
    """The content of a leaf: an announcement, or the label of an event, which is empty before the announcement."""

    label: bytes = b""
    announcement: Announcement | None = None

    @property
    def begins_labels(self) -> bool:
        """Whether all later leaves of events have labels."""
        return isinstance(self.announcement, FormatChanged)


def read_leaf(number: int, content: bytes, labelled_from: int | None) -> LeafContent:
    """Return the content of a leaf; raise `Malformed` if no leaf of this number may have it.

    `labelled_from`: the number of the earlier leaf that announces labels, or None.
    """
    if is_announcement(content):
        return LeafContent(announcement=check_announcement(number, parse_announcement(content), labelled_from))
    expected = HASH_BYTES if labelled_from is None else LABEL_BYTES + HASH_BYTES
    if len(content) != expected:
        raise Malformed(f"it has {len(content)} bytes, expected {expected}")
    return LeafContent(b"" if labelled_from is None else content[:LABEL_BYTES])


def check_announcement(number: int, announcement: Announcement, labelled_from: int | None) -> Announcement:
    """Return an announcement; raise `Malformed` if the log may not make it at this leaf."""
    if isinstance(announcement, LogBegun) and number:
        raise Malformed("only the first leaf announces the beginning of a log")
    if isinstance(announcement, FormatChanged):
        if labelled_from is not None:
            raise Malformed(f"labels were announced before, at leaf {labelled_from}")
        if announcement.format != FORMAT or VRF_KEY.fullmatch(announcement.vrf) is None:
            raise Malformed(f"it announces the format {announcement.format}, expected {FORMAT} and a key of labels")
    return announcement
