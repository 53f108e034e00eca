"""A cache of encoded responses about matches, shared by readers with the same view, and encoded on threads."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from api.accounts.display_names import Names
from api.http.etags import tag_of
from api.matches.queries import legal_at
from api.matches.responses import show_fold
from api.matches.schemas import MatchShown
from domain.matches.aggregate import Match

CACHED_MAX: Final = 4_000
"""Maximum number of responses. A table of four needs two per seat and one for spectators."""
NO_LEGAL: Final = b"null}"
"""The end of a match without legal actions: `legalActions` is the last field."""


class EncodedResponse(NamedTuple):
    """A response body and its entity tag; the tag is empty if clients do not cache it."""

    content: bytes
    tag: str = ""


class CachedResponse(NamedTuple):
    """A cached response and the values it depends on."""

    version: int
    inputs: tuple[Any, ...]
    response: EncodedResponse


class ResponseCache:
    """The latest responses by match, seat and kind; responses for older versions are not cached."""

    def __init__(self, readers: Executor) -> None:
        self._readers = readers
        self._cached: OrderedDict[tuple[UUID, int | None, str], CachedResponse] = OrderedDict()
        self.hits = 0
        self.misses = 0

    async def match(self, match: Match, seat: int | None, names: Names, *, imported: bool) -> EncodedResponse:
        """Return the encoded match as a seat or, with `seat` None, a spectator sees it.

        Cached while head, names and `imported` are the same.
        """
        inputs = (match.head, imported, *names.items())
        return await self._find_or_encode(
            (match.id, seat, "match"), inputs, match.version, lambda: encode_match(match, seat, names, imported)
        )

    async def legal(self, match: Match, seat: int) -> EncodedResponse:
        """Return the encoded legal actions of a seat, with descriptions in English.

        Cached while the head is the same.
        """
        return await self._find_or_encode(
            (match.id, seat, "legal"),
            (match.head,),
            match.version,
            lambda: EncodedResponse(msgspec.json.encode(legal_at(match, seat))),
        )

    async def _find_or_encode(
        self,
        key: tuple[UUID, int | None, str],
        inputs: tuple[Any, ...],
        version: int,
        encode: Callable[[], EncodedResponse],
    ) -> EncodedResponse:
        """Return the cached response if its inputs `inputs` are unchanged.

        Otherwise encode it on a thread and cache it. A response of a later version is not replaced by one of an earlier
        version. The oldest entry is evicted at `CACHED_MAX`.
        """
        cached = self._cached.get(key)
        if cached is not None and cached.inputs == inputs:
            self.hits += 1
            return cached.response
        self.misses += 1
        response = await asyncio.get_running_loop().run_in_executor(self._readers, encode)
        cached = self._cached.get(key)
        if cached is None or cached.version <= version:
            self._cached[key] = CachedResponse(version, inputs, response)
            self._cached.move_to_end(key)
            if len(self._cached) > CACHED_MAX:
                self._cached.popitem(last=False)
        return response


def encode_match(match: Match, seat: int | None, names: Names, imported: bool) -> EncodedResponse:
    """Encode the match as a seat or a spectator sees it."""
    response = show_fold(match, seat, names, imported)
    return EncodedResponse(msgspec.json.encode(response), tag_of_match(response))


def tag_of_match(match: MatchShown) -> str:
    """Return the entity tag: the version and a hash of the other inputs (head, seat, names).

    Hidden values are not hashed, so that guesses of hands cannot be tested against a tag.
    """
    names = [seat.player.name if seat.player else "" for seat in match.seats]
    inputs = (match.head, match.seat, names, match.imported, match.replaced_by, match.retired)
    return f'"{match.version}-{tag_of("match", str(match.match_id), *inputs)[1:]}'


def insert_legal_actions(match: bytes, legal: bytes) -> bytes:
    """Insert legal actions into an encoded match."""
    assert match.endswith(NO_LEGAL)
    return match.removesuffix(NO_LEGAL) + legal + b"}"
