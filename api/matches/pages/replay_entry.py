"""Entries of a replay as one reader may see them, with their narration."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar.exceptions import ClientException

from api.http.guards import Caller
from api.matches.callers import seat_of_caller
from api.matches.pages.narration import NarratedEntry, narrate_entries
from api.matches.pages.replay_position import RequestedPosition, VariationStep
from api.matches.pages.shares import ShareShown, shares_of
from api.matches.queries import Bounds
from api.matches.responses import seat_names
from api.matches.schemas import MatchShown
from api.matches.service import MatchService
from api.titles.drawing import Drawing, Drawings
from domain.matches.aggregate import Match, info_of, view
from domain.matches.errors import NoSuchEntry, NotSeated
from projections.matches import replay
from projections.platform.store import ReadStore

EVERYBODY: Final = "all"
"""The perspective of a spectator, in requests."""


class ComparedEntry(msgspec.Struct, frozen=True):
    """An entry to compare with, and its points."""

    version: int
    scores: tuple[int, ...]
    line: replay.ReplayLine | None


class ShownEntry(msgspec.Struct, frozen=True):
    """An entry of a match as shown to one reader."""

    shown: MatchShown
    view: Any
    names: tuple[str, ...]
    seat: int | None
    """The perspective; `None` for a spectator."""
    own: int | None
    """The reader's seat."""
    seats_open: tuple[int, ...]
    """The seats whose perspective the reader may choose."""
    first: int
    """The entry at which the match started; 1 before the start."""
    last: int
    line: replay.ReplayLine | None
    told: tuple[NarratedEntry, ...]
    shares: tuple[ShareShown, ...]
    is_over: bool
    is_open: bool
    """All secrets of the line are open, so that every perspective and forks are available."""
    forkable: bool
    drawing: Drawing
    is_for_arbiters: bool = False
    """A fork from here is an arbiter's: with fresh luck, visible to arbiters only, and listed in the audit trail."""
    replaced_from: int = 0
    """The first entry superseded after a ruling; 0 if there is none."""
    replaced_by: UUID | None = None
    off: VariationStep | None = None
    """The step of a variation shown instead of the entry."""
    compared: ComparedEntry | None = None
    state: Any = None

    @property
    def version(self) -> int:
        """The version of the entry."""
        return self.shown.version

    clocks: tuple[()] = ()
    pause_asked_by: tuple[()] = ()
    """A replay has no running clocks and no requests for pauses."""

    @property
    def eyes(self) -> str:
        """The perspective, as used in addresses."""
        return EVERYBODY if self.seat is None else str(self.seat)

    @property
    def cache_key(self) -> tuple[Any, ...]:
        """The values that identify the shown entry; view, shares and line follow from head and seat."""
        reader_key = (self.seat, self.own, self.seats_open, self.is_open, self.is_for_arbiters, self.forkable)
        line_key = (self.first, self.last, self.is_over, self.replaced_from, self.replaced_by)
        return (self.shown, self.told, reader_key, line_key, self.compared)


async def has_all_narration(matches: MatchService, page: ShownEntry) -> bool:
    """Return whether the narration includes the last visible entry."""
    return bool(await matches.writer.read_model(replay.lines, page.shown.match_id, page.last - 1, 1))


async def load_entry(
    matches: MatchService,
    match_id: UUID,
    requested: RequestedPosition,
    caller: Caller,
    variation_step: VariationStep | None = None,
) -> ShownEntry:
    """Return the requested entry; by default the start of a match that is over, or the latest entry of a running one.

    With `variation_step`, that step is shown instead of the entry. Raises `NoSuchEntry` beyond the entries that the
    caller may read, and as `choose_perspective` does.
    """
    bounds = await matches.reading.bounds(match_id, caller)
    latest_match, last = bounds.match, bounds.last
    first = min(latest_match.started_version or 1, last)
    version = requested.at if requested.at is not None else first if latest_match.is_over else last
    if not 1 <= version <= last:
        raise NoSuchEntry(f"match {match_id} has entries 1 to {last}, not {version}")
    match = await matches.reading.get_at(match_id, version)
    if variation_step is not None:
        match = msgspec.structs.replace(match, state=variation_step.state)
    own = seat_of_caller(match, caller)
    seats_open = tuple(range(len(match.seats))) if bounds.is_open else (() if own is None else (own,))
    seat = choose_perspective(requested.seat, own, seats_open, match)
    response = await matches.reading.encode(match, caller)
    narration = await read_narration(matches, match_id, version)
    entry = await asyncio.to_thread(
        compose_entry, bounds, match, response, seat, own, seats_open, narration, matches.drawings
    )
    compared = await load_compared(matches, bounds, requested.against)
    return msgspec.structs.replace(
        entry,
        off=variation_step,
        compared=compared,
        state=match.state,
        forkable=entry.forkable and variation_step is None,
    )


