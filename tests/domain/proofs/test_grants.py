"""Authority for rulings by the records of roles: traced back to the service, or refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import LogFile, log_of
from domain.matches.verification.verify import VerifyReport
from domain.proofs.grants import Register
from domain.proofs.match import verify_content
from domain.proofs.match_file import ProofFile, Recorded, parse_proof_file, proof_bytes
from domain.proofs.rulings import NOT_SIGNED, OTHER_RULES, RULED_UNSIGNED, UNGRANTED
from domain.roles.commands import change_role
from domain.roles.state import ROLES_STREAM
from domain.transparency.key_chain import KeyChain, KeyTerm
from tests.domain.matches.match_helpers import ALL_TITLES, START, forge_entry, version_of
from tests.domain.proofs.match_proofs import proof_of
from tests.domain.proofs.repeated_rulings import play_repeated_ruling, unsign_repeated
from tests.domain.proofs.tournament_proofs import (
    CUP,
    HOUSE,
    OLGA,
    OPAL,
    SIGNER,
    Notary,
    appoint_officials,
    forged_records,
    house_in,
    log_in,
    played_cup,
    tables_of,
)
from tests.domain.transparency.key_holders import log_key
from tests.signing import signing

KEYS = KeyChain((KeyTerm(SIGNER.key),))
OPERATOR, ORGANISER, ARBITER = 1, 2, 3
"""The role records of the tournament's officials."""


def everywhere(body: Any) -> None:
    body.pop("scope")
    body.update(by="zoe")


def made_operator(body: Any) -> None:
    body.pop("scope")
    body.update(role="operator")


def of_another(body: Any) -> None:
    body.update(scope="another")


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return played_cup(tmp_path_factory.mktemp("cup"))


@pytest.fixture(scope="module")
def ruled_log(cup: Matches) -> LogFile:
    """Return the log of the match that an arbiter has resumed."""
    return log_in(cup, tables_of(cup, 1)[0])


def verify_proof(proof: ProofFile) -> VerifyReport:
    return verify_content(proof_bytes(proof), titles=ALL_TITLES)


def why(proof: ProofFile) -> str:
    fault = verify_proof(proof).fault
    assert fault is not None
    return fault.why


def test_a_proof_names_the_arbiter_and_the_granter(cup: Matches, ruled_log: LogFile) -> None:
    proof = Notary(cup).match(ruled_log)
    report = verify_proof(proof)

    assert report.is_good, report.fault
    assert parse_proof_file(proof_bytes(proof)) == proof
    assert proof_bytes(proof).startswith(b'{"format":"esporles.proof/2"')
    assert report.proof is not None
    lines = [each for each in report.proof.checked if each.startswith("the ruling of entry")]
    assert lines
    assert all("art was arbiter, granted by olga (records of roles: 3, 2, 1)" in each for each in lines)
    assert not any("rulings" in each for each in report.unchecked)


def test_missing_role_records_are_reported(cup: Matches, ruled_log: LogFile) -> None:
    assert UNGRANTED in verify_proof(proof_of(ruled_log)).unchecked


def cut(roles: Recorded, count: int) -> Recorded:
    return Recorded(roles.records[:count], roles.leaves[:count])


def test_a_ruling_without_a_role_is_refused(cup: Matches, ruled_log: LogFile) -> None:
    """The service, or a person in an arbiter's name, forges a ruling."""
    notary = Notary(cup)
    reason = why(notary.match(ruled_log, roles=cut(notary.roles, 2)))

    assert reason == "'art' did not have the role arbiter of this match when the ruling was given"


@pytest.mark.parametrize(
    ("version", "change", "expected"),
    [
        (ARBITER, lambda body: body.update(person="zoe"), "record 3 of the roles: invalid signature of 'olga'"),
        (ARBITER, lambda body: body.pop("signed"), "'olga' must sign as an official, but has not signed this"),
        (ARBITER, lambda body: body["signed"].update(key=HOUSE.key), ", which is not a key of 'olga' in any role"),
        (ARBITER, lambda body: body.update(by="zoe"), "'zoe' cannot change the role arbiter"),
        (ARBITER, everywhere, "'zoe' cannot change the role arbiter"),
        (ARBITER, lambda body: body.update(person="bot:random@1"), "is a bot"),
        (ARBITER, lambda body: body.update(note="x"), "is not a fact of a roles"),
        (ORGANISER, lambda body: body.pop("keys"), "record 2 of the roles: invalid signature of 'opal'"),
        (OPERATOR, lambda body: body["signed"].update(key=OPAL.key), ", which is not a key of 'service' in any role"),
        (OPERATOR, lambda body: body.update(keys=[OLGA.key]), "invalid signature of 'service'"),
    ],
)
def test_a_forged_grant_is_refused(
    cup: Matches, ruled_log: LogFile, version: int, change: Callable[[Any], Any], expected: str
) -> None:
    """The service appoints an arbiter secretly, with its own tree and checkpoint."""
    records = cup.streams.records(ROLES_STREAM)
    reason = why(Notary(cup, instead=forged_records(records, version, change)).match(ruled_log))

    assert expected in reason


