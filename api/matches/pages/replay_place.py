"""The place in a replay that is asked for and shown, as the panels beside it are told of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response

from api.http.app_state import AppKey
from api.http.browser import PageRequest


class WantedPlace(msgspec.Struct, frozen=True):
    """A position that is asked for: an entry, or a step of a variation of a study that leaves the match there."""

    at: int | None = None
    """Without one, where a reader begins."""
    seat: str = ""
    """Whose eyes."""
    study: UUID | None = None
    """The study that is open beside it; without one, the reader's last choice."""
    variation: int = 0
    step: int = 0
    against: int | None = None
    """An entry that it is compared with."""


SHOW_REPLAY: Final = AppKey[Callable[[PageRequest, UUID, WantedPlace], Awaitable[Response[str]]]]("show_replay")
"""Render the replay and its panels after a refused form. The page is in `api/site/`, a layer above the forms."""


class OffLine(msgspec.Struct, frozen=True):
    """A position that is not in the match: after a step of a variation."""

    state: Any
    variation: int
    step: int
    steps: int
    """So many the variation has."""
    told: str
    """The step in a sentence; nothing at its beginning."""
    leaves: tuple[int, int]
    """The variation and the step that it leaves; zeros: the match."""


class EntryMark(msgspec.Struct, frozen=True):
    """A sign beside an entry in the list, and what it means."""

    sign: str
    words: str
    style: str = ""
    """The class of the sign."""


class EntryNotes(msgspec.Struct, frozen=True):
    """What a room has to say of an entry in the list."""

    marks: tuple[EntryMark, ...] = ()
    heading: str = ""
    """A chapter that begins here."""
    text: str = ""
    """The beginning of what is written."""


Notes = Mapping[int, EntryNotes]
"""By entry."""


class ReplayPlace(msgspec.Struct, frozen=True):
    """The position a panel stands beside: an entry of a match, as a seat or a spectator (`None`) sees it."""

    match_id: UUID
    title: str
    version: int
    last: int
    seat: int | None
    names: tuple[str, ...]
    is_over: bool
    """The match has ended, and every secret of it is open."""
    wanted: WantedPlace = WantedPlace()
    off: OffLine | None = None
    state: Any = None
    """The position itself; for what is computed beside it, never shown whole."""

    @property
    def eyes(self) -> str:
        return "all" if self.seat is None else str(self.seat)


def replay_path(match_id: UUID, wanted: WantedPlace) -> str:
    """The address of a place of a replay."""
    study = wanted.study if wanted.study is not None else ""
    fields = (
        ("at", "" if wanted.at is None else wanted.at),
        ("seat", wanted.seat),
        ("study", study),
        ("variation", wanted.variation or ""),
        ("step", wanted.step if wanted.variation else ""),
    )
    query = "&".join(f"{name}={value}" for name, value in fields if value != "")
    return f"/tables/{match_id}/replay{'?' if query else ''}{query}"
