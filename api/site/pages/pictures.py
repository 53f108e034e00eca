"""Rendered tables, shared by all readers with the same view.

The HTML has placeholders for the reader's values: the CSRF token and the person's id. With these filled in, it equals
the HTML rendered for one reader.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import blake2b, sha256
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlencode
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from litestar import Litestar

from api.accounts.display_names import Names
from api.accounts.service import ACCOUNTS
from api.disputes.table_disputes import TableDisputes, read_table_disputes
from api.http.app_state import AppKey
from api.http.csrf import FORMS_SECRET
from api.http.fragments import digests, join_digests
from api.http.guards import NOBODY, Caller
from api.http.languages import use_language
from api.http.page_responses import SIGN_IN, shared_template_values
from api.http.parts import fill_placeholders
from api.matches.callers import seat_of_caller
from api.matches.responses import show_fold
from api.matches.score_analysis import ScoreAnalysis
from api.matches.service import MatchService
from api.site.pages.fragments import (
    NarrationAndClocks,
    TablePageData,
    compose_page_data,
    is_opened_by,
    load_narration,
    narration_fields,
    narration_fragments,
    render_fragments,
)
from domain.lessons.guidance import Guidance
from domain.matches.aggregate import ArbitrationState, Match

CACHED_MAX: Final = 48
"""Number of cached pictures, 150 kB each."""
TOKEN_PLACEHOLDER: Final = "\x02token\x03"  # noqa: S105  (stands where a token will)
PERSON_PLACEHOLDER: Final = "\x02person\x03"
PLACEHOLDER_START: Final = "\x02"
"""Starts every placeholder; no name or text contains the character (`isprintable`)."""


class PictureKey(NamedTuple):
    """All inputs of a picture besides the match."""

    seat: int | None
    language: str
    is_opener: bool = False
    """Considered only while seats are taken, and on a shared device."""
    standing: Literal["", "guest", "account"] = ""
    """Considered only if the reader could take a seat."""
    alone: Caller | None = None
    """The reader, if a ruling replaced entries: then each reader may see a different number of entries."""


class PlaceholderValues(NamedTuple):
    """The reader's values for placeholders."""

    token: str
    person: str

    @property
    def digest(self) -> str:
        """A keyed digest that identifies the values without revealing them."""
        return blake2b(self.person.encode(), digest_size=4, key=self.token[:64].encode()).hexdigest()

    def fill(self, html: str) -> str:
        """Return HTML with the reader's token and person in place of the placeholders."""
        if PLACEHOLDER_START not in html:
            return html
        return html.replace(TOKEN_PLACEHOLDER, self.token).replace(PERSON_PLACEHOLDER, self.person)


class Anybody(msgspec.Struct, frozen=True):
    """A person in a shared picture: a guest or an account, without identity."""

    is_guest: bool
    id: str = PERSON_PLACEHOLDER


class PictureInputs(NamedTuple):
    """The inputs of a picture besides narration and clocks."""

    head: str
    docket: ArbitrationState
    names: Names
    is_imported: bool
    desk: TableDisputes | None


class Picture(msgspec.Struct, frozen=True):
    """A rendered table for one view."""

    made_of: PictureInputs
    followed: NarrationAndClocks
    page: TablePageData
    made: Mapping[str, str]
    """HTML with placeholders, by element id."""
    have: Mapping[str, str]
    """Digests by element id, as the readers' pages have them."""
    word: str
    """All digests as one word."""

    def fill(self, values: PlaceholderValues) -> dict[str, str]:
        """Return the fragments and parts for one reader."""
        return {name: values.fill(html) for name, html in self.made.items()}

    def fill_whole(self, values: PlaceholderValues) -> dict[str, str]:
        """Return the fragments for a new page, with the parts in place."""
        return {name: values.fill(html) for name, html in fill_placeholders(self.made).items()}


