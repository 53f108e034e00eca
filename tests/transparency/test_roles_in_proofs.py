"""Role records in proofs: whether the author of a ruling was entitled to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from domain.matches.verification.verify import VerifyFault
from domain.proofs.match import verify_content
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
        house, first = ProofTree(), len(self.roles.records) - self.late
        house.append(ROLES_STREAM, self.roles.records[:first])
        for entry in self.log.entries:
            house.append(entry["match"], [entry])
            if entry["version"] == FIRST_RULING:
                house.append(ROLES_STREAM, self.roles.records[first:])
        return file_of(house.proof(self.log, self.roles))


def create_roles(*, operator: bool = True, arbiter: bool = True, head: bool = True) -> RulingRoles:
    desk = RulingRoles()
    if operator:
        desk.roles.add(grant_body("olga", "operator", keys=[OPERATOR.key]), HOUSE_PEN)
    if arbiter:
        desk.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[ARBITER.key]), OPERATOR)
    if head:
        desk.roles.add(grant_body("head", "head_arbiter", "olga", keys=[HEAD.key]), OPERATOR)
    return desk


def both(second: SecondVerifier, content: bytes) -> tuple[VerifyFault | None, Fault | None]:
    return verify_content(content).fault, second.examine(content).fault


def test_each_ruling_is_authorised_by_the_service(second: SecondVerifier) -> None:
    report = second.examine(create_roles().file())

    assert verify_content(create_roles().file()).fault is None
    assert report.fault is None, report.fault
    told = [each["values"] for each in report.checked if each["id"] == "entitled"]
    assert [each["entry"] for each in told] == [FIRST_RULING, 52, APPEAL, 55]
    assert told[0] == {"entry": 40, "by": "arbiter", "role": "arbiter", "records": "2 ← 1", "unsigned": 0}
    assert told[2]["role"] == "head_arbiter"
    assert "ungranted" not in report.unchecked_ids


def test_without_roles_the_authority_is_reported_as_unchecked(second: SecondVerifier) -> None:
    desk = create_roles()
    house = ProofTree()
    house.append_log(desk.log)
    report = second.examine(file_of(house.proof(desk.log)))

    assert report.fault is None
    assert "ungranted" in report.unchecked_ids


def test_an_operator_may_rule_and_a_record_by_the_service_may_be_unsigned(second: SecondVerifier) -> None:
    desk = RulingRoles()
    desk.log = ruled_match({})
    for person in ("arbiter", "head"):
        desk.roles.add(grant_body(person, "operator"))
    report = second.examine(desk.file())

    assert verify_content(desk.file()).fault is None
    assert report.fault is None, report.fault
    granted_records = next(each["values"] for each in report.checked if each["id"] == "granted")
    assert granted_records == {"count": 2, "unsigned": 2}


def test_rulings_of_another_service_are_not_checked_against_these_roles(second: SecondVerifier) -> None:
    desk = create_roles(arbiter=False)
    desk.log = ruled_match(PENS, house=STRANGER)
    report = second.examine(desk.file())

    assert verify_content(desk.file()).fault is None
    assert report.fault is None, report.fault
    assert {"not_begun_here", "other_house"} <= report.unchecked_ids
    assert "granted" in report.checked_ids


def nobody_is_arbiter() -> RulingRoles:
    return create_roles(arbiter=False)


def the_role_is_of_another_event() -> RulingRoles:
    desk = create_roles(arbiter=False)
    desk.roles.add(grant_body("arbiter", "arbiter", "olga", scope="elsewhere", keys=[ARBITER.key]), OPERATOR)
    return desk


def the_role_was_given_later() -> RulingRoles:
    desk = create_roles(head=False, arbiter=False)
    desk.roles.add(grant_body("head", "head_arbiter", "olga", keys=[HEAD.key]), OPERATOR)
    desk.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[ARBITER.key]), OPERATOR)
    desk.late = 1
    return desk


def the_role_was_taken_back() -> RulingRoles:
    desk = create_roles()
    desk.roles.add(revocation_body("arbiter", "arbiter", "olga"), OPERATOR)
    return desk


def an_organiser_rules() -> RulingRoles:
    desk = create_roles(arbiter=False)
    desk.roles.add(grant_body("arbiter", "organiser", "olga", keys=[ARBITER.key]), OPERATOR)
    return desk


def with_another_key() -> RulingRoles:
    desk = create_roles()
    desk.log = ruled_match(PENS | {"arbiter": STRANGER})
    return desk


def unsigned_by_one_who_has_a_key() -> RulingRoles:
    desk = create_roles()
    desk.log = ruled_match({"head": HEAD})
    return desk


def with_the_key_of_an_earlier_grant() -> RulingRoles:
    desk = create_roles()
    desk.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[STRANGER.key]), OPERATOR)
    return desk


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
def test_an_unauthorised_ruling_is_rejected(second: SecondVerifier, forge: Callable[[], RulingRoles]) -> None:
    first, fault = both(second, forge().file())

    assert first is not None
    assert fault is not None
    assert first.entry == FIRST_RULING
    assert (fault.entry, fault.part) == (FIRST_RULING, None)


def of_a_line_resumed(pens: dict[str, Pen]) -> RulingRoles:
    """Repeat the ruling in the line that it created."""
    desk = create_roles()
    desk.log = ruled_match(pens, name="el_grande-resumed")
    return desk


def a_role_taken_back_in_between() -> RulingRoles:
    desk = of_a_line_resumed(PENS)
    desk.roles.add(grant_body("arbiter", "arbiter", "olga", keys=[STRANGER.key]), OPERATOR)
    desk.roles.add(revocation_body("arbiter", "arbiter", "olga"), OPERATOR)
    return desk


def test_a_replacing_line_needs_a_ruling_authorised_at_that_time(second: SecondVerifier) -> None:
    assert both(second, of_a_line_resumed(PENS).file()) == (None, None)
    for desk in (a_role_taken_back_in_between(), of_a_line_resumed({"arbiter": HEAD}), of_a_line_resumed({})):
        first, fault = both(second, desk.file())
        assert first is not None
        assert fault is not None
        assert (first.entry, fault.entry) == (REPEATED, REPEATED)


def test_a_role_in_the_event_of_the_table_is_enough(second: SecondVerifier) -> None:
    desk = create_roles(arbiter=False)
    event = desk.log.body(0)["table"]["event"]
    desk.roles.add(grant_body("arbiter", "arbiter", "olga", scope=event, keys=[ARBITER.key]), OPERATOR)

    assert both(second, desk.file()) == (None, None)


@pytest.mark.parametrize("authority", ["event", "service"])
def test_an_arbiter_of_the_event_alone_does_not_rule_as_one_of_the_service(
    second: SecondVerifier, authority: str
) -> None:
    desk = create_roles(arbiter=False)
    desk.log = ruled_match(PENS, authority=authority)
    event = desk.log.body(0)["table"]["event"]
    assert event
    desk.roles.add(grant_body("arbiter", "arbiter", "olga", scope=event, keys=[ARBITER.key]), OPERATOR)
    first, fault = both(second, desk.file())

    if authority == "event":
        assert (first, fault) == (None, None)
    else:
        assert first is not None
        assert fault is not None
        assert (first.entry, fault.entry) == (FIRST_RULING, FIRST_RULING)
        assert "did not have the role arbiter of the service" in first.why


def test_a_ruling_of_an_earlier_format_states_no_authority(second: SecondVerifier) -> None:
    log = ruled_match({}, house=None, authority="service")
    log.header["format"], log.body(0)["format"] = "esporles.log/2", 2
    rechain(log)
    first, fault = both(second, content(log))

    assert first is not None
    assert fault is not None
    assert (first.entry, fault.entry) == (FIRST_RULING, FIRST_RULING)


def test_an_arbiter_does_not_rule_on_an_appeal(second: SecondVerifier) -> None:
    desk = create_roles(head=False)
    desk.roles.add(grant_body("head", "arbiter", "olga", keys=[HEAD.key]), OPERATOR)
    first, fault = both(second, desk.file())

    assert first is not None
    assert fault is not None
    assert (first.entry, fault.entry) == (APPEAL, APPEAL)


def a_grant_without_a_signature(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("vera", "annotator", "olga"))


def a_grant_with_another_key(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("vera", "annotator", "olga"), STRANGER)


def a_grant_by_nobody(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("vera", "annotator", "zoe"))


def a_grant_by_an_arbiter(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("vera", "arbiter", "arbiter"), ARBITER)


def an_organiser_makes_an_operator(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("oto", "organiser", scope="cup", keys=[STRANGER.key]), HOUSE_PEN)
    desk.roles.add(grant_body("vera", "operator", "oto", scope="cup"), STRANGER)


def an_organiser_gives_roles_elsewhere(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("oto", "organiser", scope="cup", keys=[STRANGER.key]), HOUSE_PEN)
    desk.roles.add(grant_body("vera", "arbiter", "oto", scope="league"), STRANGER)


def the_service_with_another_key(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("vera", "annotator"), STRANGER)


def a_signature_of_something_else(desk: RulingRoles) -> None:
    signed = OPERATOR.order(ROLES_STREAM, 0, "00" * 32, grant_body("vera", "annotator", "olga"))
    desk.roles.add(grant_body("vera", "annotator", "olga") | {"signed": signed})


def a_field_at_its_default(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("vera", "annotator") | {"scope": ""})


def a_role_that_there_is_not(desk: RulingRoles) -> None:
    desk.roles.add(grant_body("vera", "queen"))


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
        a_role_that_there_is_not,
    ],
)
def test_an_impossible_record_is_rejected(second: SecondVerifier, forge: Callable[[RulingRoles], None]) -> None:
    desk = create_roles()
    forge(desk)
    first, fault = both(second, desk.file())

    assert first is not None
    assert fault is not None
    assert fault.part == {"name": "roles"}
    assert fault.entry == len(desk.roles.records)


def test_an_organiser_gives_the_roles_of_the_own_event(second: SecondVerifier) -> None:
    desk = create_roles()
    desk.roles.add(grant_body("oto", "organiser", scope="cup", keys=[STRANGER.key]), HOUSE_PEN)
    desk.roles.add(grant_body("vera", "arbiter", "oto", scope="cup"), STRANGER)
    desk.roles.add(revocation_body("vera", "arbiter", "oto", scope="cup"), STRANGER)

    assert both(second, desk.file()) == (None, None)


def test_every_changed_byte_of_a_file_with_roles_is_found(second: SecondVerifier) -> None:
    content = create_roles().file()
    start = content.index(b'{"version":1,"timestamp":"2026')
    for place in range(start, len(content), 37):
        changed = bytearray(content)
        changed[place] ^= 1
        assert second.examine(bytes(changed)).fault is not None, place


def test_two_leaves_are_never_at_one_place(second: SecondVerifier) -> None:
    content = create_roles().file()
    lines = content.split(b"\n")
    first = next(index for index, line in enumerate(lines) if ROLES_STREAM.encode() in line and b'"leaf"' in line)
    lines[first] = lines[first].replace(b'"leaf":2,', b'"leaf":8,')
    fault = second.examine(b"\n".join(lines)).fault

    assert fault is not None
    assert fault.kind == "proof"
