"""The keys that a log has had, each vouched for by a root key or by the key before it.

Specified in `docs/specifications/keys.md`.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from domain.transparency.announcements import Announcement, KeyChanged, RootNamed
from domain.transparency.errors import FalseProof
from domain.transparency.key_notes import (
    CHANGE,
    ROOT,
    KeyChange,
    Reason,
    RootNaming,
    parse_key_note,
    require_signatures,
)
from domain.transparency.notes import Note, VerifierKey, parse_note

CHANGES_MAX: Final = 1_000
"""Maximum number of announcements about keys; verifying one takes less than a millisecond."""


class KeyTerm(NamedTuple):
    """A key with the sizes of tree for which it is valid.

    It signs checkpoints of more than `first` and at most `last` leaves, and entries of the service with a leaf between
    them. `last` is None for the current key. `until`: in the overlap of a planned change, it also signs entries.
    """

    key: VerifierKey
    first: int = -1
    last: int | None = None
    until: datetime | None = None
    reason: Reason | None = None

    def is_for(self, size: int) -> bool:
        """Return whether the key may sign a checkpoint of this size."""
        return self.first < size and (self.last is None or size <= self.last)

    def may_sign(self, leaf: int, at: datetime) -> bool:
        """Return whether the key may sign an entry with this leaf and time."""
        if leaf <= self.first:
            return False
        return self.last is None or leaf < self.last or (self.until is not None and at < self.until)


class KeyChain(NamedTuple):
    """The keys of a log in order, and its root keys."""

    terms: tuple[KeyTerm, ...]
    roots: tuple[VerifierKey, ...] = ()

    @property
    def current(self) -> VerifierKey:
        """The latest key."""
        return self.terms[-1].key

    def term_for(self, size: int) -> KeyTerm | None:
        """Return the term that may sign a checkpoint of this size; None between a theft and the next key."""
        return next((term for term in self.terms if term.is_for(size)), None)

    def has(self, public: str) -> bool:
        """Return whether a public key (hex) is one of the log."""
        return any(term.key.public.hex() == public for term in self.terms)

    def may_sign(self, public: str, leaf: int, at: datetime) -> bool:
        """Return whether a public key (hex) may sign an entry of the service with this leaf and time."""
        return any(term.key.public.hex() == public and term.may_sign(leaf, at) for term in self.terms)

    def is_vouched_for(self, trusted: Iterable[VerifierKey]) -> bool:
        """Return whether a trusted key is a root key or a key of the chain, and so leads to its latest key."""
        keys = {*self.roots, *(term.key for term in self.terms)}
        return any(key in keys for key in trusted)


def notes_in(announced: Iterable[tuple[int, Announcement]]) -> tuple[tuple[int, str], ...]:
    """Return the notes about keys among announcements, with their leaves; raise `FalseProof` for a wrong type."""
    notes = list[tuple[int, str]]()
    for leaf, announcement in announced:
        if not isinstance(announcement, RootNamed | KeyChanged):
            continue
        head = ROOT if isinstance(announcement, RootNamed) else CHANGE
        if not announcement.note.startswith(f"{head}\n"):
            raise FalseProof(f"the announcement at leaf {leaf} does not contain a note that begins with {head}")
        notes.append((leaf, announcement.note))
    return tuple(notes)


def chain_of(notes: Iterable[tuple[int, str]], key: VerifierKey) -> KeyChain:
    """Return the chain that notes about keys announce, each with its leaf, up to the key of a checkpoint after them.

    Without notes the key alone is the chain. Raise `Malformed`, `NotSigned` or `FalseProof` for a note that is not in
    the format, lacks a signature or does not continue the chain, or if the key is not the last one.
    """
    announced = [(leaf, *parse_signed_note(text)) for leaf, text in notes]
    if len(announced) > CHANGES_MAX:
        raise FalseProof(f"a log announces at most {CHANGES_MAX:,} changes of keys")
    chain = KeyChain((KeyTerm(first_key(announced[0][2]) if announced else key),))
    for leaf, note, content in announced:
        chain = extend_chain(chain, leaf, note, content)
    if chain.current != key:
        raise FalseProof(f"the checkpoint is signed with {key}, but the log announces the key {chain.current}")
    return chain


def last_key(notes: Sequence[tuple[int, str]], key: VerifierKey) -> VerifierKey:
    """Return the key of the log that the last of these notes states, unverified; without notes, `key`.

    Raise `Malformed` if it is not in the format.
    """
    if not notes:
        return key
    _, content = parse_signed_note(notes[-1][1])
    return content.log if isinstance(content, RootNaming) else content.new


def parse_signed_note(text: str) -> tuple[Note, KeyChange | RootNaming]:
    """Parse a note about keys with its signatures, unverified; raise `Malformed` otherwise."""
    note = parse_note(text.encode())
    return note, parse_key_note(note.text)


def first_key(content: KeyChange | RootNaming) -> VerifierKey:
    """Return the key that a log had before its first note about keys."""
    return content.log if isinstance(content, RootNaming) else content.old


def extend_chain(chain: KeyChain, leaf: int, note: Note, content: KeyChange | RootNaming) -> KeyChain:
    """Return the chain with one more note, announced at a leaf; raise `NotSigned` or `FalseProof` as `chain_of`."""
    require_next(chain, leaf, content)
    root = chain.roots[-1] if chain.roots else None
    if isinstance(content, RootNaming):
        require_signatures(note, content.signers(root))
        return chain._replace(roots=(*chain.roots, content.root))
    assert root is not None
    require_signatures(note, content.signers(root))
    last = leaf if content.reason == "planned" else content.size
    ended = chain.terms[-1]._replace(last=last, until=content.until, reason=content.reason)
    return chain._replace(terms=(*chain.terms[:-1], ended, KeyTerm(content.new, leaf)))


def require_next(chain: KeyChain, leaf: int, content: KeyChange | RootNaming) -> None:
    """Raise `FalseProof` unless a note may follow a chain; its signatures are not verified."""
    used = {*chain.roots, *(term.key for term in chain.terms)}
    if isinstance(content, RootNaming):
        if content.log != chain.current:
            raise FalseProof(f"a root key is named for the key {content.log}, but the log has {chain.current}")
        if content.root in used or content.root.public in {key.public for key in used}:
            raise FalseProof(f"the root key {content.root} was used before")
        return
    if not chain.roots:
        raise FalseProof("the key of a log changes, but no root key was named before")
    if content.old != chain.current:
        raise FalseProof(f"a change replaces the key {content.old}, but the log has {chain.current}")
    is_renamed = content.new.name != content.old.name and content.new.public == content.old.public
    if not is_renamed and content.new.public in {key.public for key in used}:
        raise FalseProof(f"the new key {content.new} was used before")
    if not chain.terms[-1].first < content.size <= leaf:
        first = max(chain.terms[-1].first + 1, 0)
        raise FalseProof(
            f"a change at leaf {leaf} names a checkpoint of {content.size} leaves, expected {first} to {leaf}"
        )


class KeyHistory(NamedTuple):
    """All announcements of a log (leaf, text) below a size, and the key of the checkpoint of that size."""

    announced: tuple[tuple[int, str], ...]
    size: int

    def before(self, size: int) -> tuple[tuple[int, str], ...]:
        """Return the announcements below a size."""
        return tuple(each for each in self.announced if each[0] < size)


def require_same_history(histories: Sequence[KeyHistory]) -> None:
    """Raise `FalseProof` unless one history contains all others, so that they can be of one log."""
    longest = max(histories, key=lambda history: history.size)
    for history in histories:
        if history.announced != longest.before(history.size):
            sizes = f"up to {history.size} leaves differ from those up to {longest.size} leaves"
            raise FalseProof(f"the announcements of the log {sizes}")