def picture_key(match: Match, caller: Caller, language: str) -> PictureKey:
    """Return the key of the picture for a caller; callers with equal keys see the same table.

    Callers see their own picture of a superseded match. Guest or account matters only while a seat is free.
    """
    seat, person = seat_of_caller(match, caller), caller.person
    standing: Literal["", "guest", "account"] = ""
    if person is not None and (match.status == "open" or any(info.actor is None for info in match.seats)):
        standing = "guest" if person.is_guest else "account"
    is_replaced = match.docket.superseded_by is not None or match.status == "superseded"
    return PictureKey(
        seat,
        language,
        is_opener=(match.status == "open" or match.table.is_one_device) and is_opened_by(match, caller),
        standing=standing,
        alone=caller if is_replaced else None,
    )


class PictureCache:
    """A cache of the latest picture of each table and view; above `size` it drops the one used longest ago."""

    def __init__(self, app: Litestar, matches: MatchService, size: int = CACHED_MAX) -> None:
        self._app = app
        self._tables = matches
        self._size = size
        self._cached = OrderedDict[tuple[UUID, PictureKey], Picture]()
        self._drawing = WeakValueDictionary[tuple[UUID, PictureKey], asyncio.Lock]()
        self._hits = 0
        self._misses = 0

    def count_uses(self) -> tuple[int, int]:
        """Return cache hits and misses; narration next to a cached picture may be new."""
        return self._hits, self._misses

    async def get_current(self, match_id: UUID, picture_key: PictureKey) -> Picture:
        """Return the current picture with available narration; concurrent calls render once."""
        with use_language(picture_key.language):
            match, inputs = await self._state(match_id, picture_key)
            cached = self._cached.get((match_id, picture_key))
            if cached is not None and is_current(cached, match, inputs):
                self._count_hit((match_id, picture_key))
                return cached
            lock = self._drawing.setdefault((match_id, picture_key), asyncio.Lock())
            async with lock:
                # Another call may have rendered it in the meantime; otherwise the state is still current.
                if (
                    self._cached.get((match_id, picture_key)) is not cached
                    or self._tables.reading.find_cached(match_id) is not match
                ):
                    match, inputs = await self._state(match_id, picture_key)
                    cached = self._cached.get((match_id, picture_key))
                    if cached is not None and is_current(cached, match, inputs):
                        self._count_hit((match_id, picture_key))
                        return cached
                narration = await load_narration(self._tables, match, picture_key.alone or NOBODY)
                is_there = cached is not None and cached.made_of == inputs
                self._hits, self._misses = self._hits + is_there, self._misses + (not is_there)
                if cached is None or cached.made_of != inputs:
                    ending = await self._tables.reading.score_analysis(match)
                    guidance = await self._tables.reading.guidance(match)
                    cached = await asyncio.to_thread(self.draw, match, picture_key, inputs, narration, ending, guidance)
                elif cached.followed != narration:
                    cached = await asyncio.to_thread(self._render_narration, cached, picture_key, narration)
                self._store((match_id, picture_key), cached)
                return cached

    async def update_narration(self, old: Picture, picture_key: PictureKey) -> Picture:
        """Return the picture of the same version with current narration; `old` itself if nothing has changed.

        Cache it if `old` is still the cached one.
        """
        with use_language(picture_key.language):
            narration = await load_narration(self._tables, old.page.shown, picture_key.alone or NOBODY)
            if old.followed == narration:
                return old
            picture = await asyncio.to_thread(self._render_narration, old, picture_key, narration)
            key = (old.page.shown.match_id, picture_key)
            if self._cached.get(key) is old:
                self._store(key, picture)
            return picture

    async def _state(self, match_id: UUID, picture_key: PictureKey) -> tuple[Match, PictureInputs]:
        """Return the match and the inputs of its picture; disputes only for a seat, not on a shared device."""
        match = await self._tables.reading.get_current(match_id)
        names = await self._tables.reading.names_at(match)
        has_desk = picture_key.seat is not None and not match.table.is_one_device
        disputes = await self._load_dispute_state(match) if has_desk else None
        return match, PictureInputs(
            match.head, match.docket, names, await self._tables.reading.is_imported(match_id), disputes
        )

    async def _load_dispute_state(self, match: Match) -> TableDisputes:
        return await read_table_disputes(self._tables.writer, match, ACCOUNTS.of(self._app))

    def _count_hit(self, key: tuple[UUID, PictureKey]) -> None:
        """Count a cache hit; the picture becomes the one used last."""
        self._hits += 1
        self._cached.move_to_end(key)

    def _store(self, key: tuple[UUID, PictureKey], picture: Picture) -> None:
        """Cache a picture as the one used last; a full cache drops the one used longest ago."""
        self._cached[key] = picture
        self._cached.move_to_end(key)
        if len(self._cached) > self._size:
            self._cached.popitem(last=False)

    def draw(
        self,
        match: Match,
        picture_key: PictureKey,
        inputs: PictureInputs,
        narration: NarrationAndClocks,
        ending: ScoreAnalysis | None,
        guidance: Guidance | None,
    ) -> Picture:
        """Render a picture."""
        tables = self._tables
        shown = show_fold(match, picture_key.seat, inputs.names, imported=inputs.is_imported)
        bot = tables.reading.default_bot(match)
        arguments, people = (match, shown, narration, tables.drawings, bot), inputs.names
        page = compose_page_data(
            *arguments,
            is_opener=picture_key.is_opener,
            ending=ending,
            disputes=inputs.desk,
            people=people,
            guidance=guidance,
        )
        fragments = render_fragments(self._renderer(match.id, picture_key), page, TOKEN_PLACEHOLDER)
        fragment_digests = digests(fragments, self._key(match.id, picture_key))
        return Picture(inputs, narration, page, fragments, fragment_digests, join_digests(fragment_digests))

    def _render_narration(self, picture: Picture, picture_key: PictureKey, narration: NarrationAndClocks) -> Picture:
        """Render narration and clocks again for the same version."""
        shown = picture.page.shown
        page = msgspec.structs.replace(
            picture.page, **narration_fields(narration, shown, picture.page.names, picture.page.drawing)
        )
        fragments = narration_fragments(self._renderer(shown.match_id, picture_key), page, TOKEN_PLACEHOLDER)
        fragment_digests = {**picture.have, **digests(fragments, self._key(shown.match_id, picture_key))}
        return Picture(
            picture.made_of,
            narration,
            page,
            {**picture.made, **fragments},
            fragment_digests,
            join_digests(fragment_digests),
        )

    def _renderer(self, match_id: UUID, picture_key: PictureKey) -> Any:
        """Return a renderer without access to a request or a person."""
        engine, person = (
            self._app.template_engine,
            Anybody(picture_key.standing == "guest") if picture_key.standing else None,
        )
        assert engine is not None
        sign_in = f"{SIGN_IN}?{urlencode({'back': f'/tables/{match_id}'})}"
        shared_values = {
            **shared_template_values(self._app),
            "person": person,
            "csrf": TOKEN_PLACEHOLDER,
            "sign_in": sign_in,
        }

        def render(template: str, context: Mapping[str, Any]) -> str:
            return str(engine.get_template(template).render({**shared_values, **context}))

        return render

    def _key(self, match_id: UUID, picture_key: PictureKey) -> str:
        """Return the key of the digests, so that digests in URLs reveal nothing about a hand."""
        return sha256(f"{FORMS_SECRET.of(self._app)}/{match_id}/{picture_key.seat}".encode()).hexdigest()


PICTURES: Final = AppKey[PictureCache]("pictures")


def is_current(picture: Picture, match: Match, inputs: PictureInputs) -> bool:
    """Return whether the picture is current. Narration arrives once per entry; running clocks always change."""
    return picture.made_of == inputs and picture.page.is_told and match.table.clock.kind == "none"
