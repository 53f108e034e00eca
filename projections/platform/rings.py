"""What the doorbell says: which streams of the log have grown, which read models have advanced, and what is presented.

A ring is a hint, never the truth: it may come late, twice or not at all.
"""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec

IDS_MAX: Final = 1_000
"""A ring that would name more streams names none and stands for all of them."""


class Appended(msgspec.Struct, frozen=True, tag="appended"):
    """The log has grown to `position`; `versions` has the newest version of each stream that grew."""

    position: int
    versions: Mapping[UUID, int]
    is_cut: bool = False
    """More streams grew than a ring names: it may be any."""
    source: str = ""
    """The doorbell that rang, which does not need to hear itself."""
    traces: Mapping[UUID, str] = {}
    """Where the request that brought a stream to its version is traced: what whoever follows it goes on with."""

    def then(self, later: "Appended") -> "Appended":
        """Both as one ring."""
        versions = dict(self.versions)
        for stream_id, version in later.versions.items():
            versions[stream_id] = max(version, versions.get(stream_id, 0))
        is_cut = self.is_cut or later.is_cut or len(versions) > IDS_MAX
        earlier = {stream_id: trace for stream_id, trace in self.traces.items() if stream_id not in later.versions}
        traces = {} if is_cut else earlier | dict(later.traces)
        return Appended(max(self.position, later.position), {} if is_cut else versions, is_cut, later.source, traces)


class Advanced(msgspec.Struct, frozen=True, tag="advanced"):
    """Followers have come to these positions; `ids` are those of the matches and other streams whose rows changed."""

    positions: Mapping[str, int]
    ids: tuple[str, ...]
    is_cut: bool = False
    source: str = ""

    def then(self, later: "Advanced") -> "Advanced":
        """Both as one ring."""
        ids = tuple(dict.fromkeys((*self.ids, *later.ids)))
        is_cut = self.is_cut or later.is_cut or len(ids) > IDS_MAX
        return Advanced({**self.positions, **later.positions}, () if is_cut else ids, is_cut, later.source)


class Presented(msgspec.Struct, frozen=True, tag="presented"):
    """What somebody presents now, by the stream it is about. It stands in no log: who presents repeats it, so that a
    ring that was lost is made up for by the next."""

    places: Mapping[UUID, str]
    source: str = ""

    def then(self, later: "Presented") -> "Presented":
        """Both as one ring."""
        return Presented({**self.places, **later.places}, source=later.source)


class Attended(msgspec.Struct, frozen=True, tag="attended"):
    """Who is at tables, as the process that rings sees it, by the match. It is repeated as well."""

    tables: Mapping[UUID, str]
    source: str = ""

    def then(self, later: "Attended") -> "Attended":
        """Both as one ring."""
        return Attended({**self.tables, **later.tables}, source=later.source)


Ring = Appended | Advanced | Presented | Attended
