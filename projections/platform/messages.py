"""Notifications between processes: grown streams, advanced read models, presentations and presence.

A notification is a hint: it may be late, repeated or lost.
"""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec

IDS_MAX: Final = 1_000
"""Streams per notification; beyond that none is named and the notification means all."""


class Appended(msgspec.Struct, frozen=True, tag="appended"):
    """The log has grown to `position`; `versions` has the latest version of each grown stream."""

    position: int
    versions: Mapping[UUID, int]
    is_cut: bool = False
    """Whether the list is cut off, so that any stream may have grown."""
    source: str = ""
    """The sender, which ignores its own notification."""
    traces: Mapping[UUID, str] = {}
    """Trace contexts of the requests that brought streams to these versions, continued by followers."""

    def merge(self, later: "Appended") -> "Appended":
        """Merge with a later notification: the highest position and versions, and the later's source.

        Above `IDS_MAX` streams, or if either is cut, the result is cut and names no streams.
        """
        versions = dict(self.versions)
        for stream_id, version in later.versions.items():
            versions[stream_id] = max(version, versions.get(stream_id, 0))
        is_cut = self.is_cut or later.is_cut or len(versions) > IDS_MAX
        earlier = {stream_id: trace for stream_id, trace in self.traces.items() if stream_id not in later.versions}
        traces = {} if is_cut else earlier | dict(later.traces)
        return Appended(max(self.position, later.position), {} if is_cut else versions, is_cut, later.source, traces)


class Advanced(msgspec.Struct, frozen=True, tag="advanced"):
    """Consumers have advanced to these offsets; `ids` are the streams with changed rows."""

    positions: Mapping[str, int]
    ids: tuple[str, ...]
    is_cut: bool = False
    source: str = ""

    def merge(self, later: "Advanced") -> "Advanced":
        """Merge with a later notification, whose positions and source replace earlier ones.

        Above `IDS_MAX` ids, or if either is cut, the result is cut and names no ids.
        """
        ids = tuple(dict.fromkeys((*self.ids, *later.ids)))
        is_cut = self.is_cut or later.is_cut or len(ids) > IDS_MAX
        return Advanced({**self.positions, **later.positions}, () if is_cut else ids, is_cut, later.source)


class Presented(msgspec.Struct, frozen=True, tag="presented"):
    """Presentations in progress by stream.

    They are in no log and repeated, so that a later notification makes up for a lost one.
    """

    places: Mapping[UUID, str]
    source: str = ""

    def merge(self, later: "Presented") -> "Presented":
        """Merge with a later notification."""
        return Presented({**self.places, **later.places}, source=later.source)


class Attended(msgspec.Struct, frozen=True, tag="attended"):
    """Presence at tables by match as seen by the sender; repeated as well."""

    tables: Mapping[UUID, str]
    source: str = ""

    def merge(self, later: "Attended") -> "Attended":
        """Merge with a later notification."""
        return Attended({**self.tables, **later.tables}, source=later.source)


Message = Appended | Advanced | Presented | Attended
