"""The keys that the tree of the service announces."""

from __future__ import annotations

from api.transparency.errors import TreeDiffers
from api.transparency.labels import parse_leaf
from api.transparency.store import SIGNED, Signed, TreeStore
from domain.proofs.service_keys import verified_chain
from domain.transparency.errors import TransparencyFault
from domain.transparency.key_chain import KeyChain, last_key, notes_in
from domain.transparency.keys import is_signed
from domain.transparency.notes import VerifierKey


def load_notes(store: TreeStore) -> tuple[tuple[int, str], ...]:
    """Return the notes about keys in the tree, with their leaves; raise `TreeDiffers` if one is unreadable."""
    try:
        return notes_in((number, parse_leaf(number, leaf)) for number, leaf in store.announcements())
    except TransparencyFault as fault:
        raise TreeDiffers(f"cannot read the announcements of the tree: {fault}") from fault


def load_chain(store: TreeStore, key: VerifierKey) -> KeyChain:
    """Return the chain of keys up to the service's own, whose name is that in the tree.

    Raise `TreeDiffers` if the tree announces another key, or false notes.
    """
    notes, signed = load_notes(store), store.checkpoint(SIGNED)
    announced = last_key(notes, key if signed is None else key._replace(name=signed.checkpoint.origin))
    if announced.public != key.public:
        raise TreeDiffers(
            f"the tree announces the key {announced}, but this service has {key}; if a change was interrupted, repeat"
            " `esporles key install`"
        )
    try:
        return verified_chain(notes, announced)
    except TransparencyFault as fault:
        raise TreeDiffers(f"the announcements of keys in the tree are false: {fault}") from fault


def require_own_signature(store: TreeStore, signed: Signed, key: VerifierKey) -> None:
    """Raise `TreeDiffers` unless a key of the chain has signed a checkpoint and the service has the name of its log."""
    chain = load_chain(store, key)
    if chain.current.name != key.name:
        raise TreeDiffers(
            f"the tree is that of {chain.current.name}, but this service is named {key.name}; to rename it, change its"
            " key with `esporles key request --origin NAME`"
        )
    if not any(is_signed(term.key, signed.text, signed.signature) for term in chain.terms):
        raise TreeDiffers("the latest checkpoint is not signed with the key of this service")
