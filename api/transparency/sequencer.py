"""The sequencer: appends log entries to the tree in order, and signs the tree."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Protocol

import structlog

from api.transparency.errors import TreeContinued, TreeDiffers
from api.transparency.labels import find_label_announcement, label_of, labeller_of
from api.transparency.log_chain import require_own_signature
from api.transparency.store import SIGNED, Leaf, Signed, TreeStore
from domain.eventstore.guard import compute_leaf, stream_of
from domain.matches.entropy import Entropy
from domain.matches.log.entries import Entry, microseconds
from domain.matches.log.records import Record
from domain.transparency.announcements import STREAM as ANNOUNCEMENTS
from domain.transparency.announcements import Announcement, encode_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import FormerKey, Signer
from domain.transparency.labels import Labeller
from domain.transparency.leaves import SALT_BYTES, is_logged
from domain.transparency.merkle import leaf_hash
from domain.transparency.notes import VerifierKey
from domain.transparency.tiles import GrowingTree
from domain.transparency.vrf import VrfKey
from projections.platform.database import ConstraintViolated

BATCH: Final = 200
"""Events per transaction; limits the time during which the interpreter is not available to others."""
LEAVES_COMPARED: Final = 256
"""Number of latest leaves compared with the log at startup."""


logger = structlog.get_logger("transparency")


class Log(Protocol):
    """The part of the match store that the sequencer needs."""

    def read_log_items(self, after: int, limit: int) -> Sequence[tuple[int, Entry | Record]]:
        """Return entries and records after a position, with their positions."""
        ...


class Sequencer:
    """Appends to the tree and signs it; one per service at a time.

    Creation verifies the tree against the last signature and raises `TreeDiffers` on a contradiction.
    """

    def __init__(
        self,
        log: Log,
        store: TreeStore,
        signer: Signer,
        entropy: Entropy,
        vrf: VrfKey | None = None,
        former: FormerKey | None = None,
        announced: VerifierKey | None = None,
    ) -> None:
        """Open the stored tree; without a key of labels, a tree without labels gets none.

        `former`: the key before, which signs too for some time. `announced`: the key in the tree, if the signer has
        another one and only appends.
        """
        self._log = log
        self._store = store
        self._signer = signer
        self._vrf, self._former = vrf, former
        self._entropy = entropy
        self._restore()
        check_tree(store, announced or signer.key)
        check_newest(log, store)

    def _restore(self) -> None:
        """Read position, edge and announcements of the stored tree; raise `TreeDiffers` for labels by another key."""
        # A sequencer that has lost the lead fails on append, because the stored position has changed.
        self._position, size = self._store.position, self._store.size
        self._growth = GrowingTree(size, self._store.edge(size))
        announced, self._labeller = find_label_announcement(self._store), None
        self._pending: tuple[Announcement, ...] = ()
        if announced is not None:
            self._labeller = labeller_of(announced.announcement, self._vrf)
        elif self._vrf is not None:
            self._labeller = Labeller(self._vrf, self._signer.key.name)
            self._pending = (self._labeller.announcement,)

    @property
    def next_leaf(self) -> int:
        """The number of the leaf that the next announcement gets."""
        return self._growth.size + len(self._pending)

    def announce(self, announcement: Announcement) -> None:
        """Append an announcement now; raise `TreeContinued` if another process continued the tree."""
        self._pending = (*self._pending, announcement)
        self._append_leaves(self._announcement_leaves(), self._position)

    def append_batch(self) -> bool:
        """Append the next batch; return whether there was one.

        Entries whose place already has a leaf are left out with an error in the log; raise `ConstraintViolated` if
        there are none. Raise `TreeContinued` if another process continued the tree.
        """
        events = self._log.read_log_items(self._position, BATCH)
        if not events:
            return False
        logged = [each for each in events if isinstance(each[1], Entry) or is_logged(each[1].tag)]
        try:
            self._append(logged, events[-1][0])
        except ConstraintViolated:
            # A stream was truncated and continued by an intruder; existing leaves stay as they are.
            new_events = [each for each in logged if self._store.leaf(stream_of(each[1]), each[1].version) is None]
            if len(new_events) == len(logged):
                raise
            logger.error(
                "skipped a duplicate leaf",
                streams=sorted({str(stream_of(each[1])) for each in logged if each not in new_events}),
            )
            self._append(new_events, events[-1][0])
        return True

    def _append(self, logged: Sequence[tuple[int, Entry | Record]], position: int) -> None:
        """Append these events as leaves with new salts, and the log position; after a failure reread the stored tree.

        Raise `TreeContinued` if another process continued the tree.
        """
        salts = self._entropy(SALT_BYTES * len(logged), "salts")
        leaves = [
            Leaf(
                event_position,
                stream_of(event),
                event.version,
                salt := salts[number * SALT_BYTES : (number + 1) * SALT_BYTES],
                compute_leaf(salt, event),
                label_of(self._labeller, event) if self._labeller else b"",
            )
            for number, (event_position, event) in enumerate(logged)
        ]
        self._append_leaves([*self._announcement_leaves(), *leaves] if leaves else [], position)

    def _append_leaves(self, leaves: Sequence[Leaf], position: int) -> None:
        """Append leaves and the log position; raise as `_append`."""
        first = self._growth.size
        try:
            self._growth.add([leaf_hash(leaf.content) for leaf in leaves])
            self._store.append(first, leaves, self._growth.take_changed_tiles(), position, self._position)
        except TreeContinued:
            raise
        except BaseException:
            # Restore the tree in memory from the stored one.
            self._restore()
            raise
        self._position = position
        if leaves:
            self._pending = ()

    def _announcement_leaves(self) -> list[Leaf]:
        """Return the leaves of the announcements that the tree does not have yet."""
        version = len(self._store.announcements()) if self._pending else 0
        return [
            Leaf(self._position, ANNOUNCEMENTS, number, b"", encode_announcement(each))
            for number, each in enumerate(self._pending, version + 1)
        ]

    def sign(self, at: datetime) -> Signed | None:
        """Sign and store a checkpoint before publication; return None if there is nothing new.

        Raise `TreeDiffers` if the tree contradicts the last checkpoint, `TreeContinued` if another process continued
        it.
        """
        size, last_signed = self._growth.size, self._store.checkpoint(SIGNED)
        checkpoint = last_signed.checkpoint if last_signed else None
        if size == 0 or (checkpoint and checkpoint.size == size):
            return None
        check_tree(self._store, self._signer.key)
        text = Checkpoint(self._signer.key.name, size, self._store.tiles.root(size)).text
        former = self._former.sign(text, at) if self._former else None
        signed = Signed(text, self._signer.sign(text), microseconds(at), former)
        self._store.store_checkpoint(signed, self._position)
        return signed


def check_tree(store: TreeStore, key: VerifierKey) -> None:
    """Raise `TreeDiffers` unless the tiles give the last signed root, and the service has signed it.

    A tree that was never signed passes.
    """
    last_signed = store.checkpoint(SIGNED)
    if last_signed is None:
        return
    checkpoint = last_signed.checkpoint
    try:
        root = store.tiles.root(checkpoint.size)
    except TransparencyFault as fault:
        raise TreeDiffers(f"the tree no longer has all {checkpoint.size:,} signed leaves: {fault}") from fault
    if root != checkpoint.root:
        raise TreeDiffers(f"the tree of {checkpoint.size:,} leaves has a different root than the signed one")
    require_own_signature(store, last_signed, key)


def check_newest(log: Log, store: TreeStore) -> None:
    """Raise `TreeDiffers` if the log ends before the tree's position, or its end has changed.

    Positions would otherwise be reused, and their entries never become leaves. Earlier changes concern single streams
    and are only logged.
    """
    if store.position and not log.read_log_items(store.position - 1, 1):
        raise TreeDiffers(f"the log ends before position {store.position:,}, which the tree has reached")
    leaves = [each for each in store.newest(LEAVES_COMPARED) if not each[1].is_announcement]
    if not leaves:
        return
    first, last = leaves[0][1].position, leaves[-1][1]
    events = dict(log.read_log_items(first - 1, last.position - first + 1))
    for number, leaf in leaves:
        event = events.get(leaf.position)
        is_same = event is not None and (stream_of(event), event.version) == (leaf.stream, leaf.version)
        if not is_same and leaf is last:
            raise TreeDiffers(f"the log has changed since leaf {number:,} was appended (position {leaf.position:,})")
        if event is None or not is_same or compute_leaf(leaf.salt, event) != leaf.leaf:
            logger.error("differs from the signed tree", stream=str(leaf.stream), entry=leaf.version)
