"""Live pages: their updates, and when to send them.

An open page changes only by its stream, so updates arrive in order. The id of each event describes the page after it; a
page that reconnects sends the id and receives the missing parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from api.http.fragments import changed_parts
from api.http.guards import NOBODY
from api.http.languages import language_of
from api.http.notifier import MISSED, Topic
from api.http.page_responses import PageRequest, csrf_of, person_of, render
from api.matches.service import MatchService
from api.site.pages.fragments import TablePageData, actions_of, render_fragments
from api.site.pages.pictures import PICTURES, Picture, PlaceholderValues, picture_key
from domain.matches.aggregate import seats_to_act
from projections.matches import replay

CALM_SECONDS: Final = 0.15
"""Minimum interval of updates about other players, because bots can be too fast to follow."""


def placeholder_values(request: PageRequest) -> PlaceholderValues:
    """Return the reader's values for the placeholders of a picture."""
    person = person_of(request)
    return PlaceholderValues(csrf_of(request), person.id if person else "")


async def draw_fragments(request: PageRequest, page: TablePageData) -> dict[str, str]:
    """Render the fragments of a page for this reader, on a thread because it is slow."""
    return await asyncio.to_thread(render_fragments, make_renderer(request), page, csrf_of(request))


def make_renderer(request: PageRequest) -> Any:
    """Return a function that renders templates for this request."""

    def render_fragment(template: str, context: Mapping[str, Any]) -> str:
        return render(request, template, context)

    return render_fragment


class TableView:
    """A table within a page, as seen by everyone."""

    def __init__(
        self,
        request: PageRequest,
        matches: MatchService,
        match_id: UUID,
        shown_digests: Mapping[str, str],
        is_shown: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._pictures = PICTURES.of(request)
        self._own, self._language = placeholder_values(request), language_of(request)
        self._tables = matches
        self._is_shown = is_shown
        self._picture: Picture | None = None
        self.match_id = match_id
        self.have = dict(shown_digests)

    def topics(self) -> Sequence[Topic]:
        """Return the topics of the table."""
        return table_topics(self.match_id)

    @property
    def version(self) -> int:
        """The version of the match last sent to the reader."""
        return self._picture.page.shown.version if self._picture else 0

    async def changes(self) -> dict[str, str]:
        """Return the fragments that changed since the last call, by element id, as spectators see the table.

        Only the wanted fragments are included; the reader's own values are filled in.
        """
        match = await self._tables.reading.get_current(self.match_id)
        picture = self._picture = await self._pictures.get_current(match.id, picture_key(match, NOBODY, self._language))
        previous, self.have = self.have, {name: digest for name, digest in picture.have.items() if self._is_shown(name)}
        fragments = {name: html for name, html in picture.made.items() if self._is_shown(name)}
        return {name: self._own.fill(html) for name, html in changed_parts(fragments, previous, self.have).items()}

    async def is_urgent(self, rung: frozenset[Topic], topics: frozenset[Topic]) -> bool:
        """Return whether the match paused or ended, or the pending narration is available."""
        assert self._picture is not None
        return await is_update_urgent(self._tables, self._picture.page, None, rung, topics)


async def is_update_urgent(
    matches: MatchService, page: TablePageData, seat: int | None, rung: frozenset[Topic], topics: frozenset[Topic]
) -> bool:
    """Return whether to update at once.

    True if the match was changed (`rung`) and the seat acted or is to act, or the status changed; or if the pending
    narration may have arrived, without news of the match.
    """
    match_id = page.shown.match_id
    if {match_id, MISSED} & rung:
        match = await matches.reading.get_current(match_id)
        has_acted = actions_of(match, seat) != page.own_actions
        return has_acted or match.status != page.shown.status or seat in seats_to_act(match)
    return not page.is_told and match_id not in topics


def table_topics(match_id: UUID) -> Sequence[Topic]:
    """Return the topics of a table: the match and its narration."""
    return (match_id, (replay.NAME, str(match_id)))
