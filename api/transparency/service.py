"""The transparency service: checkpoints, tiles, proofs, witnesses, and tables that never began."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Final, NamedTuple, TypeVar

import structlog

from api.accounts.people import People
from api.http.app_state import AppKey
from api.transparency.audit_progress import AuditProgress
from api.transparency.beginnings import require_begun
from api.transparency.daily_audit import AuditThread
from api.transparency.errors import NoSuchTile, NotCovered, NothingSigned, TreeDiffers
from api.transparency.freshness import Freshness, find_contradiction, freshness_of
from api.transparency.labels import vrf_key_of
from api.transparency.leader import TreeLeader
from api.transparency.log_keys import drop_former, log_keys_of, secrets_of
from api.transparency.names import audit_names
from api.transparency.proofs import Prover, match_proof
from api.transparency.schemas import ExaminedShown, OpeningDays, OpeningDayShown, TransparencyShown, WitnessShown
from api.transparency.store import PUBLISHED, SIGNED, TreeStore, WitnessState
from domain.eventstore.application import Matches
from domain.matches.entropy import Entropy
from domain.matches.log.log_files import parse_log
from domain.matches.log.records import Record
from domain.roles.state import ROLES_STREAM
from domain.transparency.errors import Malformed
from domain.transparency.keys import Signer
from domain.transparency.notes import encode, parse_key
from domain.transparency.tiles import WIDTH, parse_level, parse_path
from domain.transparency.vrf import VrfKey
from domain.transparency.witnesses import WitnessAddress, service_policy
from projections import transparency
from projections.follow import moment
from projections.leaves import TreeLeaves
from projections.platform.clock import now
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings
from projections.platform.store import ReadStore

log = structlog.get_logger("transparency")

T = TypeVar("T")

ENTRIES: Final = "entries"
COVER_TIMEOUT_SECONDS: Final = 5.0
"""Seconds a proof waits for a checkpoint that covers its latest entry; usually two are enough."""
POLL_SECONDS: Final = 0.2


class TreeState(NamedTuple):
    """The number of leaves, how many the latest checkpoint covers, and its time (microseconds since 1970).

    `claimed`: the leaves of a tree that a witness shows in contradiction to this one, or 0.
    """

    leaves: int
    signed: int
    at: int
    freshness: Freshness
    claimed: int = 0


class TransparencyService:
    """Read access to the tree, which is public."""

    def __init__(
        self,
        leader: TreeLeader | TreeDiffers,
        daily: AuditThread | None,
        leaves: TreeLeaves,
        signer: Signer,
        settings: Settings,
        reads: ReadStore,
        roles: Callable[[], Sequence[Record]],
        vrf: VrfKey,
    ) -> None:
        """Take the keeper or the reason why there is none, the audit thread, and the leaves that guard the store.

        `roles` returns the records of roles.
        """
        self._roles, self._vrf = roles, vrf
        self._leader, self._daily, self._leaves, self._reads = leader, daily, leaves, reads
        self._witnesses: tuple[WitnessAddress, ...] = settings.witnesses
        self.key: Final = signer.key
        self.is_key_encrypted: Final = settings.key_passphrase.word != ""
        """Whether the key of the log is stored encrypted."""
        self.policy: Final = service_policy(signer.key, settings.witnesses, settings.quorum)

    def close(self) -> None:
        """Stop the threads and close the tree."""
        if self._daily is not None:
            self._daily.close()
        if isinstance(self._leader, TreeLeader):
            self._leader.close()
            self._leader.store.close()

    @property
    def fault(self) -> str | None:
        """Why the tree is not served, or None."""
        return self._leader.fault if isinstance(self._leader, TreeLeader) else str(self._leader)

    @property
    def is_healthy(self) -> bool:
        """Whether the tree matches the signed checkpoint, and log and tree responded at the last attempt."""
        return isinstance(self._leader, TreeLeader) and self._leader.fault is None and self._leader.is_well

    @property
    def is_leader(self) -> bool:
        """Whether this process appends to the tree; of several hosts only one does."""
        return isinstance(self._leader, TreeLeader) and self._leader.is_leader

    def require_store(self) -> TreeStore:
        """Return the tree; raise `TreeDiffers` if it contradicts the signed checkpoint, or could not be opened."""
        if not isinstance(self._leader, TreeLeader) or self._leader.fault is not None:
            raise TreeDiffers(str(self.fault))
        return self._leader.store

    def read_tree_state(self) -> TreeState | None:
        """Return the size of the tree, and size and time of its signed checkpoint, or None if it is not served.

        Blocks, so do not call it on the event loop.
        """
        if self.fault is not None:
            return None
        store = self.require_store()
        signed, states = store.checkpoint(SIGNED), store.witnesses()
        freshness = freshness_of(store.checkpoint(PUBLISHED), states, self.witness_names, now())
        contradiction = find_contradiction(states, self.witness_names)
        claimed = 0 if contradiction is None else contradiction.size
        return TreeState(
            store.size, signed.checkpoint.size if signed else 0, signed.at if signed else 0, freshness, claimed
        )

    async def checkpoint(self) -> bytes:
        """Return the latest published checkpoint with its cosignatures; raise `NothingSigned` if there is none.

        Raise `TreeDiffers` if the tree is not served; so do `tile`, `prove` and `prove_with`.
        """
        found = await asyncio.to_thread(self.require_store().load_published)
        if found is None:
            raise NothingSigned("no checkpoint has been signed yet")
        return str(found[1]).encode()

    async def tile(self, level: str, path: str) -> bytes:
        """Return a tile, or its leaves for level `entries`, by the parts of its path; raise `NoSuchTile` if none."""
        found = await asyncio.to_thread(self._tile, self.require_store(), level, path)
        if found is None:
            raise NoSuchTile(f"the tree has no tile {level}/{path}")
        return found

    def _tile(self, store: TreeStore, level: str, path: str) -> bytes | None:
        """Return a tile or its leaves, None if the tree is too small; raise `NoSuchTile` for a malformed path."""
        try:
            tile = parse_path(path)
            return store.bundle(tile) if level == ENTRIES else store.tile_served(parse_level(level), tile)
        except Malformed as fault:
            raise NoSuchTile(str(fault)) from fault

    async def prove(self, log: bytes) -> bytes:
        """Return the proof file of a log; wait briefly for its latest entries, then raise as `prove_with`."""
        read = await asyncio.to_thread(parse_log, log)

        return await self.prove_with(lambda prover: match_proof(prover, read, self.roles))

    async def prove_entry(self, log: bytes, number: int) -> bytes:
        """Return the proof file of one entry of a log; raise `NoSuchEntry` beyond it, otherwise as `prove`."""
        read = await asyncio.to_thread(parse_log, log)
        return await self.prove_with(lambda prover: prover.entry(read, number))

    async def prove_with(self, build_proof: Callable[[Prover], T]) -> T:
        """Call `build_proof` in a thread with a prover for the latest checkpoint; repeat it until all is covered.

        After `COVER_TIMEOUT_SECONDS`, raise its `NotCovered` or `NothingSigned`; `TreeDiffers` at once.
        """
        deadline = monotonic() + COVER_TIMEOUT_SECONDS
        while True:
            try:
                return await asyncio.to_thread(self._prove_with, build_proof)
            except (NotCovered, NothingSigned):
                if monotonic() >= deadline:
                    raise
            await asyncio.sleep(POLL_SECONDS)

    def _prove_with(self, build_proof: Callable[[Prover], T]) -> T:
        return build_proof(Prover(self.require_store(), self.key, self._witnesses, self._vrf))

    def roles(self) -> Sequence[Record]:
        """Return all records of roles."""
        return self._roles()

    async def load_state(self) -> TransparencyShown:
        """Return the state of the log: name, latest checkpoint, witnesses."""
        return await asyncio.to_thread(self._load_state)

    def _load_state(self) -> TransparencyShown:
        """Return the published checkpoint, the witnesses and the last audit; no checkpoint if the tree has a fault."""
        fault, found, witness_states = self.fault, None, dict[str, WitnessState]()
        if fault is None:
            store = self.require_store()
            found = store.load_published()
            witness_states = {standing.name: standing for standing in store.witnesses()}
        checkpoint = found[0].checkpoint if found else None
        freshness = freshness_of(found[0] if found else None, witness_states.values(), self.witness_names, now())
        return TransparencyShown(
            origin=self.key.name,
            key=str(self.key),
            size=checkpoint.size if checkpoint else 0,
            root=encode(checkpoint.root) if checkpoint else None,
            at=moment(found[0].at) if found else None,
            checkpoint=str(found[1]) if found else None,
            confirmed=None if freshness.confirmed is None else moment(freshness.confirmed),
            stale=freshness.is_stale,
            contradicted=find_contradiction(witness_states.values(), self.witness_names) is not None,
            policy=bytes(self.policy).decode(),
            witnesses=tuple(encode_witness(witness, witness_states) for witness in self._witnesses),
            fault=fault,
            examined=None if (last_audit := self._last()) is None else encode_audit(last_audit),
            refused=self.refused_stream_count,
        )

    @property
    def witness_names(self) -> frozenset[str]:
        """The names of the configured witnesses."""
        return frozenset(parse_key(witness.key).name for witness in self._witnesses)

    @property
    def refused_stream_count(self) -> int:
        """The number of streams found to contradict the tree since this process started; they are not served."""
        return len(self._leaves.reported)

    def _last(self) -> AuditProgress | None:
        return None if self._daily is None else self._daily.last

    async def differences(self) -> tuple[str, ...]:
        """Return the differences of refused streams, then of the last audit, as texts; the caller checks the role.

        A refused stream that the audit names is not repeated.
        """
        last_audit = await asyncio.to_thread(self._last)
        audit_differences = () if last_audit is None else last_audit.differences
        audited_streams = {difference.stream for difference in audit_differences}
        refusals = [
            str(tampered)
            for stream, tampered in list(self._leaves.reported.items())
            if str(stream) not in audited_streams
        ]
        return (*refusals, *map(str, audit_differences))

    async def opening_days(self, limit: int = LIMIT, before: int | None = None) -> OpeningDays:
        """Return how many tables were opened and have not begun, by day, latest first."""
        page = await asyncio.to_thread(transparency.days, self._reads, limit, before)
        days = tuple(OpeningDayShown(day.day, day.opened, day.never_begun) for day in page.items)
        return OpeningDays(days, next=page.next)


TRANSPARENCY: Final = AppKey[TransparencyService]("transparency")


def encode_witness(witness: WitnessAddress, witness_states: dict[str, WitnessState]) -> WitnessShown:
    """Return the wire structure of a witness; values about a cosignature or trouble that it lacks are None."""
    name = parse_key(witness.key).name
    standing = witness_states.get(name, WitnessState(name))
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


def encode_audit(progress: AuditProgress) -> ExaminedShown:
    """Return the wire structure of an audit; an unfinished one has the leaves examined so far."""
    return ExaminedShown(
        begun=progress.begun,
        finished=progress.finished,
        leaves=progress.size if progress.finished else progress.tiles * WIDTH,
        differences=progress.count,
    )


def open_transparency(
    settings: Settings,
    matches: Matches,
    leaves: TreeLeaves,
    people: People,
    reads: ReadStore,
    entropy: Entropy,
    wake: threading.Event,
) -> TransparencyService:
    """Open the transparency log and start its threads; `wake` is set after every append.

    A tree that is missing or cannot be opened is not served, and no thread is started.
    """
    vrf = vrf_key_of(people)
    secrets = secrets_of(people, settings)
    drop_former(secrets, now())
    keys, roles = log_keys_of(secrets, settings.log_origin), partial(matches.streams.records, ROLES_STREAM)
    signer = keys.signer
    try:
        require_begun(settings, matches)
        store = TreeStore(settings.tree_place)
    except TreeDiffers as error:
        log.error("the tree is not served", reason=str(error))
        return TransparencyService(error, None, leaves, signer, settings, reads, roles, vrf)
    others_append = settings.log_file is None
    keeper = TreeLeader(
        matches, store, signer, settings, entropy, wake, others_append=others_append, former=keys.former, vrf=vrf
    )
    names = partial(audit_names, people, matches)
    daily = AuditThread(matches, settings, signer, lambda: keeper.is_leader, vrf, names)
    return TransparencyService(keeper, daily, leaves, signer, settings, reads, roles, vrf)
