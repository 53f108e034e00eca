"""The narration of entries on the board page: sentences by seat, under headings of round and phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from api.http.languages import say
from api.matches.pages.replay_chapters import chapter_at
from api.titles.drawing import Drawing
from api.titles.sentences import sentences
from domain.kernel.messages import Message
from domain.matches.facts import SERVICE, ActionTaken
from projections.matches.narration import NOTHING_SEEN
from projections.matches.replay import ReplayLine

ACTED: Final = ActionTaken.__struct_config__.tag


class NarratedEntry(msgspec.Struct, frozen=True):
    """The narration of an entry."""

    version: int
    sentences: tuple[str, ...]
    heading: str = ""
    """The heading of round and phase if it differs from the previous entry's."""
    seat: int | None = None
    """The seat that acted; `None` if no seat did."""
    acted: bool = False
    """Whether the seat's player chose it."""
    traces: str = ""
    """Board movements and gains as JSON for the page's script."""


def narrate_entries(lines: Iterable[ReplayLine], names: Sequence[str], drawing: Drawing) -> tuple[NarratedEntry, ...]:
    """Return the narration of entries, in order; a heading is set where round or phase change."""
    narrated, previous_heading = list[NarratedEntry](), None
    for line in lines:
        heading = chapter_at(line, drawing.phases)
        traces = drawing.traces(line.narration) if drawing.traces is not None else ()
        narrated.append(
            NarratedEntry(
                line.version,
                sentences(line.narration, names),
                say(heading) if heading != previous_heading else "",
                line.seat if line.seat is not None and line.seat >= 0 else None,
                acted=line.kind == ACTED and line.by != SERVICE,
                traces=msgspec.json.encode(traces).decode() if traces else "",
            )
        )
        previous_heading = heading
    return tuple(narrated)


def has_content(narration: Sequence[Message]) -> bool:
    """Return whether the narration contains more than passing the turn."""
    return any(message.id not in NOTHING_SEEN for message in narration)
