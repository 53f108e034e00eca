"""The audit of the whole store against the whole tree, one tile of leaves at a time.

It checks that every leaf has its entry and every entry its leaf, the chain of every stream, the hash of every tile in
its parent, and the signed root. It is read-only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from api.transparency.errors import TreeDiffers
from api.transparency.labels import ExpectedLabels
from api.transparency.sequencer import check_tree
from api.transparency.store import Leaf, TreeStore
from domain.eventstore.guard import LogItem, compute_leaf, digest_of, stream_of
from domain.eventstore.stored_log import StoredLog
from domain.matches.log.entries import NO_DIGEST, Entry, list_audiences
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import Signer
from domain.transparency.leaves import is_logged
from domain.transparency.merkle import leaf_hash, root_of
from domain.transparency.tiles import WIDTH, hashes_in, width_of
from domain.transparency.vrf import VrfKey

PART: Final = 1_000
PAUSE_EVERY: Final = 32
"""Leaves after which a background audit may pause."""
FORKS_MAX: Final = 64
"""Exceeds the maximum fork depth (`docs/specifications/log.md`: 16)."""


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """A contradiction to the signed tree: in an entry, a whole stream, or the tree itself."""

    why: str
    stream: str | None = None
    entry: int | None = None

    def __str__(self) -> str:
        subject = "the tree" if self.stream is None else self.stream
        return f"{subject}: {self.why}" if self.entry is None else f"{subject}, entry {self.entry}: {self.why}"


class ForkedFrom(msgspec.Struct, frozen=True):
    """The fields of a fork's first entry that identify its parent."""

    parent: UUID
    at: int


