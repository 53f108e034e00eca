"""Positions of a replay, as requested and as passed to the panels around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response

from api.http.app_state import AppKey
from api.http.page_responses import PageRequest


class RequestedPosition(msgspec.Struct, frozen=True):
    """A requested position: an entry, or a step of a study's variation."""

    at: int | None = None
    """The entry; None for the default one."""
    seat: str = ""
    """The perspective."""
    study: UUID | None = None
    """The study shown with it; None for the reader's last choice."""
    variation: int = 0
    step: int = 0
    against: int | None = None
    """An entry to compare with."""


SHOW_REPLAY: Final = AppKey[Callable[[PageRequest, UUID, RequestedPosition], Awaitable[Response[str]]]]("show_replay")
"""Renders the replay with its panels after a rejected form. The page is in `api/site/`, a layer above the forms."""


class VariationStep(msgspec.Struct, frozen=True):
    """A position outside the match, after a step of a variation."""

    state: Any
    variation: int
    step: int
    steps: int
    """The number of steps in the variation."""
    told: str
    """The description of the step; "" at the start of the variation."""
    leaves: tuple[int, int]
    """The variation and step from which it branches; zeros: the match."""


class EntryMark(msgspec.Struct, frozen=True):
    """A sign at an entry in the list, with its meaning."""

    sign: str
    words: str
    style: str = ""
    """The CSS class of the sign."""


class EntryNotes(msgspec.Struct, frozen=True):
    """The annotations of an entry in the list."""

    marks: tuple[EntryMark, ...] = ()
    heading: str = ""
    """The heading of a chapter that starts here."""
    text: str = ""
    """The beginning of the text."""


Notes = Mapping[int, EntryNotes]
"""Annotations by entry."""


class ReplayPosition(msgspec.Struct, frozen=True):
    """The position for a panel: an entry of a match, as a seat or a spectator (`None`) sees it."""

    match_id: UUID
    title: str
    version: int
    last: int
    seat: int | None
    names: tuple[str, ...]
    is_over: bool
    """The match has ended and has no secrets left."""
    wanted: RequestedPosition = RequestedPosition()
    off: VariationStep | None = None
    state: Any = None
    """The complete state, for computations only; it must not be shown."""

    @property
    def eyes(self) -> str:
        """The perspective, as used in addresses."""
        return "all" if self.seat is None else str(self.seat)


def replay_path(match_id: UUID, position: RequestedPosition) -> str:
    """Return the address of a position in a replay; empty fields are left out."""
    study = position.study if position.study is not None else ""
    fields = (
        ("at", "" if position.at is None else position.at),
        ("seat", position.seat),
        ("study", study),
        ("variation", position.variation or ""),
        ("step", position.step if position.variation else ""),
    )
    query = "&".join(f"{name}={value}" for name, value in fields if value != "")
    return f"/tables/{match_id}/replay{'?' if query else ''}{query}"
