"""The labels of the published tree, as proof files show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from api.transparency.labels import find_label_announcement, labeller_of
from api.transparency.store import TreeStore
from domain.proofs.match_file import LabelLine, LogLine, Recorded, record_leaves
from domain.transparency.announcements import PREFIX
from domain.transparency.labels import Labeller, label_from
from domain.transparency.leaves import PlacedLeaf
from domain.transparency.merkle import leaf_hash
from domain.transparency.vrf import VrfKey, output_of


class PublishedLabels:
    """The announcements below a size of the tree, and labels; none before the tree announces labels."""

    def __init__(self, store: TreeStore, size: int, vrf: VrfKey | None) -> None:
        """Read the announcements; raise `TreeDiffers` if the labels are by another key."""
        announced = find_label_announcement(store)
        self._since = size if announced is None else announced.number
        self._labeller: Labeller | None = None
        found = []
        if announced is not None and announced.number < size:
            self._labeller = labeller_of(announced.announcement, vrf)
            found = [(number, leaf.content) for number, leaf in store.announcements() if number < size]
        self.log: Final = tuple(LogLine(number, content.removeprefix(PREFIX).decode()) for number, content in found)
        self.announced: Final = {number: leaf_hash(content) for number, content in found}
        """The hashes of the leaves of announcements, by number."""

    def of_entries(self, leaves: Iterable[PlacedLeaf]) -> list[PlacedLeaf]:
        """Return leaves of entries with their labels."""
        return [
            leaf._replace(label=labeller.of_entry(leaf.stream, leaf.version))
            if (labeller := self._labeller_at(leaf.place))
            else leaf
            for leaf in leaves
        ]

    def prove_matches(self, leaves: Iterable[PlacedLeaf]) -> tuple[LabelLine, ...]:
        """Return the proofs of labels for the leaves of entries, by stream in the order of their first label."""
        streams = dict.fromkeys(leaf.stream for leaf in leaves if self._labeller_at(leaf.place))
        return tuple(
            LabelLine(stream, self._labeller.prove_match(stream).hex()) for stream in streams if self._labeller
        )

    def prove_record(self, place: int, stream: UUID, version: int) -> str:
        """Return the proof of the label of a record (hex) whose leaf has this number, empty without a label."""
        labeller = self._labeller_at(place)
        return "" if labeller is None else labeller.prove_record(stream, version).hex()

    def _labeller_at(self, place: int) -> Labeller | None:
        return self._labeller if place > self._since else None


def leaves_of_records(recorded: Recorded) -> list[PlacedLeaf]:
    """Return the leaves of records with the labels that their proofs, made by this service, give."""
    return [
        leaf._replace(label=label_from(output_of(bytes.fromhex(line.label)), leaf.version)) if line.label else leaf
        for leaf, line in zip(record_leaves(recorded), recorded.leaves, strict=True)
    ]
