"""Replay panels of other subjects, next to the board, and their notes in the list of entries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec

from api.analyses import pages as analyses_beside
from api.archive import panel as archive_beside
from api.http.page_responses import PageRequest
from api.matches.pages.replay_position import EntryNotes, Notes, ReplayPosition
from api.studies.pages import panel as studies_beside


class Panel(msgspec.Struct, frozen=True):
    """A panel of another subject, rendered into `<div id="beside-NAME">` for every shown entry."""

    name: str
    template: str
    context: Callable[[PageRequest, ReplayPosition], Awaitable[Mapping[str, Any] | None]]
    """Returns the context of the template in addition to `place`; None hides the panel."""
    style: str | None = None
    script: str | None = None
    notes: Callable[[PageRequest, ReplayPosition], Awaitable[Notes]] | None = None
    """Returns notes for the list of entries: marks, chapters, and starts of texts."""


PANELS: Final[tuple[Panel, ...]] = (
    Panel("analysis", "analyses/beside.html", analyses_beside.context, style="/static/analyses.css"),
    Panel(
        "notes",
        "studies/beside.html",
        studies_beside.context,
        style="/static/arbitration.css",
        script="/static/studies.js",
        notes=studies_beside.notes,
    ),
    Panel("played", "archive/beside.html", archive_beside.context, style="/static/archive.css"),
)
"""The panels in display order."""


async def notes_of(request: PageRequest, position: ReplayPosition) -> Notes:
    """Return the notes of all panels, by entry: all marks, and the first heading and text that are not empty."""
    found = dict[int, EntryNotes]()
    for panel in PANELS:
        if panel.notes is None:
            continue
        for version, notes in (await panel.notes(request, position)).items():
            previous = found.get(version, EntryNotes())
            found[version] = EntryNotes(
                (*previous.marks, *notes.marks), previous.heading or notes.heading, previous.text or notes.text
            )
    return found