def test_an_unsigned_grant_by_the_service_is_reported(cup: Matches, ruled_log: LogFile) -> None:
    records = cup.streams.records(ROLES_STREAM)

    notary = Notary(cup, instead=forged_records(records, OPERATOR, unsign))
    assert "record 2 of the roles: invalid signature of 'opal'" in why(notary.match(ruled_log))


@pytest.fixture(scope="module")
def keyless(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    """Return a service that does not sign, with officials without keys."""
    return played_cup(tmp_path_factory.mktemp("keyless"), keyed=False)


def test_a_match_older_than_the_services_key_is_not_checked_against_its_roles(keyless: Matches) -> None:
    proof = Notary(keyless).match(log_in(keyless, tables_of(keyless, 1)[0]))

    assert OTHER_RULES in verify_proof(proof).unchecked


@pytest.fixture(scope="module")
def cup_without_keys(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    """Return a service that signs, with officials without keys."""
    return played_cup(tmp_path_factory.mktemp("unarmed"), keyed=False, house=HOUSE)


def test_unsigned_rulings_and_grants_are_counted(cup_without_keys: Matches) -> None:
    report = verify_proof(Notary(cup_without_keys).match(log_in(cup_without_keys, tables_of(cup_without_keys, 1)[0])))

    assert report.is_good, report.fault
    assert NOT_SIGNED.format(count=2) in report.unchecked
    assert RULED_UNSIGNED.format(count=1) in report.unchecked


def given_otherwise(matches: Matches, change: Callable[[Any], Any]) -> ProofFile:
    """Return the proof of the resumed line up to its ruling, which the service has changed."""
    log = log_in(matches, tables_of(matches, 1)[0])
    version = version_of(log, "ruling_given")
    changed = log_of(forge_entry(log, version, change).entries[:version], ALL)
    instead = {(entry.line_id, entry.version): entry for entry in changed.entries}
    return Notary(matches, instead=instead).match(changed)


def unsign(body: Any) -> None:
    body.pop("signed")


def test_an_official_with_a_key_must_sign_rulings(cup: Matches, ruled_log: LogFile) -> None:
    assert verify_proof(given_otherwise(cup, lambda body: body.update())).is_good
    fault = verify_proof(given_otherwise(cup, unsign)).fault
    assert fault is not None
    assert (fault.entry, fault.kind) == (version_of(ruled_log, "ruling_given"), "roles")
    assert fault.why == "'art' must sign as an official, but has not signed this"


def test_an_appeal_needs_a_head_arbiter(cup_without_keys: Matches) -> None:
    def on_appeal(body: Any) -> None:
        measures, authority = body.pop("measures"), body.pop("authority")
        body.update(measures=measures, appealOf="00000000-0000-0000-0000-000000000009", authority=authority)

    assert (
        why(given_otherwise(cup_without_keys, on_appeal))
        == "'art' did not have the role head arbiter of this match when the ruling was given"
    )


@pytest.fixture
def repeated_ruling(tmp_path: Path) -> tuple[Matches, LogFile]:
    return play_repeated_ruling(tmp_path)


def test_a_valid_ruling_is_repeated_whoever_the_arbiter_is(repeated_ruling: tuple[Matches, LogFile]) -> None:
    matches, log = repeated_ruling
    report = verify_proof(Notary(matches).match(log))

    assert report.is_good, report.fault
    assert report.proof is not None
    lines = [each for each in report.proof.checked if "the ruling" in each]
    assert ["art" in lines[0], "ada" in lines[1], len(lines)] == [True, True, 2]


def test_a_repeated_ruling_is_signed_if_its_arbiter_always_had_a_key(repeated_ruling: tuple[Matches, LogFile]) -> None:
    assert why(unsign_repeated(*repeated_ruling)) == "'art' must sign as an official, but has not signed this"


def register(matches: Matches) -> Register:
    roles = Register(Notary(matches).roles, KEYS)
    roles.read_to(None)
    return roles


def test_a_revoked_role_is_not_held(tmp_path: Path) -> None:
    """On a line that replaced another, a ruling may be repeated after that."""
    matches = house_in(tmp_path)
    appoint_officials(matches)

    def takes_back() -> Any:
        return change_role(matches, "art", "arbiter", by="olga", granted=False, at=START, scope=str(CUP))

    signing(matches, OLGA, takes_back)
    read = register(matches)

    assert read.warrant("art", str(CUP), "arbiter") is None
    once = read.warrant("art", str(CUP), "arbiter", include_past=True)
    assert once is not None
    assert (once.version, once.by, once.is_held, read.lineage(once)) == (3, "olga", False, (3, 2, 1))
    assert read.warrant("art", "elsewhere", "arbiter", include_past=True) is None
    assert read.warrant("opal", "elsewhere", "arbiter", "operator") is not None


def test_later_records_of_the_tree_do_not_count(cup: Matches) -> None:
    roles = Notary(cup).roles
    early = Register(roles, KEYS)
    early.read_to(roles.leaves[-1].leaf)

    assert early.warrant("art", str(CUP), "arbiter") is None
    assert early.warrant("olga", str(CUP), "organiser") is not None


def test_granting_a_role_again_replaces_its_keys(tmp_path: Path) -> None:
    matches = house_in(tmp_path)
    appoint_officials(matches)
    change_role(matches, "art", "arbiter", by=SERVICE, granted=True, at=START)
    read = register(matches)

    assert read.unsigned == 0
    warrant = read.warrant("art", "", "arbiter")
    assert warrant is not None
    assert read.lineage(warrant) == (4,)


def test_organisers_grant_roles_of_their_event_only(cup: Matches, ruled_log: LogFile) -> None:
    records = cup.streams.records(ROLES_STREAM)
    for change in (of_another, made_operator):
        notary = Notary(cup, instead=forged_records(records, ARBITER, change))
        assert "'olga' cannot change the role" in why(notary.match(ruled_log))


def test_unordered_records_and_leaves_are_refused(cup: Matches, ruled_log: LogFile) -> None:
    proof = Notary(cup).match(ruled_log)
    first, second, third = proof.roles.leaves
    cases = (
        ((second, first, third), "expected the leaf of record 1"),
        (
            (replace(first, leaf=second.leaf), second, third),
            "is not after the previous leaf",
        ),
        (
            (first, second, replace(third, leaf=proof.leaves[0].leaf)),
            "an entry and a record of roles have the same leaf",
        ),
        ((replace(first, salt="00"), second, third), "is not 16 bytes"),
    )
    for leaves, expected in cases:
        damaged = proof._replace(roles=Recorded(proof.roles.records, leaves))
        fault = verify_proof(damaged).fault
        assert fault is not None
        assert expected in fault.why, fault


def test_the_chain_of_role_records_is_verified(cup: Matches, ruled_log: LogFile) -> None:
    content = proof_bytes(Notary(cup).match(ruled_log))
    lines = content.split(b"\n")
    at = next(number for number, line in enumerate(lines) if b"roles.role_granted" in line)
    for damaged, expected in (
        ([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]], "record 1 of the roles: it does not follow"),
        ([*lines[:at], lines[at].replace(b"opal", b"opak"), *lines[at + 1 :]], "record 1 of the roles: "),
        ([*lines[:at], b"{}", *lines[at + 1 :]], "record 1 of the roles: the line is not a record"),
    ):
        fault = verify_content(b"\n".join(damaged), titles=ALL_TITLES).fault
        assert fault is not None
        assert expected in fault.why, fault


def test_falling_times_of_role_records_are_refused(cup: Matches, ruled_log: LogFile) -> None:
    records = list(cup.streams.records(ROLES_STREAM))
    instead = forged_records(records, 1, lambda _: None)
    late = replace(instead[ROLES_STREAM, 1], timestamp=START.replace(year=2030))
    chained = forged_records([late, *records[1:]], 1, lambda _: None)
    with pytest.raises(LogFault, match="record 2 of the roles is earlier than the previous one"):
        parse_proof_file(proof_bytes(Notary(cup, instead=chained).match(ruled_log)))


@pytest.mark.parametrize("count", [0, 10_001])
def test_a_header_with_no_or_too_many_records_is_refused(cup: Matches, ruled_log: LogFile, count: int) -> None:
    content = proof_bytes(Notary(cup).match(ruled_log))
    with pytest.raises(LogFault, match=r"cannot have|is not in canonical form"):
        parse_proof_file(content.replace(b'"roles":3}', b'"roles":%d}' % count, 1))


def test_records_by_the_service_need_the_key_of_their_leaf(tmp_path: Path) -> None:
    """The first record of roles is signed by the service; its key must have been valid then."""
    matches = house_in(tmp_path)
    appoint_officials(matches)
    roles, later = Notary(matches).roles, log_key(1).key
    first = roles.leaves[0].leaf

    Register(roles, KeyChain((KeyTerm(SIGNER.key, last=first + 1), KeyTerm(later, first + 1)))).read_to(None)
    for chain in (KeyChain((KeyTerm(later),)), KeyChain((KeyTerm(SIGNER.key, last=first), KeyTerm(later, first)))):
        with pytest.raises(LogFault, match="which is not a key of 'service' in any role"):
            Register(roles, chain).read_to(None)
