"""Verification of a proof file: its log, the inclusion of every entry in the tree, and the signatures of the tree."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from domain.kernel.title import Titles
from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.log.log_files import parse_log, read_content
from domain.matches.verification.proof_report import Cosigned, ProofShown
from domain.matches.verification.verify import LogExamined, VerifyFault, VerifyReport, examine_log
from domain.proofs.labels import (
    AnnouncedLog,
    NamedLeaves,
    label_entries,
    label_records,
    read_log,
    require_distinct,
    unlabelled_statement,
    with_key_notes,
    with_labels,
)
from domain.proofs.match_file import (
    KIND,
    LeafLine,
    ProofFile,
    Recorded,
    entry_leaf,
    is_proof,
    parse_proof_file,
    record_leaves,
)
from domain.proofs.origin import origin_statements
from domain.proofs.rulings import examine_rulings
from domain.proofs.service_keys import chain_in, check_signatures_of_service, describe_chain
from domain.titles import TITLES
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.errors import FalseProof
from domain.transparency.key_chain import KeyChain
from domain.transparency.keys import cosignature_seconds, is_signed
from domain.transparency.leaves import PlacedLeaf
from domain.transparency.multiproofs import check_leaves
from domain.transparency.notes import Note, VerifierKey, encode
from domain.transparency.policy import NONE, Policy

ENTRY_NAMES: Final = ("entry {}", "entries {} to {}")
SECONDS_MAX: Final = 253_402_300_799
"""The last second of the year 9999."""
NO_PROOF: Final = "signature of the service: this is a log without a proof, so no keys were checked"
NO_TRUST: Final = "owners of the keys: no trusted keys were given (--trust), so the keys in the file were used"
NOT_EXAMINED: Final = "proof: the log in the file is invalid"
NOT_IN_TREE: Final = "not all of its entries are in the signed tree: {fault}"
NO_WITNESS: Final = (
    "whether the service shows everyone the same history, and since when: no {trusted}witness has cosigned"
)
BELOW_QUORUM: Final = "the checkpoint is below the quorum: it needs a cosignature of {quorum}, but has {cosigners}"

Trust = Policy | None
"""Trusted services and witnesses, and the quorum; None: no keys are known."""


def verify_content(
    content: bytes, *, titles: Titles = TITLES, head: str | None = None, trust: Trust = None
) -> VerifyReport:
    """Verify a log or a proof file and return the report, even if it is unreadable.

    `head`: the expected last digest. With `trust` a log without a proof is reported as unproven.
    """
    try:
        if is_proof(content):
            return examine_proof_file(content, titles=titles, head=head, trust=trust).log.report
        report = examine_log(parse_log(content), titles=titles, head=head).report
    except LogFault as error:
        return VerifyReport(VerifyFault(error.entry, error.kind, error.why))
    return report if trust is None else replace(report, unchecked=(*report.unchecked, NO_PROOF))


def verify_any(path: Path, *, titles: Titles = TITLES, head: str | None = None, trust: Trust = None) -> VerifyReport:
    """Verify a log or a proof file at a path and return the report, even if it is unreadable."""
    try:
        content = read_content(path)
    except LogFault as error:
        return VerifyReport(VerifyFault(error.entry, error.kind, error.why))
    return verify_content(content, titles=titles, head=head, trust=trust)


class ProofExamined(NamedTuple):
    """A proof, and its log with the report on both."""

    proof: ProofFile
    log: LogExamined


def examine_proof_file(
    content: bytes, *, titles: Titles = TITLES, head: str | None = None, trust: Trust = None
) -> ProofExamined:
    """Verify a proof file; raise `LogFault` if its format is wrong, and report all other faults.

    If the log has a fault, the proof is not examined.
    """
    proof = parse_proof_file(content)
    examined = examine_log(proof.log, titles=titles, head=head)
    report = examined.report
    if not report.is_good:
        report = replace(report, unchecked=(*report.unchecked, NOT_EXAMINED))
        return ProofExamined(proof, examined._replace(report=report))
    try:
        proof_shown, chain = examine_proof(proof, trust), chain_of_proof(proof)
        other_services = check_signatures_of_service(proof, chain, report.signatures)
        streams = (line.stream for line in proof.leaves)
        origin = origin_statements(report.signatures, chain.has, len(proof.log.entries), streams)
        unchecked = (*report.unchecked, *origin, *unproven_statements(proof_shown, trust), *other_services)
        rulings = examine_rulings(proof, chain)
    except LogFault as error:
        report = replace(report, fault=VerifyFault(error.entry, error.kind, error.why))
        return ProofExamined(proof, examined._replace(report=report))
    full = replace(proof_shown, checked=(*proof_shown.checked, *rulings.checked))
    report = replace(report, proof=full, unchecked=(*unchecked, *rulings.unchecked))
    return ProofExamined(proof, examined._replace(report=report))


def chain_of_proof(proof: ProofFile) -> KeyChain:
    """Return the keys of the service that a file announces; raise `LogFault` if they are false."""
    return chain_in(read_log(proof.labels.log, proof.checkpoint.size), proof.keys[0])


def examine_proof(proof: ProofFile, trust: Trust) -> ProofShown:
    """Return the statements proved by the signatures and hashes; raise `LogFault` if they are false."""
    checkpoint = proof.checkpoint
    log, entry_leaves, role_leaves = leaves_in(proof)
    proof_shown = examine_note(proof.note, checkpoint, proof.keys, trust, chain_in(log, proof.keys[0]))
    require_in_tree([*entry_leaves, *role_leaves], log, checkpoint, proof.hashes)
    count = len(proof.leaves)
    included = f"inclusion: all {count} entries are in the tree of {checkpoint.origin} with {checkpoint.size} leaves"
    entries, roles = NamedLeaves(*ENTRY_NAMES, entry_leaves), role_leaves_of(role_leaves)
    proof_shown = with_key_notes(with_labels(proof_shown, entries, roles), log)
    return replace(proof_shown, leaves_checked=count, checked=(included, *proof_shown.checked))


def require_in_tree(
    leaves: Iterable[PlacedLeaf], log: AnnouncedLog, checkpoint: Checkpoint, hashes: Sequence[bytes]
) -> None:
    """Raise `LogFault` unless these leaves and the announcements of the log are in the tree of a checkpoint."""
    try:
        check_leaves(leaves, log.leaves, checkpoint, hashes)
    except FalseProof as fault:
        raise LogFault(None, KIND, NOT_IN_TREE.format(fault=fault)) from fault


def role_leaves_of(leaves: Sequence[PlacedLeaf]) -> NamedLeaves:
    """Return the leaves of records of roles with their names."""
    return NamedLeaves("record {} of the roles", "records {} to {} of the roles", leaves)


def examine_note(
    note: Note, checkpoint: Checkpoint, keys: Sequence[VerifierKey], trust: Trust, chain: KeyChain
) -> ProofShown:
    """Verify all signatures of a checkpoint; raise `LogFault` for a false one, an untrusted service, or no quorum.

    The first key is the service's, the others the witnesses', who need not be trusted. Without `trust` no key
    is required; a trusted key of the chain leads to that of the service.
    """
    (service, *witnesses), are_trusted = keys, [trusts(trust, key) for key in keys]
    for key, signature in zip(keys, note.signatures, strict=True):
        if not is_signed(key, note.text, signature):
            raise LogFault(None, KIND, f"the signature of {key.name} on the checkpoint is invalid")
    if trust is not None and not chain.is_vouched_for(trust.log_keys):
        raise LogFault(None, KIND, f"the checkpoint is from {service.name}, but its key {service} is not trusted")
    times = [cosignature_seconds(signature) for signature in note.signatures[1:]]
    if any(seconds > SECONDS_MAX for seconds in times):
        raise LogFault(None, KIND, "a witness cosigned after the year 9999")
    cosigned = tuple(
        Cosigned(key.name, str(key), datetime.fromtimestamp(seconds, UTC), is_trusted)
        for key, seconds, is_trusted in zip(witnesses, times, are_trusted[1:], strict=True)
    )
    if trust is not None:
        require_quorum(trust, witnesses)
    key_text = "the key in the file"
    if trust is not None:
        key_text = "a trusted key" if are_trusted[0] else "a key that follows from a trusted one"
    checked = (
        f"signature of {service.name} on the checkpoint, with {key_text}",
        *(f"cosignature of {each.name} at {each.at:%Y-%m-%d %H:%M:%S} UTC" for each in cosigned),
        *quorum_reached(trust),
        *describe_chain(chain),
    )
    return ProofShown(
        origin=checkpoint.origin,
        key=str(service),
        is_trusted=None if trust is None else True,
        size=checkpoint.size,
        root=encode(checkpoint.root),
        leaves_checked=0,
        cosigned=cosigned,
        checked=checked,
    )


def trusts(trust: Trust, key: VerifierKey) -> bool | None:
    """Return whether a key is trusted; None without trusted keys."""
    return None if trust is None else key in (*trust.log_keys, *trust.witness_keys)


def require_quorum(policy: Policy, witnesses: Sequence[VerifierKey]) -> None:
    """Raise `LogFault` unless these witnesses, who have cosigned, reach the quorum."""
    if not policy.is_met(witnesses):
        names = ", ".join(key.name for key in witnesses if key in policy.witness_keys)
        why = BELOW_QUORUM.format(
            quorum=policy.describe_quorum(),
            cosigners=f"those of {names} only" if names else "none of a trusted witness",
        )
        raise LogFault(None, KIND, why)


def quorum_reached(trust: Trust) -> Iterable[str]:
    """Yield the sentence about the quorum of a verified checkpoint, if one is required."""
    if trust is not None and trust.quorum != NONE:
        yield f"quorum of the cosignatures: {trust.describe_quorum()}"


class LeavesProved(NamedTuple):
    """The announcements in a file, and the leaves of its entries and role records, with their labels."""

    log: AnnouncedLog
    entries: list[PlacedLeaf]
    roles: list[PlacedLeaf]


def leaves_in(proof: ProofFile) -> LeavesProved:
    """Return the leaves of entries and role records; raise `LogFault` unless the indices of each increase.

    Also raise it if two have the same leaf, or a proof of a label is false, missing or too many.
    """
    size, last = proof.checkpoint.size, -1
    log = read_log(proof.labels.log, size)
    for line in proof.leaves:
        last = require_later_index(line, last, size, line.version, "its leaf")
    leaves = [entry_leaf(line, entry) for entry, line in zip(proof.log.entries, proof.leaves, strict=True)]
    roles = leaves_of(proof.roles, log, size, "roles")
    require_distinct(log, [*leaves, *roles], "an entry and a record of roles have the same leaf")
    return LeavesProved(log, label_entries(log, leaves, proof.labels.matches), roles)


def leaves_of(recorded: Recorded, log: AnnouncedLog, size: int, what: str) -> list[PlacedLeaf]:
    """Return the leaves of records, with their labels.

    Raise `LogFault` unless their indices increase and are below the tree's size, and the proofs of their labels are
    true.
    """
    last = -1
    for line in recorded.leaves:
        last = require_later_index(line, last, size, None, f"the leaf of record {line.version} of the {what}:")
    return label_records(log, record_leaves(recorded), recorded.leaves, what)


def require_later_index(line: LeafLine, last: int, size: int, entry: int | None, what: str) -> int:
    """Return the index of a leaf; raise `LogFault` unless it follows the previous one and is below the tree's size."""
    if not last < line.leaf < size:
        why = f"{what} {line.leaf} is not after the previous leaf and below {size}, the size of the tree"
        raise LogFault(entry, KIND, why)
    return line.leaf


def unproven_statements(proof_shown: ProofShown, trust: Trust) -> Iterable[str]:
    """Yield the statements that the file does not prove: about leaves without labels, and untrusted signatures."""
    yield from unlabelled_statement(proof_shown.unlabelled)
    yield from unproven_signatures(proof_shown, trust)


def unproven_signatures(proof_shown: ProofShown, trust: Trust) -> Iterable[str]:
    """Yield sentences about signatures that are untrusted or missing; one is always given without `trust`."""
    if trust is None:
        yield NO_TRUST
    untrusted = [each.name for each in proof_shown.cosigned if each.is_trusted is False]
    yield from (f"cosignature of {name}: its key is not trusted" for name in untrusted)
    if trust is not None:
        keys = {each.key for each in proof_shown.cosigned}
        missing = [key.name for key in trust.witness_keys if str(key) not in keys]
        yield from (f"cosignature of {name}: not on this checkpoint" for name in missing)
    if len(untrusted) == len(proof_shown.cosigned):
        yield NO_WITNESS.format(trusted="trusted " if untrusted else "")
