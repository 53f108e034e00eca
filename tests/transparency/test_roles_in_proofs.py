"""Role records in proofs: whether the author of a ruling was entitled to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from domain.matches.verification.verify import VerifyFault
from domain.proofs.match import verify_content
from domain.proofs.match_file import proof_bytes
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.repeated_rulings import play_repeated_ruling, unsign_repeated
from tests.domain.proofs.tournament_proofs import Notary
from tests.transparency.logs import Log, content, rechain
from tests.transparency.second import Fault, SecondVerifier
from tests.transparency.whole import (
    HOUSE_PEN,
    ROLES_STREAM,
    Pen,
    ProofTree,
    Stream,
    file_of,
    grant_body,
    revocation_body,
    ruled_match,
)

OPERATOR: Final = Pen(13)
ARBITER: Final = Pen(11)
HEAD: Final = Pen(12)
STRANGER: Final = Pen(14)
PENS: Final = {"arbiter": ARBITER, "head": HEAD}
FIRST_RULING: Final = 40
APPEAL: Final = 54
REPEATED: Final = 47


class RulingRoles:
    """The roles of a service, and a match with rulings."""

    def __init__(self) -> None:
        self.roles = Stream(ROLES_STREAM)
        self.log: Log = ruled_match(PENS)
        self.late = 0
        """The number of last records that were appended after the entry of the first ruling."""

    def file(self) -> bytes:
        tree, first = ProofTree(), len(self.roles.records) - self.late
        tree.append(ROLES_STREAM, self.roles.records[:first])
        for entry in self.log.entries:
            tree.append(entry["match"], [entry])
            if entry["version"] == FIRST_RULING:
                tree.append(ROLES_STREAM, self.roles.records[first:])
        return file_of(tree.proof(self.log, self.roles))


def create_roles(*, operator: bool = True, arbiter: bool = True, head: bool = True) -> RulingRoles:
    case = RulingRoles()
    if operator:
        case.roles.add(grant_body("olga", "operator", keys=[OPERATOR.key]), HOUSE_PEN)
    if arbiter:
        case.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[ARBITER.key]), OPERATOR)
    if head:
        case.roles.add(grant_body("head", "head_arbiter", "olga", keys=[HEAD.key]), OPERATOR)
    return case


def both(second_verifier: SecondVerifier, content: bytes) -> tuple[VerifyFault | None, Fault | None]:
    return verify_content(content).fault, second_verifier.examine(content).fault


def test_each_ruling_is_authorised_by_the_service(second_verifier: SecondVerifier) -> None:
    report = second_verifier.examine(create_roles().file())

    assert verify_content(create_roles().file()).fault is None
    assert report.fault is None, report.fault
    authorities = [each["values"] for each in report.checked if each["id"] == "entitled"]
    assert [each["entry"] for each in authorities] == [FIRST_RULING, 52, APPEAL, 55]
    assert authorities[0] == {"entry": 40, "by": "arbiter", "role": "arbiter", "records": "2 ← 1", "unsigned": 0}
    assert authorities[2]["role"] == "head_arbiter"
    assert "ungranted" not in report.unchecked_ids


def test_without_roles_the_authority_is_reported_as_unchecked(second_verifier: SecondVerifier) -> None:
    case = create_roles()
    tree = ProofTree()
    tree.append_log(case.log)
    report = second_verifier.examine(file_of(tree.proof(case.log)))

    assert report.fault is None
    assert "ungranted" in report.unchecked_ids


def test_an_operator_may_rule_and_a_record_by_the_service_may_be_unsigned(second_verifier: SecondVerifier) -> None:
    case = RulingRoles()
    case.log = ruled_match({})
    for person in ("arbiter", "head"):
        case.roles.add(grant_body(person, "operator"))
    report = second_verifier.examine(case.file())

    assert verify_content(case.file()).fault is None
    assert report.fault is None, report.fault
    granted_records = next(each["values"] for each in report.checked if each["id"] == "granted")
    assert granted_records == {"count": 2, "unsigned": 2}


def test_rulings_of_another_service_are_not_checked_against_these_roles(second_verifier: SecondVerifier) -> None:
    case = create_roles(arbiter=False)
    case.log = ruled_match(PENS, service_pen=STRANGER)
    report = second_verifier.examine(case.file())

    assert verify_content(case.file()).fault is None
    assert report.fault is None, report.fault
    assert {"not_begun_here", "other_house"} <= report.unchecked_ids
    assert "granted" in report.checked_ids


def nobody_is_arbiter() -> RulingRoles:
    return create_roles(arbiter=False)


def the_role_is_of_another_event() -> RulingRoles:
    case = create_roles(arbiter=False)
    case.roles.add(grant_body("arbiter", "arbiter", "olga", scope="elsewhere", keys=[ARBITER.key]), OPERATOR)
    return case


def the_role_was_given_later() -> RulingRoles:
    case = create_roles(head=False, arbiter=False)
    case.roles.add(grant_body("head", "head_arbiter", "olga", keys=[HEAD.key]), OPERATOR)
    case.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[ARBITER.key]), OPERATOR)
    case.late = 1
    return case


def the_role_was_taken_back() -> RulingRoles:
    case = create_roles()
    case.roles.add(revocation_body("arbiter", "arbiter", "olga"), OPERATOR)
    return case


def an_organiser_rules() -> RulingRoles:
    case = create_roles(arbiter=False)
    case.roles.add(grant_body("arbiter", "organiser", "olga", keys=[ARBITER.key]), OPERATOR)
    return case


def with_another_key() -> RulingRoles:
    case = create_roles()
    case.log = ruled_match(PENS | {"arbiter": STRANGER})
    return case


def unsigned_by_one_who_has_a_key() -> RulingRoles:
    case = create_roles()
    case.log = ruled_match({"head": HEAD})
    return case


def with_the_key_of_an_earlier_grant() -> RulingRoles:
    case = create_roles()
    case.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[STRANGER.key]), OPERATOR)
    return case


@pytest.mark.parametrize(
    "forge",
    [
        nobody_is_arbiter,
        the_role_is_of_another_event,
        the_role_was_given_later,
        the_role_was_taken_back,
        an_organiser_rules,
        with_another_key,
        unsigned_by_one_who_has_a_key,
        with_the_key_of_an_earlier_grant,
    ],
)
def test_an_unauthorised_ruling_is_rejected(second_verifier: SecondVerifier, forge: Callable[[], RulingRoles]) -> None:
    first, fault = both(second_verifier, forge().file())

    assert first is not None
    assert fault is not None
    assert first.entry == FIRST_RULING
    assert (fault.entry, fault.part) == (FIRST_RULING, None)


def of_a_line_resumed(pens: dict[str, Pen]) -> RulingRoles:
    """Repeat the ruling in the line that it created."""
    case = create_roles()
    case.log = ruled_match(pens, name="el_grande-resumed")
    return case


def a_role_taken_back_in_between() -> RulingRoles:
    case = of_a_line_resumed(PENS)
    case.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[STRANGER.key]), OPERATOR)
    case.roles.add(revocation_body("arbiter", "arbiter", "olga"), OPERATOR)
    return case


def test_a_replacing_line_needs_a_ruling_authorised_at_that_time(second_verifier: SecondVerifier) -> None:
    assert both(second_verifier, of_a_line_resumed(PENS).file()) == (None, None)
    for case in (a_role_taken_back_in_between(), of_a_line_resumed({"arbiter": HEAD}), of_a_line_resumed({})):
        first, fault = both(second_verifier, case.file())
        assert first is not None
        assert fault is not None
        assert (first.entry, fault.entry) == (REPEATED, REPEATED)


def test_a_repeated_ruling_is_signed_though_its_arbiter_has_lost_the_role(
    second_verifier: SecondVerifier, tmp_path: Path
) -> None:
    matches, log = play_repeated_ruling(tmp_path)
    unsigned = proof_bytes(unsign_repeated(matches, log))
    first, fault = verify_content(unsigned, titles=ALL_TITLES).fault, second_verifier.examine(unsigned).fault

    assert second_verifier.examine(proof_bytes(Notary(matches).match(log))).fault is None
    assert first is not None
    assert fault is not None
    assert (first.entry, first.kind) == (fault.entry, fault.kind)


def test_a_role_in_the_event_of_the_table_is_enough(second_verifier: SecondVerifier) -> None:
    case = create_roles(arbiter=False)
    event = case.log.body(0)["table"]["event"]
    case.roles.add(grant_body("arbiter", "arbiter", "olga", scope=event, keys=[ARBITER.key]), OPERATOR)

    assert both(second_verifier, case.file()) == (None, None)


@pytest.mark.parametrize("authority", ["event", "service"])
def test_an_arbiter_of_the_event_alone_does_not_rule_as_one_of_the_service(
    second_verifier: SecondVerifier, authority: str
) -> None:
    case = create_roles(arbiter=False)
    case.log = ruled_match(PENS, authority=authority)
    event = case.log.body(0)["table"]["event"]
    assert event
    case.roles.add(grant_body("arbiter", "arbiter", "olga", scope=event, keys=[ARBITER.key]), OPERATOR)
    first, fault = both(second_verifier, case.file())

    if authority == "event":
        assert (first, fault) == (None, None)
    else:
        assert first is not None
        assert fault is not None
        assert (first.entry, fault.entry) == (FIRST_RULING, FIRST_RULING)
        assert "did not have the role arbiter of the service" in first.why


def test_a_ruling_of_an_earlier_format_states_no_authority(second_verifier: SecondVerifier) -> None:
    log = ruled_match({}, service_pen=None, authority="service")
    log.header["format"], log.body(0)["format"] = "esporles.log/2", 2
    rechain(log)
    first, fault = both(second_verifier, content(log))

    assert first is not None
    assert fault is not None
    assert (first.entry, fault.entry) == (FIRST_RULING, FIRST_RULING)


def test_an_arbiter_does_not_rule_on_an_appeal(second_verifier: SecondVerifier) -> None:
    case = create_roles(head=False)
    case.roles.add(grant_body("head", "arbiter", "olga", keys=[HEAD.key]), OPERATOR)
    first, fault = both(second_verifier, case.file())

    assert first is not None
    assert fault is not None
    assert (first.entry, fault.entry) == (APPEAL, APPEAL)


def a_grant_without_a_signature(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "annotator", "olga"))


def a_grant_with_another_key(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "annotator", "olga"), STRANGER)


def a_grant_by_nobody(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "annotator", "zoe"))


def a_grant_by_an_arbiter(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "arbiter", "arbiter"), ARBITER)


def an_organiser_makes_an_operator(case: RulingRoles) -> None:
    case.roles.add(grant_body("oto", "organiser", scope="cup", keys=[STRANGER.key]), HOUSE_PEN)
    case.roles.add(grant_body("vera", "operator", "oto", scope="cup"), STRANGER)


def an_organiser_gives_roles_elsewhere(case: RulingRoles) -> None:
    case.roles.add(grant_body("oto", "organiser", scope="cup", keys=[STRANGER.key]), HOUSE_PEN)
    case.roles.add(grant_body("vera", "arbiter", "oto", scope="league"), STRANGER)


def the_service_with_another_key(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "annotator"), STRANGER)


def a_signature_of_something_else(case: RulingRoles) -> None:
    signed = OPERATOR.order(ROLES_STREAM, 0, "00" * 32, grant_body("vera", "annotator", "olga"))
    case.roles.add(grant_body("vera", "annotator", "olga") | {"signed": signed})


def a_field_at_its_default(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "annotator") | {"scope": ""})


def an_operator_of_one_event(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "operator", scope="cup"), HOUSE_PEN)


def a_role_that_there_is_not(case: RulingRoles) -> None:
    case.roles.add(grant_body("vera", "queen"))


@pytest.mark.parametrize(
    "forge",
    [
        a_grant_without_a_signature,
        a_grant_with_another_key,
        a_grant_by_nobody,
        a_grant_by_an_arbiter,
        an_organiser_makes_an_operator,
        an_organiser_gives_roles_elsewhere,
        the_service_with_another_key,
        a_signature_of_something_else,
        a_field_at_its_default,
        an_operator_of_one_event,
        a_role_that_there_is_not,
    ],
)
def test_an_impossible_record_is_rejected(
    second_verifier: SecondVerifier, forge: Callable[[RulingRoles], None]
) -> None:
    case = create_roles()
    forge(case)
    first, fault = both(second_verifier, case.file())

    assert first is not None
    assert fault is not None
    assert fault.part == {"name": "roles"}
    assert fault.entry == len(case.roles.records)


def test_an_organiser_gives_the_roles_of_the_own_event(second_verifier: SecondVerifier) -> None:
    case = create_roles()
    case.roles.add(grant_body("oto", "organiser", scope="cup", keys=[STRANGER.key]), HOUSE_PEN)
    case.roles.add(grant_body("vera", "arbiter", "oto", scope="cup"), STRANGER)
    case.roles.add(revocation_body("vera", "arbiter", "oto", scope="cup"), STRANGER)

    assert both(second_verifier, case.file()) == (None, None)


def test_every_changed_byte_of_a_file_with_roles_is_found(second_verifier: SecondVerifier) -> None:
    content = create_roles().file()
    start = content.index(b'{"version":1,"timestamp":"2026')
    for offset in range(start, len(content), 37):
        changed = bytearray(content)
        changed[offset] ^= 1
        assert second_verifier.examine(bytes(changed)).fault is not None, offset


def test_two_leaves_are_never_at_one_place(second_verifier: SecondVerifier) -> None:
    content = create_roles().file()
    lines = content.split(b"\n")
    first = next(index for index, line in enumerate(lines) if ROLES_STREAM.encode() in line and b'"leaf"' in line)
    lines[first] = lines[first].replace(b'"leaf":2,', b'"leaf":8,')
    fault = second_verifier.examine(b"\n".join(lines)).fault

    assert fault is not None
    assert fault.kind == "proof"
