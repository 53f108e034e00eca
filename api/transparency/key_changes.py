"""Changes of the key of the log: requests for the root key, and their installation (`docs/specifications/keys.md`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from api.transparency.errors import TreeDiffers
from api.transparency.log_chain import load_notes
from api.transparency.log_keys import LogKeys, find_next, log_keys_of, promote_next, signer_of, store_next
from api.transparency.log_secrets import SecretStore
from api.transparency.sequencer import Sequencer
from api.transparency.store import SIGNED, TreeStore
from domain.matches.entropy import Entropy
from domain.proofs.service_keys import verified_chain
from domain.transparency.announcements import KeyChanged, RootNamed
from domain.transparency.errors import TransparencyFault
from domain.transparency.key_chain import KeyChain, extend_chain, last_key, parse_signed_note, require_next
from domain.transparency.key_notes import KeyChange, Reason, RootNaming
from domain.transparency.keys import SEED_BYTES, Signer
from domain.transparency.notes import Note, VerifierKey


class ChangeRefused(Exception):
    """The key cannot be changed in this way; the message gives the reason."""


class Installed(NamedTuple):
    """An announcement about keys in the tree: its leaf, the size of the signed checkpoint, and the key of the log."""

    leaf: int
    size: int
    key: VerifierKey


def stored_chain(store: TreeStore, own_key: VerifierKey) -> KeyChain:
    """Return the chain in the tree up to the announced key, which may be lost here; without any it is the own key.

    Raise `ChangeRefused` if it is false.
    """
    try:
        notes = load_notes(store)
        return verified_chain(notes, last_key(notes, own_key))
    except (TransparencyFault, TreeDiffers) as fault:
        raise ChangeRefused(f"the announcements of keys in the tree are false: {fault}") from fault


def request_root(store: TreeStore, signer: Signer, root: VerifierKey) -> str:
    """Return the request to name a root key, signed by the key of the log; raise `ChangeRefused` if it cannot be."""
    naming = RootNaming(signer.key, root)
    require_possible(stored_chain(store, signer.key), store.size, naming)
    return str(Note(naming.text, (signer.sign(naming.text),)))


def request_change(
    store: TreeStore,
    people: SecretStore,
    signer: Signer,
    reason: Reason,
    *,
    until: datetime,
    entropy: Entropy,
    origin: str = "",
    size: int | None = None,
) -> str:
    """Create the next key and return the request to change to it, for the root key; a refused request creates none.

    `until` counts for planned changes, which may also change the origin. `size`: of the latest good checkpoint, by
    default the latest one. Raise `ChangeRefused` if the change is not possible.
    """
    chain, signed = stored_chain(store, signer.key), store.checkpoint(SIGNED)
    if signed is None:
        raise ChangeRefused("no checkpoint has been signed yet")
    good_size = signed.checkpoint.size if size is None else size
    if not 0 <= good_size <= signed.checkpoint.size:
        raise ChangeRefused(f"the latest checkpoint has {signed.checkpoint.size} leaves, not {good_size}")
    if reason == "planned" and chain.current != signer.key:
        raise ChangeRefused(f"this service does not have the key {chain.current}, which signs a planned change")
    upcoming = Signer(origin or chain.current.name, seed := entropy(SEED_BYTES, "log key"))
    ends = until.replace(microsecond=0) if reason == "planned" else None
    change = KeyChange(chain.current, upcoming.key, reason, good_size, store.tiles.root(good_size), ends)
    require_possible(chain, store.size, change)
    store_next(people, seed)
    signers = (upcoming, signer) if reason == "planned" else (upcoming,)
    return str(Note(change.text, tuple(each.sign(change.text) for each in signers)))


def require_possible(chain: KeyChain, leaf: int, content: KeyChange | RootNaming) -> None:
    """Raise `ChangeRefused` unless a note may follow the chain."""
    try:
        require_next(chain, leaf, content)
    except TransparencyFault as fault:
        raise ChangeRefused(str(fault)) from fault


def is_next(people: SecretStore, key: VerifierKey) -> bool:
    """Return whether the service holds this key as its next one."""
    upcoming = find_next(people, key.name)
    return upcoming is not None and upcoming.key == key


def require_checkpoint(store: TreeStore, change: KeyChange) -> None:
    """Raise `ChangeRefused` unless the tree has the checkpoint that a change names."""
    if change.size > store.size or store.tiles.root(change.size) != change.root:
        raise ChangeRefused(f"the tree does not have the checkpoint of {change.size} leaves that the change names")


MakeSequencer = Callable[[LogKeys, VerifierKey], Sequencer]
"""Opens the sequencer of the stored tree with these keys; the tree announces the last one."""


def install_note(
    store: TreeStore, people: SecretStore, origin: str, text: str, make_sequencer: MakeSequencer, at: datetime
) -> Installed:
    """Announce a signed note in the tree, make a new key the current one, and sign and publish the tree.

    The process must lead the tree. An interrupted change is completed. Raise `ChangeRefused` if the note is not
    complete or does not belong here, `TreeDiffers` if the tree contradicts log or signature.
    """
    try:
        note, content = parse_signed_note(text)
    except TransparencyFault as fault:
        raise ChangeRefused(str(fault)) from fault
    announced = next((leaf for leaf, known in load_notes(store) if known == text), None)
    if announced is None:
        announced = announce(store, people, origin, note, content, make_sequencer)
    if isinstance(content, KeyChange) and is_next(people, content.new):
        promote_next(people, content)
    keys = log_keys_of(people, origin if isinstance(content, RootNaming) else content.new.name)
    sequencer = make_sequencer(keys, keys.signer.key)
    if signed := sequencer.sign(at):
        store.publish(signed)
    return Installed(announced, store.size, keys.signer.key)


def announce(
    store: TreeStore,
    people: SecretStore,
    origin: str,
    note: Note,
    content: KeyChange | RootNaming,
    make_sequencer: MakeSequencer,
) -> int:
    """Append a note about keys to the tree, after all entries, and return its leaf; raise as `install_note`."""
    own = signer_of(people, origin)
    chain = stored_chain(store, own.key)
    if isinstance(content, KeyChange):
        if not is_next(people, content.new):
            raise ChangeRefused(f"this service did not request the key {content.new}, or has requested another since")
        require_checkpoint(store, content)
    # Nothing is signed before the change, so a lost key is not needed.
    sequencer = make_sequencer(LogKeys(own), chain.current)
    while sequencer.append_batch():
        pass
    leaf = sequencer.next_leaf
    try:
        extend_chain(chain, leaf, note, content)
    except TransparencyFault as fault:
        raise ChangeRefused(str(fault)) from fault
    sequencer.announce(KeyChanged(str(note)) if isinstance(content, KeyChange) else RootNamed(str(note)))
    return leaf
