"""The keys of the service in a proof file: the chain that its announcements give (`docs/specifications/keys.md`)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.matches.errors import LogFault
from domain.matches.verification.tally import SignaturesShown
from domain.proofs.labels import AnnouncedLog
from domain.proofs.match_file import KIND, ProofFile
from domain.transparency.errors import TransparencyFault
from domain.transparency.key_chain import KeyChain, chain_of, notes_in
from domain.transparency.notes import VerifierKey

CHAINS_CACHED: Final = 8
OTHER_SERVICE: Final = (
    "signatures of the service with the key {key}, from entry {entry}: the service of this proof has another key"
)
CHANGED: Final = "keys of the service: {count} changes, signed with the root key {root}"
CHANGED_ONCE: Final = "keys of the service: 1 change, signed with the root key {root}"
NAMED: Final = "keys of the service: the root key {root} is named, and no key has changed"

verified_chain = lru_cache(CHAINS_CACHED)(chain_of)
"""`chain_of`, which verifies every signature, once for the same notes: matches of a tournament repeat them."""


def chain_in(log: AnnouncedLog, service: VerifierKey) -> KeyChain:
    """Return the chain of keys up to the one of the checkpoint; raise `LogFault` for a false announcement of keys."""
    try:
        return verified_chain(notes_in(log.announced), service)
    except TransparencyFault as fault:
        raise LogFault(None, KIND, f"the keys of the service: {fault}") from fault


def describe_chain(chain: KeyChain) -> Iterator[str]:
    """Yield a sentence about the changes of keys, if a root key was named."""
    if chain.roots:
        count = len(chain.terms) - 1
        template = NAMED if not count else CHANGED_ONCE if count == 1 else CHANGED
        yield template.format(count=count, root=chain.roots[-1])


def check_signatures_of_service(proof: ProofFile, chain: KeyChain, signatures: SignaturesShown) -> Iterator[str]:
    """Yield a sentence for each key of another service; raise `LogFault` if a key of this one was not valid.

    Leaves and times ascend with the entries, so that the first and the last signature of a key suffice.
    """
    last_entries = dict(signatures.services_to)
    for key, first in signatures.services_from:
        if not chain.has(key):
            yield OTHER_SERVICE.format(key=key, entry=first)
            continue
        for version in (first, last_entries[key]):
            leaf = proof.leaves[version - 1].leaf
            if not chain.may_sign(key, leaf, proof.log.entries[version - 1].timestamp):
                why = f"it is signed with the key {key} of the service, which was not valid at leaf {leaf}"
                raise LogFault(version, KIND, why)
