"""Checkpoints that witnesses show: whether one contradicts the tree of this server and was signed by it."""

from __future__ import annotations

from typing import Final, NamedTuple

from api.transparency.latest_checkpoint import is_declared
from api.transparency.log_chain import load_chain
from api.transparency.store import TreeStore, WitnessState
from api.transparency.troubles import AHEAD, REFUSES, Trouble
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import cosignature_seconds, is_signed
from domain.transparency.notes import Note, Signature, VerifierKey, parse_note

MICROSECONDS: Final = 1_000_000


class Claim(NamedTuple):
    """A checkpoint that a witness shows, and how it contradicts the tree: a problem and a sentence with both sizes."""

    note: Note
    checkpoint: Checkpoint
    trouble: Trouble | None = None
    reason: str = ""


def judge_claim(body: str, store: TreeStore, key: VerifierKey) -> Claim:
    """Compare the checkpoint that a witness shows with the tree.

    It contradicts the tree (`AHEAD`) if a key of this server signed it and the tree does not contain it; it is only
    displayed (`REFUSES`) if it is not signed by this server. Raise `TransparencyFault` for an unreadable one.
    """
    note = parse_note(body.encode())
    checkpoint, size = parse_checkpoint(note.text), store.size
    claim = Claim(note, checkpoint)
    if not is_own(note, checkpoint, store, key):
        reason = f"shows a checkpoint of {checkpoint.size:,} leaves that this server has not signed"
        return claim._replace(trouble=REFUSES, reason=reason)
    if is_prefix(checkpoint, store, size) or is_declared(store, checkpoint):
        return claim
    return claim._replace(
        trouble=AHEAD,
        reason=f"shows a checkpoint of {checkpoint.size:,} leaves, signed with the key of this server, but the tree"
        f" here has {size:,}{' and is another one' if checkpoint.size <= size else ''}",
    )


def is_own(note: Note, checkpoint: Checkpoint, store: TreeStore, key: VerifierKey) -> bool:
    """Return whether a key of this server, valid for this size, has signed a checkpoint."""
    terms = [term for term in load_chain(store, key).terms if term.is_for(checkpoint.size)]
    return any(is_signed(term.key, note.text, each) for term in terms for each in note.signatures)


def is_prefix(checkpoint: Checkpoint, store: TreeStore, size: int) -> bool:
    """Return whether the tree contains a checkpoint as a prefix."""
    try:
        return checkpoint.size <= size and store.tiles.root(checkpoint.size) == checkpoint.root
    except TransparencyFault:
        return False


def state_of(claim: Claim, state: WitnessState, witness: VerifierKey, at: int) -> WitnessState:
    """Return the state of a witness that shows this checkpoint.

    A contradicting checkpoint replaces the last cosigned one, with its cosignature if there is a valid one. `at`: the
    current time in microseconds, at which a problem of another kind began; no cosignature is later.
    """
    trouble = claim.trouble or ""
    since = state.since if state.trouble == trouble else at
    state = state._replace(trouble=trouble, reason=claim.reason, since=since)
    if claim.trouble != AHEAD:
        return state
    cosigned = find_cosignature(claim.note, witness)
    # A witness may state any time, even a time that neither a database nor a page can represent.
    cosigned_at = 0 if cosigned is None else min(at, cosignature_seconds(cosigned) * MICROSECONDS)
    return state._replace(size=claim.checkpoint.size, text=claim.note.text, signature=cosigned, at=cosigned_at)


def find_cosignature(note: Note, witness: VerifierKey) -> Signature | None:
    """Return the valid cosignature of a witness, or None."""
    return next((each for each in note.signatures if is_signed(witness, note.text, each)), None)
