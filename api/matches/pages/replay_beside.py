"""What stands beside a replay besides the narration: panels of other rooms, each with a template and what it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec

from api.archive import beside as archive_beside
from api.matches.pages.replay_place import ReplayPlace
from api.studies.pages import beside as studies_beside
from api.web.browser import PageRequest


class Panel(msgspec.Struct, frozen=True):
    """A panel of another room. It is drawn into `<div id="beside-NAME">`, anew for every entry that is shown."""

    name: str
    template: str
    context: Callable[[PageRequest, ReplayPlace], Awaitable[Mapping[str, Any] | None]]
    """What the template needs, beside `place`; `None`: nothing to show here."""
    style: str | None = None
    script: str | None = None


PANELS: Final[tuple[Panel, ...]] = (
    Panel(
        "notes",
        "studies/beside.html",
        studies_beside.context,
        style="/static/arbitration.css",
        script="/static/studies.js",
    ),
    Panel("played", "archive/beside.html", archive_beside.context, style="/static/archive.css"),
)
"""One line for each room that has something to say beside a replay, in the order in which they stand there."""
