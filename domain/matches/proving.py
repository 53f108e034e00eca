"""The whole examination of a proof file: its log as any other, then that each of its entries is in the tree of the
house, and who has signed for that tree."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from domain.kernel.title import Titles
from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.file import parse_log, read_content
from domain.matches.log import digest, first_look
from domain.matches.proof import KIND, Cosigned, ProofFile, ProofShown, is_proof, parse_proof_file
from domain.matches.tally import SignaturesShown
from domain.matches.verify import VerifyFault, VerifyReport, verify
from domain.titles import TITLES
from domain.transparency.errors import FalseProof
from domain.transparency.keys import cosigned_at, is_signed
from domain.transparency.leaves import leaf_of
from domain.transparency.merkle import leaf_hash
from domain.transparency.multiproofs import check_together
from domain.transparency.notes import COSIGNATURE, VerifierKey, encode

SECONDS_MAX: Final = 253_402_300_799
"""The last second of the year 9999."""
NO_PROOF: Final = "that the house has vouched for it: it is a log without a proof, so no key was looked at"
NO_TRUST: Final = "whose keys these are: nobody said which to trust (--trust), so those in the file were taken"
NOT_EXAMINED: Final = "the proof: the log in it is false already"
OTHER_HOUSE: Final = "the signatures of the service with the key {key}: the house that vouches here has another one"
UNGRANTED: Final = "rulings: the grants of the roles behind them are not in the file"
NO_WITNESS: Final = (
    "that the house shows everybody the same history, and since when it does: no witness {trusted}has cosigned"
)
RULING: Final = "ruling_given"

Trust = Sequence[VerifierKey] | None
"""The keys of houses and witnesses that the reader knows to be theirs; nothing: the reader knows none."""


def verify_content(
    content: bytes, *, titles: Titles = TITLES, head: str | None = None, trust: Trust = None
) -> VerifyReport:
    """The report on a log or a proof file, whichever it is, readable or not."""
    try:
        if is_proof(content):
            return verify_proof(parse_proof_file(content), titles=titles, head=head, trust=trust)
        report = verify(parse_log(content), titles=titles, head=head)
    except LogFault as error:
        return VerifyReport(VerifyFault(error.entry, error.kind, error.why))
    return report if trust is None else replace(report, unchecked=(*report.unchecked, NO_PROOF))


def verify_any(path: Path, *, titles: Titles = TITLES, head: str | None = None, trust: Trust = None) -> VerifyReport:
    """The same of a file."""
    try:
        content = read_content(path)
    except LogFault as error:
        return VerifyReport(VerifyFault(error.entry, error.kind, error.why))
    return verify_content(content, titles=titles, head=head, trust=trust)


def verify_proof(
    proof: ProofFile, *, titles: Titles = TITLES, head: str | None = None, trust: Trust = None
) -> VerifyReport:
    """The report on a proof whose form is good."""
    report = verify(proof.log, titles=titles, head=head)
    if not report.is_good:
        return replace(report, unchecked=(*report.unchecked, NOT_EXAMINED))
    try:
        shown = examine_proof(proof, trust)
    except LogFault as error:
        return replace(report, fault=VerifyFault(error.entry, error.kind, error.why))
    return replace(
        report, proof=shown, unchecked=(*report.unchecked, *unchecked_of(proof, shown, trust, report.signatures))
    )


def examine_proof(proof: ProofFile, trust: Trust) -> ProofShown:
    """What the proof shows; `LogFault` where it does not show that."""
    house, *witnesses = proof.keys
    for key, signature in zip(proof.keys, proof.note.signatures, strict=True):
        if not is_signed(key, proof.note.text, signature):
            raise LogFault(None, KIND, f"the signature of {key.name} below the checkpoint is false")
    if trust is not None and house not in trust:
        raise LogFault(None, KIND, f"the checkpoint is of {house.name}, and its key {house} is none of those trusted")
    check_leaves(proof)
    times = [cosigned_at(signature) for signature in proof.note.signatures[1:]]
    if any(seconds > SECONDS_MAX for seconds in times):
        raise LogFault(None, KIND, "a witness cosigned after the year 9999")
    cosigned = tuple(
        Cosigned(key.name, str(key), datetime.fromtimestamp(seconds, UTC), trusts(trust, key))
        for key, seconds in zip(witnesses, times, strict=True)
    )
    count, checkpoint = len(proof.leaves), proof.checkpoint
    whose = "a trusted key" if trust else "the key in the file"
    checked = (
        f"inclusion: each of the {count} entries is in the tree of {checkpoint.origin}, of {checkpoint.size} leaves",
        f"the signature of {house.name} below the checkpoint, with {whose}",
        *(f"the cosignature of {each.name}, made at {each.at:%Y-%m-%d %H:%M:%S} UTC" for each in cosigned),
    )
    return ProofShown(
        origin=checkpoint.origin,
        key=str(house),
        is_trusted=trusts(trust, house),
        size=checkpoint.size,
        root=encode(checkpoint.root),
        leaves_checked=count,
        cosigned=cosigned,
        checked=checked,
    )


def trusts(trust: Trust, key: VerifierKey) -> bool | None:
    return None if trust is None else key in trust


def check_leaves(proof: ProofFile) -> None:
    """Every entry is the leaf it says, later ones were taken up later, and all lead to the root."""
    hashes, last = dict[int, bytes](), -1
    for entry, line in zip(proof.log.entries, proof.leaves, strict=True):
        if not last < line.leaf < proof.checkpoint.size:
            why = f"its leaf {line.leaf} does not lie after that of the entry before and below {proof.checkpoint.size}"
            raise LogFault(entry.version, KIND, f"{why}, the size of the tree")
        last = line.leaf
        leaf = leaf_of(bytes.fromhex(line.salt), line.stream or entry.originator_id, entry.version, digest(entry))
        hashes[line.leaf] = leaf_hash(leaf)
    try:
        check_together(hashes, proof.checkpoint.size, proof.hashes, proof.checkpoint.root)
    except FalseProof as fault:
        raise LogFault(None, KIND, f"not all of its entries are in the tree that was signed: {fault}") from fault


def unchecked_of(proof: ProofFile, shown: ProofShown, trust: Trust, signatures: SignaturesShown) -> Iterable[str]:
    """What the file does not let anybody check, and why."""
    if trust is None:
        yield NO_TRUST
    strangers = [each.name for each in shown.cosigned if each.is_trusted is False]
    yield from (f"the cosignature of {name}: its key is none of those trusted" for name in strangers)
    if trust is not None:
        there = {each.key for each in shown.cosigned}
        missing = [key.name for key in trust if key.kind == COSIGNATURE and str(key) not in there]
        yield from (f"what {name} has seen: it has not cosigned this checkpoint" for name in missing)
    if len(strangers) == len(shown.cosigned):
        yield NO_WITNESS.format(trusted="that is trusted " if strangers else "")
    for key, _ in signatures.services:
        if key != proof.keys[0].public.hex():
            yield OTHER_HOUSE.format(key=key)
    if any(first_look(entry).type == RULING for entry in proof.log.entries):
        yield UNGRANTED