class Auditor:
    """An auditor of log and tree; not shared between threads."""

    def __init__(self, log: StoredLog, tree: TreeStore, vrf: VrfKey | None = None) -> None:
        """Create an auditor; without the key of labels it checks only which leaves have one."""
        self._log = log
        self._tree = tree
        self._labels = ExpectedLabels(tree, vrf)

    def tile(self, number: int) -> Iterator[Difference | None]:
        """Yield differences in a tile of leaves and in its part of the log, and None wherever the caller may pause."""
        size = self._tree.size
        leaves = self._tree.between(number * WIDTH, min(size, (number + 1) * WIDTH))
        yield from self._hashes(number, leaves, width_of(0, number, size))
        yield from self._announced()
        preceding = self._tree.between(number * WIDTH - 1, number * WIDTH)
        first_position = preceding[0][1].position if preceding else 0
        if not leaves:
            return
        yield from self._part(leaves, list(self._log.between(first_position, leaves[-1][1].position)), covered=True)

    def tail(self, position: int) -> Iterator[Difference | None]:
        """Yield differences in the log after the latest leaf; `position` is the log position that the tree has read."""
        latest = self._tree.newest(1)
        last_position = latest[0][1].position if latest else 0
        for batch in parts_of(self._log.between(last_position)):
            yield from self._part((), [each for each in batch if each[0] <= position], covered=True)
            yield from self._part((), [each for each in batch if each[0] > position], covered=False)

    def waiting(self, position: int) -> Iterator[tuple[UUID, int]]:
        """Yield stream and version of the entries after a position that have no leaf yet."""
        return ((stream_of(event), event.version) for _, event in self._log.between(position) if is_leaf(event))

    def _announced(self) -> Iterator[Difference]:
        """Yield a difference if the announcement of labels is unreadable or by another key."""
        try:
            self._labels.refresh()
        except TreeDiffers as fault:
            yield Difference(str(fault))

    def _hashes(self, number: int, leaves: Sequence[tuple[int, Leaf]], width: int) -> Iterator[Difference]:
        """Yield differences between leaves, their tile and its parent, and in the order of their log positions."""
        hashes = hashes_in(self._tree.tile(0, number) or b"")
        expected = range(number * WIDTH, number * WIDTH + width)
        if [at for at, _ in leaves] != list(expected) or len(hashes) < width:
            yield Difference(f"some of the leaves {expected.start:,} to {expected.stop - 1:,} are missing")
            return
        for (at, leaf), stored_hash in zip(leaves, hashes, strict=False):
            if leaf_hash(leaf.content) != stored_hash:
                yield Difference(f"leaf {at:,} does not match its hash in the tree", str(leaf.stream), leaf.version)
        positions = [leaf.position for _, leaf in leaves if not leaf.is_announcement]
        if positions != sorted(set(positions)):
            yield Difference(f"the leaves {expected.start:,} to {expected.stop - 1:,} are not in the order of the log")
        yield from self._above(0, number, hashes)

    def _above(self, level: int, number: int, hashes: Sequence[bytes]) -> Iterator[Difference]:
        """Yield a difference if a full tile is not hashed in its parent."""
        if len(hashes) < WIDTH:
            return
        parent, index = divmod(number, WIDTH)
        parent_hashes = hashes_in(self._tree.tile(level + 1, parent) or b"")
        if parent_hashes[index : index + 1] != [root_of(hashes[:WIDTH])]:
            yield Difference(f"the tile {number:,} of level {level} does not match its hash in the level above")

    def upper_tiles(self) -> Iterator[Difference | None]:
        """Yield differences in the tiles above the leaves."""
        level, size = 1, self._tree.size
        while size >> 8 * level:
            for number in range(-(-(size >> 8 * level) // WIDTH)):
                hashes, width = hashes_in(self._tree.tile(level, number) or b""), width_of(level, number, size)
                if len(hashes) < width:
                    yield Difference(f"the tile {number:,} of level {level} is incomplete")
                yield from self._above(level, number, hashes)
                yield None
            level += 1

    def _part(
        self, leaves: Sequence[tuple[int, Leaf]], events: Sequence[tuple[int, LogItem]], *, covered: bool
    ) -> Iterator[Difference | None]:
        """Yield differences between leaves and events of the log, and None wherever the caller may pause.

        If `covered`, every event that needs a leaf must have one. Each event's place in its chain is verified too.
        """
        events_by_key = {(stream_of(event), event.version): event for _, event in events}
        digests: dict[tuple[UUID, int], bytes] = {}
        leaf_keys = {(leaf.stream, leaf.version) for _, leaf in leaves}
        for count, (number, leaf) in enumerate(each for each in leaves if not each[1].is_announcement):
            event = events_by_key.get((leaf.stream, leaf.version)) or self._log.find(leaf.stream, leaf.version)
            if event is None:
                yield Difference("missing", str(leaf.stream), leaf.version)
            elif compute_leaf(leaf.salt, event) != leaf.leaf:
                yield Difference("differs from its leaf in the tree", str(leaf.stream), leaf.version)
            elif (fault := self._labels.find_fault(number, leaf, event)) is not None:
                yield Difference(fault, str(leaf.stream), leaf.version)
            if count % PAUSE_EVERY == 0:
                yield None
        for count, (_, event) in enumerate(events):
            stream, version = stream_of(event), event.version
            is_missing = covered and is_leaf(event) and (stream, version) not in leaf_keys
            if is_missing and self._tree.leaf(stream, version) is None:
                yield Difference("inserted later: it has no leaf in the tree", str(stream), version)
            yield from self._chain(event, events_by_key, digests)
            if count % PAUSE_EVERY == 0:
                yield None

    def _chain(
        self, event: LogItem, events_by_key: Mapping[tuple[UUID, int], LogItem], digests: dict[tuple[UUID, int], bytes]
    ) -> Iterator[Difference]:
        """Yield differences between an event, its hidden values and the event before it: digest and time.

        `digests` remembers the digests of earlier events.
        """
        stream, version = stream_of(event), event.version
        if isinstance(event, Entry) and event.secrets:
            commitments = list_audiences(event)
            if any(opening.commitment not in commitments for opening in event.secrets):
                yield Difference("the stored hidden values do not match the commitments", str(stream), version)
        previous = (
            events_by_key.get((stream, version - 1)) or self._log.find(stream, version - 1) if version > 1 else None
        )
        if previous is not None:
            key = (stream, version - 1)
            if key not in digests:
                digests[key] = digest_of(previous)
            head: bytes | None = digests[key]
        elif version == 1:
            head = NO_DIGEST
        else:
            head = self._head_of_parent(event)
            if head is None:
                yield Difference("missing", str(stream), version - 1)
                return
        if event.previous != head:
            yield Difference("its previous digest does not match the previous entry", str(stream), version)
        elif previous is not None and event.timestamp < previous.timestamp:
            yield Difference("it is earlier than the previous entry", str(stream), version)

    def _head_of_parent(self, event: LogItem) -> bytes | None:
        """Return the digest of the entry before a fork's first entry, or None if it cannot be found.

        A parent that is a fork is followed to its own parent, up to `FORKS_MAX` times.
        """
        try:
            origin = msgspec.json.decode(event.body, type=ForkedFrom)
            for _ in range(FORKS_MAX):
                if (found := self._log.find(origin.parent, origin.at)) is not None:
                    return digest_of(found)
                if (first := self._log.first(origin.parent)) is None:
                    return None
                # The parent is a fork too, and shares this entry with its own parent.
                origin = ForkedFrom(msgspec.json.decode(first.body, type=ForkedFrom).parent, origin.at)
        except msgspec.ValidationError:
            return None
        return None


def parts_of(events: Iterator[tuple[int, LogItem]]) -> Iterator[list[tuple[int, LogItem]]]:
    """Split events into lists of limited size."""
    while batch := list(islice(events, PART)):
        yield batch


def is_leaf(event: LogItem) -> bool:
    """Return whether the event belongs in the tree."""
    return isinstance(event, Entry) or is_logged(event.tag)


def audit_root(tree: TreeStore, signer: Signer | None) -> list[Difference]:
    """Return the difference to the signed checkpoint, at most one; without a signer none."""
    if signer is None:
        return []
    try:
        check_tree(tree, signer.key)
    except (TreeDiffers, TransparencyFault) as fault:
        return [Difference(str(fault))]
    return []


class TreeStart(NamedTuple):
    """The size and root of a tree when its audit began."""

    size: int
    root: str


def tree_start(tree: TreeStore) -> TreeStart:
    """Return the current size and root of the tree; raise `TransparencyFault` if its tiles are inconsistent."""
    size = tree.size
    return TreeStart(size, tree.tiles.root(size).hex())


def is_continuation(tree: TreeStore, start: TreeStart) -> bool:
    """Return whether the tree is the one under audit, possibly grown."""
    try:
        return tree.size >= start.size and tree.tiles.root(start.size).hex() == start.root
    except TransparencyFault:
        return False
