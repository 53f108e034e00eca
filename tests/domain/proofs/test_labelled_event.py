"""The proof of a tournament in a tree with labels: one proof per record, and one per match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.proofs.event import EventReport, verify_event
from domain.proofs.event_file import EventFile, event_bytes, parse_event
from domain.proofs.match import verify_content
from domain.proofs.match_file import LeafLine, ProofLabels, Recorded, parse_proof_file, proof_bytes
from domain.transparency.multiproofs import create_multiproof
from domain.transparency.policy import policy_of_keys
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.match_proofs import WITNESS
from tests.domain.proofs.tournament_proofs import SIGNER, Notary, cup_file, played_cup

TRUST: Final = policy_of_keys([SIGNER.key, WITNESS.key])


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return played_cup(tmp_path_factory.mktemp("cup"))


@pytest.fixture(scope="module")
def parts(cup: Matches) -> list[bytes]:
    return cup_file(cup, Notary(cup, labelled_from=0))


def verify_parts(parts: list[bytes]) -> EventReport:
    return verify_event(b"".join(parts), titles=ALL_TITLES, trust=TRUST)


def find_fault(parts: list[bytes]) -> tuple[str, str]:
    """Return the part and the reason of the fault."""
    fault = verify_parts(parts).fault
    assert fault is not None
    return fault.part, fault.why


def change_first_part(parts: list[bytes], change: Callable[[EventFile], EventFile]) -> list[bytes]:
    return [event_bytes(change(parse_event(parts[0]))), *parts[1:]]


def with_label(recorded: Recorded, index: int, label: str) -> Recorded:
    lines = list(recorded.leaves)
    lines[index] = replace(lines[index], label=label)
    return recorded._replace(leaves=tuple(lines))


def test_all_records_have_labels(parts: list[bytes]) -> None:
    report, event = verify_parts(parts), parse_event(parts[0])

    assert report.is_good, report.fault
    assert parts[0].startswith(b'{"format":"esporles.event/3"')
    assert all(part.startswith(b'{"format":"esporles.proof/3"') for part in parts[1:])
    assert report.proof is not None
    count = event.header.records + event.header.roles
    assert (report.proof.labels_checked, report.proof.unlabelled) == (count, ())
    assert event_bytes(event) == parts[0]
    assert not any("two histories" in each for each in report.unchecked)


def test_a_match_with_rulings_proves_the_label_of_each_record_of_roles(parts: list[bytes]) -> None:
    ruled = [proof for proof in map(parse_proof_file, parts[1:]) if proof.roles.records]

    assert ruled
    assert all(line.label for proof in ruled for line in proof.roles.leaves)


def test_records_without_labels_are_named(cup: Matches, parts: list[bytes]) -> None:
    whole = Notary(cup)
    third = sorted(
        place for (stream, _), place in whole.places.items() if stream == parse_event(parts[0]).header.event
    )[2]
    report = verify_parts(cup_file(cup, Notary(cup, labelled_from=third)))
    earlier = verify_parts(cup_file(cup, whole))

    assert report.is_good, report.fault
    assert earlier.is_good, earlier.fault
    assert report.proof is not None
    assert report.proof.unlabelled == ("records 1 to 2 of the tournament", "records 1 to 3 of the roles")
    names = "records 1 to 2 of the tournament and records 1 to 3 of the roles"
    assert f"two histories cannot be excluded for {names}: their leaves have no labels" in report.unchecked
    (sentence,) = (each for each in earlier.unchecked if "two histories" in each)
    assert "and entries of 4 of 4 matches: their leaves have no labels" in sentence


def test_labels_of_records_are_needed_and_true(parts: list[bytes]) -> None:
    event = parse_event(parts[0])
    one, two = event.event.leaves[0].label, event.event.leaves[1].label
    subject = "the label of record 1 of the tournament"

    for label, why in (
        ("", f"{subject}: its proof is missing"),
        (two, f"{subject}: the proof of a label is false"),
        (one[:-2], "is not 80 bytes in hexadecimal digits"),
    ):
        changed = change_first_part(parts, lambda it: it._replace(event=with_label(it.event, 0, label)))  # noqa: B023
        assert find_fault(changed)[0] == "tournament"
        assert why in find_fault(changed)[1]
    changed = change_first_part(parts, lambda it: it._replace(roles=with_label(it.roles, 0, one)))
    assert find_fault(changed)[1] == "the label of record 1 of the roles: the proof of a label is false"


def test_a_record_before_the_announcement_has_no_label(cup: Matches, parts: list[bytes]) -> None:
    label = parse_event(parts[0]).event.leaves[0].label
    third = Notary(cup).places[parse_event(parts[0]).header.event, 3]
    late = cup_file(cup, Notary(cup, labelled_from=third))
    changed = change_first_part(late, lambda it: it._replace(event=with_label(it.event, 0, label)))
    assert find_fault(changed)[1] == "the label of record 1 of the tournament: it has none"

    earlier = cup_file(cup, Notary(cup))
    changed = change_first_part(earlier, lambda it: it._replace(event=with_label(it.event, 0, label)))
    assert "the leaf of record 1 of the tournament has a label, but its format has none" in find_fault(changed)[1]


def test_a_tournament_has_no_labels_of_matches_in_its_own_part(parts: list[bytes]) -> None:
    labels = parse_proof_file(parts[1]).labels
    changed = change_first_part(parts, lambda it: it._replace(labels=labels))

    assert "the proofs of labels are not those of the matches" in find_fault(changed)[1]


def test_the_matches_have_the_announcements_of_the_tournament(cup: Matches) -> None:
    """All matches are older than the labels, so the second one is provable without their announcement as well."""
    last = len(Notary(cup).tree.leaves) - 1
    notary = Notary(cup, labelled_from=last)
    parts = cup_file(cup, notary)
    assert verify_parts(parts).is_good
    proof = parse_proof_file(parts[2])
    hashes = create_multiproof(notary.tree.read, [line.leaf for line in proof.leaves], proof.checkpoint.size)
    alone = proof_bytes(proof._replace(labels=ProofLabels(), hashes=tuple(hashes)))

    assert verify_content(alone, titles=ALL_TITLES, trust=TRUST).is_good
    expected = ("round 1 table 2", "its announcements of the log differ from the tournament's")
    assert find_fault([*parts[:2], alone, *parts[3:]]) == expected


def test_a_leaf_cannot_be_an_announcement_as_well(parts: list[bytes]) -> None:
    def move(event: EventFile) -> EventFile:
        first: LeafLine = event.roles.leaves[0]
        line = replace(event.labels.log[0], leaf=first.leaf)
        return event._replace(roles=with_label(event.roles, 0, ""), labels=ProofLabels((line,)))

    assert (
        find_fault(change_first_part(parts, move))[1] == "an announcement of the log has the leaf of an entry or record"
    )