async def load_compared(matches: MatchService, bounds: Bounds, version: int | None) -> ComparedEntry | None:
    """Return the entry to compare with, or None; raise `NoSuchEntry` if the reader may not see it."""
    if version is None:
        return None
    if not 1 <= version <= bounds.last:
        raise NoSuchEntry(f"match {bounds.match.id} has entries 1 to {bounds.last}, not {version}")
    match = await matches.reading.get_at(bounds.match.id, version)
    (line, *_) = await matches.writer.read_model(replay.lines, match.id, version - 1, 1) or (None,)
    return ComparedEntry(version, scores_of(match, line.scores if line else (), bounds), line)


def choose_perspective(perspective: str, own: int | None, seats_open: Sequence[int], match: Match) -> int | None:
    """Return the requested perspective: a seat, spectators (`None`), or by default ("") the reader's seat.

    Raises `ClientException` or `UnknownSeat` for no seat, `NotSeated` for a seat that is not open to the reader.
    """
    if not perspective:
        return own
    if perspective == EVERYBODY:
        return None
    if not perspective.isdecimal() or len(perspective) > len(str(len(match.seats))):
        raise ClientException(f"seat={perspective!r} is neither a seat of this match nor {EVERYBODY!r}")
    info_of(match, int(perspective))
    if int(perspective) not in seats_open:
        raise NotSeated(f"seat {perspective} is not yours; its view becomes public when the match has ended")
    return int(perspective)


async def read_narration(matches: MatchService, match_id: UUID, version: int) -> tuple[replay.ReplayLine, ...]:
    """Return the narration of an entry and the previous one; wait briefly if it is not available yet.

    After that, as far as it is available, perhaps empty.
    """

    async def find_lines() -> tuple[replay.ReplayLine, ...] | None:
        lines = await matches.writer.read_model(narration_window, match_id, version)
        return lines if any(line.version == version for line in lines) else None

    found = await matches.reading.wait_for(find_lines, match_id, (replay.NAME,))
    return await matches.writer.read_model(narration_window, match_id, version) if found is None else found


def narration_window(store: ReadStore, match_id: UUID, version: int) -> tuple[replay.ReplayLine, ...]:
    """Return the narration of an entry and the previous one."""
    return replay.lines(store, match_id, max(0, version - 2), 2)


def compose_entry(
    bounds: Bounds,
    match: Match,
    response: MatchShown,
    seat: int | None,
    own: int | None,
    seats_open: tuple[int, ...],
    lines: Sequence[replay.ReplayLine],
    drawings: Drawings,
) -> ShownEntry:
    """Build the shown entry from its parts; narration beyond the entries that the reader may see is left out."""
    names = seat_names(response.seats)
    readable_lines = [line for line in lines if line.version <= bounds.last]
    return ShownEntry(
        shown=msgspec.structs.replace(
            response, match_id=bounds.match.id, seat=own, view=None, scores=scores_of(match, response.scores, bounds)
        ),
        view=view(match, seat),
        names=names,
        seat=seat,
        own=own,
        seats_open=seats_open,
        first=min(bounds.match.started_version or 1, bounds.last),
        last=bounds.last,
        line=next((line for line in readable_lines if line.version == match.version), None),
        told=narrate_entries(readable_lines, names, drawings[response.title]),
        shares=shares_of(match),
        is_over=bounds.match.is_over,
        is_open=bounds.is_open,
        forkable=(bounds.is_open or bounds.is_for_arbiters) and match.started_version is not None and not match.is_over,
        drawing=drawings[match.title],
        is_for_arbiters=bounds.is_for_arbiters and not bounds.is_open,
        replaced_from=bounds.match.docket.superseded_from,
        replaced_by=bounds.match.docket.superseded_by,
    )


def scores_of(match: Match, known_scores: tuple[int, ...], bounds: Bounds) -> tuple[int, ...]:
    """Return the points, including points that were secret until the end of the match."""
    return match.definition.rules.scores(match.state) if bounds.is_open and match.state is not None else known_scores
