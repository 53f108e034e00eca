"""A page that changes while it is looked at: what its stream sends, and when it has something new.

The stream is the only way by which an open page changes, so that nothing older ever comes after something newer. Every
event names in its id what the page then shows; a page that lost its stream says so when it comes back, and gets the
rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from api.http.bells import MISSED, Topic
from api.http.browser import PageRequest, csrf_of, person_of, render
from api.http.fragments import news
from api.http.guards import NOBODY
from api.http.languages import language_of
from api.matches.service import MatchService
from api.site.pages.fragments import Composed, actions_of, fragments
from api.site.pages.pictures import PICTURES, Own, Picture, sight_of
from domain.matches.aggregate import seats_to_act
from projections.matches import replay

CALM_SECONDS: Final = 0.15
"""What others do is not sent more often than this: bots can be quicker than eyes."""


def own_of(request: PageRequest) -> Own:
    """What stands in the holes of a picture for this reader."""
    person = person_of(request)
    return Own(csrf_of(request), person.id if person else "")


async def draw_fragments(request: PageRequest, page: Composed) -> dict[str, str]:
    """What this reader is shown, as fragments; drawn on a thread, because it takes a while."""
    return await asyncio.to_thread(fragments, renderer(request), page, csrf_of(request))


def renderer(request: PageRequest) -> Any:
    def render_fragment(template: str, context: Mapping[str, Any]) -> str:
        return render(request, template, context)

    return render_fragment


class TableScene:
    """A table among other things on a page, as everybody sees it."""

    def __init__(
        self,
        request: PageRequest,
        matches: MatchService,
        match_id: UUID,
        have: Mapping[str, str],
        shows: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._pictures = PICTURES.of(request)
        self._own, self._language = own_of(request), language_of(request)
        self._tables = matches
        self._shows = shows
        self._picture: Picture | None = None
        self.match_id = match_id
        self.have = dict(have)

    def topics(self) -> Sequence[Topic]:
        return table_topics(self.match_id)

    @property
    def version(self) -> int:
        """The version of the match that the reader was shown last."""
        return self._picture.page.shown.version if self._picture else 0

    async def changes(self) -> dict[str, str]:
        """The pieces that are new to the reader."""
        match = await self._tables.reading.present(self.match_id)
        picture = self._picture = await self._pictures.newest(match.id, sight_of(match, NOBODY, self._language))
        had, self.have = self.have, {name: digest for name, digest in picture.have.items() if self._shows(name)}
        made = {name: html for name, html in picture.made.items() if self._shows(name)}
        return {name: self._own.fill(html) for name, html in news(made, had, self.have).items()}

    async def is_urgent(self, rung: frozenset[Topic], heard: frozenset[Topic]) -> bool:
        """The table rests or is over; or the words of what is shown have come."""
        assert self._picture is not None
        return await rings_urgently(self._tables, self._picture.page, None, rung, heard)


async def rings_urgently(
    matches: MatchService, page: Composed, seat: int | None, rung: frozenset[Topic], heard: frozenset[Topic]
) -> bool:
    """Those in the seat have acted since the page was made, or are asked, or the table rests or is over; or the words
    of what is shown have come."""
    match_id = page.shown.match_id
    if {match_id, MISSED} & rung:
        match = await matches.reading.present(match_id)
        has_acted = actions_of(match, seat) != page.own_actions
        return has_acted or match.status != page.shown.status or seat in seats_to_act(match)
    return not page.is_told and match_id not in heard


def table_topics(match_id: UUID) -> Sequence[Topic]:
    return (match_id, (replay.NAME, str(match_id)))
