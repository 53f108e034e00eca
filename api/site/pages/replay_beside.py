"""What other rooms have to say of a replay: panels beside the board, and notes at the entries of the list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec

from api.analyses import pages as analyses_beside
from api.archive import beside as archive_beside
from api.http.browser import PageRequest
from api.matches.pages.replay_place import EntryNotes, Notes, ReplayPlace
from api.studies.pages import beside as studies_beside


class Panel(msgspec.Struct, frozen=True):
    """A panel of another room. It is drawn into `<div id="beside-NAME">`, anew for every entry that is shown."""

    name: str
    template: str
    context: Callable[[PageRequest, ReplayPlace], Awaitable[Mapping[str, Any] | None]]
    """What the template needs, beside `place`; `None`: nothing to show here."""
    style: str | None = None
    script: str | None = None
    notes: Callable[[PageRequest, ReplayPlace], Awaitable[Notes]] | None = None
    """What the list of entries shows of it, by entry: signs, chapters, the beginning of a text."""


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
"""One line for each room that has something to say beside a replay, in the order in which they stand there."""


async def notes_of(request: PageRequest, place: ReplayPlace) -> Notes:
    """What all rooms say of the entries of the list."""
    found = dict[int, EntryNotes]()
    for panel in PANELS:
        if panel.notes is None:
            continue
        for version, notes in (await panel.notes(request, place)).items():
            known = found.get(version, EntryNotes())
            found[version] = EntryNotes(
                (*known.marks, *notes.marks), known.heading or notes.heading, known.text or notes.text
            )
    return found
