"""The one door to the transparency log: its checkpoint, its tiles, its witnesses, and the tables that never began."""

from __future__ import annotations

import asyncio
import threading
from typing import Final

from api.accounts.people import People
from api.transparency.errors import NoSuchTile, NothingSigned, TreeDiffers
from api.transparency.keeper import Keeper
from api.transparency.sequencer import Log
from api.transparency.store import Signed, Standing, TreeStore
from api.transparency.wire import OpeningDays, OpeningDayShown, TransparencyShown, WitnessShown
from domain.matches.entropy import Entropy
from domain.transparency.errors import Malformed
from domain.transparency.keys import Signer
from domain.transparency.notes import Note, encode, parse_key
from domain.transparency.tiles import parse_level, parse_path
from domain.transparency.witnesses import WitnessAt
from projections import transparency
from projections.follow import moment
from projections.paging import LIMIT
from projections.settings import Settings
from projections.store import ReadStore

ENTRIES: Final = "entries"
KEY_NAME: Final = "tree"
"""What the key is called among the secrets of the service."""
FINGERPRINT_BYTES: Final = 8


def signer_of(people: People, origin: str) -> Signer:
    """The house as it signs, by the name that it was given, or by one that is made from its key."""
    seed = bytes.fromhex(people.secret(KEY_NAME))
    if origin:
        return Signer(origin, seed)
    nameless = Signer("esporles", seed).key.public
    return Signer(f"esporles/{nameless[:FINGERPRINT_BYTES].hex()}", seed)


class TransparencyService:
    """Reads what the keeper writes. Everybody may see everything here."""

    def __init__(self, store: TreeStore, keeper: Keeper, signer: Signer, settings: Settings, reads: ReadStore) -> None:
        self._store, self._keeper, self._reads = store, keeper, reads
        self._witnesses: tuple[WitnessAt, ...] = settings.witnesses
        self.key: Final = signer.key

    def close(self) -> None:
        self._keeper.close()
        self._store.close()

    def _require_whole(self) -> None:
        if self._keeper.fault is not None:
            raise TreeDiffers(self._keeper.fault)

    def _published(self) -> tuple[Signed, Note] | None:
        return self._store.published()

    async def checkpoint(self) -> bytes:
        """The newest checkpoint, with the cosignatures there are of it."""
        self._require_whole()
        found = await asyncio.to_thread(self._published)
        if found is None:
            raise NothingSigned("nothing has been signed yet")
        return str(found[1]).encode()

    async def tile(self, level: str, path: str) -> bytes:
        """A tile, or the leaves of one where `level` says `entries`, by its parts of the address."""
        self._require_whole()
        found = await asyncio.to_thread(self._tile, level, path)
        if found is None:
            raise NoSuchTile(f"the tree has no tile {level}/{path}")
        return found

    def _tile(self, level: str, path: str) -> bytes | None:
        try:
            tile = parse_path(path)
            return self._store.bundle(tile) if level == ENTRIES else self._store.tile_served(parse_level(level), tile)
        except Malformed as fault:
            raise NoSuchTile(str(fault)) from fault

    async def state(self) -> TransparencyShown:
        """What the log is called, its newest checkpoint, and how its witnesses stand."""
        return await asyncio.to_thread(self._state)

    def _state(self) -> TransparencyShown:
        fault = self._keeper.fault
        found = None if fault is not None else self._published()
        known = {standing.name: standing for standing in self._store.witnesses()}
        checkpoint = found[0].checkpoint if found else None
        return TransparencyShown(
            origin=self.key.name,
            key=str(self.key),
            size=checkpoint.size if checkpoint else 0,
            root=encode(checkpoint.root) if checkpoint else None,
            at=moment(found[0].at) if found else None,
            checkpoint=str(found[1]) if found else None,
            witnesses=tuple(witness_shown(witness, known) for witness in self._witnesses),
            fault=fault,
        )

    async def days(self, limit: int = LIMIT, before: int | None = None) -> OpeningDays:
        """How many tables were opened and have not begun, by day."""
        page = await asyncio.to_thread(transparency.days, self._reads, limit, before)
        days = tuple(OpeningDayShown(day.day, day.opened, day.never_begun) for day in page.items)
        return OpeningDays(days, next=page.next)


def witness_shown(witness: WitnessAt, known: dict[str, Standing]) -> WitnessShown:
    name = parse_key(witness.key).name
    standing = known.get(name, Standing(name))
    has_cosigned = standing.signature is not None
    return WitnessShown(
        name=name,
        key=witness.key,
        size=standing.size if has_cosigned else None,
        at=moment(standing.at) if has_cosigned else None,
        trouble=standing.trouble or None,
        reason=standing.reason or None,
        since=moment(standing.since) if standing.trouble else None,
    )


def open_transparency(
    settings: Settings, matches: Log, people: People, reads: ReadStore, entropy: Entropy, has_rung: threading.Event
) -> TransparencyService:
    """The log of the house, kept from now on. `has_rung`: set whenever something was appended."""
    store = TreeStore(settings.tree_path)
    signer = signer_of(people, settings.log_origin)
    others_append = settings.log_file is None
    keeper = Keeper(matches, store, signer, settings, entropy, has_rung, others_append=others_append)
    return TransparencyService(store, keeper, signer, settings, reads)
