"""The leaves of a followed log: their format, and no label twice."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.transparency.errors import Malformed
from domain.transparency.evidence import DOUBLE_LABEL, LEAF, EvidentLeaf
from domain.transparency.leaf_rules import LeafContent, read_leaf
from ops.transparency.monitor_state import MonitorState

WRONG_MAX: Final = 100
"""Wrong leaves that one look reports at most."""


class Wrong(NamedTuple):
    """A leaf that breaks a rule: the kind of evidence, the reason, and the numbers of the leaves that show it."""

    kind: str
    reason: str
    numbers: tuple[int, ...]


class LeafReader:
    """Reads leaves in order; `wrong` lists leaves that break a rule since `begin`."""

    def __init__(self, state: MonitorState) -> None:
        self._state = state
        self.begin()

    def begin(self) -> None:
        """Forget wrong leaves, and read from the database which leaf announces labels."""
        self.wrong = list[Wrong]()
        self._labelled_from: int | None = None
        for number, content in self._state.announced():
            if read_leaf(number, content, None).begins_labels:
                self._labelled_from = number
                return

    def read(self, number: int, content: bytes) -> None:
        """Check a leaf and store its label; use it in a transaction of the state."""
        try:
            leaf = read_leaf(number, content, self._labelled_from)
        except Malformed as fault:
            self._blame(LEAF, f"leaf {number}: {fault}", number)
            return
        if leaf.announcement is not None:
            self._announce(number, leaf)
        elif leaf.label:
            first = self._state.first_with_label(leaf.label, number)
            if first is not None:
                reason = f"the leaves {first} and {number} have the same label: two histories of one entry or record"
                self._blame(DOUBLE_LABEL, reason, first, number)

    def _announce(self, number: int, leaf: LeafContent) -> None:
        self._state.store_announced(number)
        if leaf.begins_labels:
            self._labelled_from = number

    def _blame(self, kind: str, reason: str, *numbers: int) -> None:
        if len(self.wrong) < WRONG_MAX:
            announced = () if self._labelled_from is None else (self._labelled_from,)
            self.wrong.append(Wrong(kind, reason, (*announced, *numbers)))

    def evident(self, wrong: Wrong, size: int) -> tuple[EvidentLeaf, ...]:
        """Return the leaves of a wrong one with their inclusion proofs in the verified tree of this size."""
        return tuple(self._evident_leaf(number, size) for number in wrong.numbers)

    def _evident_leaf(self, number: int, size: int) -> EvidentLeaf:
        (content,) = self._state.contents(number, number + 1)
        path = self._state.tiles.inclusion(number, size)
        return EvidentLeaf(number, content.hex(), tuple(each.hex() for each in path))
