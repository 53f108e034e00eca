"""What happened, entry by entry, as the log beside a board tells it: in sentences, under round and phase, by seat."""

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


class ToldEntry(msgspec.Struct, frozen=True):
    """What an entry did, in sentences."""

    version: int
    sentences: tuple[str, ...]
    heading: str = ""
    """Round and phase, where they are others than those of the entry told before it."""
    seat: int | None = None
    """Whose doing it was; `None` where it was nobody's."""
    acted: bool = False
    """Whoever sits there has chosen it."""
    traces: str = ""
    """What moved on the board and what it brought, as its script reads it."""


def told_entries(lines: Iterable[ReplayLine], names: Sequence[str], drawing: Drawing) -> tuple[ToldEntry, ...]:
    """The entries in their order, each under its round and phase."""
    told, before = list[ToldEntry](), None
    for line in lines:
        heading = chapter_at(line, drawing.phases)
        traces = drawing.traces(line.narration) if drawing.traces is not None else ()
        told.append(
            ToldEntry(
                line.version,
                sentences(line.narration, names),
                say(heading) if heading != before else "",
                line.seat if line.seat is not None and line.seat >= 0 else None,
                acted=line.kind == ACTED and line.by != SERVICE,
                traces=msgspec.json.encode(traces).decode() if traces else "",
            )
        )
        before = heading
    return tuple(told)


def tells(narration: Sequence[Message]) -> bool:
    """There is more to tell than that somebody goes on."""
    return any(message.id not in NOTHING_SEEN for message in narration)
