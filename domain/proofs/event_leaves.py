"""The leaves of the records in the proof of a tournament."""

from collections.abc import Iterator, Sequence

from domain.kernel.values import replace
from domain.matches.verification.proof_report import ProofShown
from domain.proofs.event_file import EventFile
from domain.proofs.labels import (
    NamedLeaves,
    label_entries,
    read_log,
    require_distinct,
    unlabelled_statement,
    with_key_notes,
    with_labels,
)
from domain.proofs.match import Trust, examine_note, leaves_of, require_in_tree, role_leaves_of
from domain.proofs.service_keys import chain_in
from domain.transparency.key_chain import KeyChain


def examine_leaves(event: EventFile, trust: Trust) -> ProofShown:
    """Return the verified checkpoint; raise `LogFault` unless all records have their own leaves in the signed tree."""
    size = event.header.size
    log = read_log(event.labels.log, size)
    proof_shown = examine_note(event.note, event.checkpoint, event.keys, trust, chain_in(log, event.keys[0]))
    leaves, role_leaves = leaves_of(event.event, log, size, "tournament"), leaves_of(event.roles, log, size, "roles")
    require_distinct(
        log, [*leaves, *role_leaves], "a record of the tournament and a record of roles have the same leaf"
    )
    label_entries(log, (), event.labels.matches)
    require_in_tree([*leaves, *role_leaves], log, event.checkpoint, event.hashes)
    origin = proof_shown.origin
    included = f"inclusion: its {len(leaves)} records, and {len(role_leaves)} of roles, are in the tree of {origin}"
    own = NamedLeaves("record {} of the tournament", "records {} to {} of the tournament", leaves)
    proof_shown = with_key_notes(with_labels(proof_shown, own, role_leaves_of(role_leaves)), log)
    return replace(proof_shown, leaves_checked=len(leaves) + len(role_leaves), checked=(included, *proof_shown.checked))


def chain_of_event(event: EventFile) -> KeyChain:
    """Return the keys of the service in a file whose leaves have been examined."""
    return chain_in(read_log(event.labels.log, event.header.size), event.keys[0])


def unlabelled_in_event(shown: ProofShown, matches: Sequence[ProofShown]) -> Iterator[str]:
    """Yield a sentence about leaves without labels, of the tournament and of its matches, if there are any."""
    count = sum(any(name.startswith(("entry ", "entries ")) for name in match.unlabelled) for match in matches)
    yield from unlabelled_statement(
        (*shown.unlabelled, *((f"entries of {count} of {len(matches)} matches",) if count else ()))
    )
