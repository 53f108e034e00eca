"""The keys of a followed log: trusted ones, and their successors by announcements in its leaves."""

from __future__ import annotations

from collections.abc import Iterator

from domain.transparency.announcements import Announcement, is_announcement, parse_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.errors import Malformed, TransparencyFault
from domain.transparency.key_chain import KeyChain, chain_of, last_key, notes_in
from domain.transparency.notes import VerifierKey
from domain.transparency.policy import Policy
from domain.transparency.tiles import WIDTH
from ops.transparency.monitor_state import MonitorState


class LogKeys:
    """Finds the key that may sign a checkpoint (`docs/specifications/keys.md`)."""

    def __init__(self, state: MonitorState, policy: Policy) -> None:
        self._state, self._policy = state, policy

    def for_checkpoint(self, checkpoint: Checkpoint) -> tuple[VerifierKey, ...]:
        """Return the keys that may sign a checkpoint: the key for its size in the chain, or else the trusted keys.

        Leaves that are stored but not verified yet count, because each change has its own signatures.
        """
        chain = self._chain()
        if chain is None:
            return tuple(key for key in self._policy.log_keys if key.name == checkpoint.origin)
        term = chain.term_for(checkpoint.size)
        return () if term is None else (term.key,)

    def ever(self) -> tuple[VerifierKey, ...]:
        """Return all trusted keys and all keys of the chain, for checkpoints that were verified before."""
        chain = self._chain()
        return (*self._policy.log_keys, *(term.key for term in (chain.terms if chain else ())))

    def _chain(self) -> KeyChain | None:
        """Return the chain of keys; None without announcements of keys, or if it does not begin at a trusted key."""
        try:
            notes = notes_in(self._announcements())
            if not notes:
                return None
            chain = chain_of(notes, last_key(notes, self._policy.log_keys[0]))
        except TransparencyFault:
            return None
        return chain if chain.is_vouched_for(self._policy.log_keys) else None

    def _announcements(self) -> Iterator[tuple[int, Announcement]]:
        """Yield the well-formed announcements in all stored leaves, by number."""
        for number, content in self._contents():
            try:
                yield number, parse_announcement(content)
            except Malformed:
                continue

    def _contents(self) -> Iterator[tuple[int, bytes]]:
        size = self._state.latest.size
        yield from (each for each in self._state.announced() if each[0] < size)
        for first in range(size, self._state.leaf_count, WIDTH):
            for number, content in enumerate(self._state.contents(first, first + WIDTH), first):
                if is_announcement(content):
                    yield number, content
