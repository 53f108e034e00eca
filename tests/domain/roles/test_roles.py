"""Roles: permissions by scope, the right to change roles, and the audit of every change."""

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.streams import Streams
from domain.matches.errors import UnknownActor
from domain.matches.facts import SERVICE
from domain.matches.log.records import check_records
from domain.roles.audit import AUDIT, AUDIT_STREAM, RoleChanged
from domain.roles.commands import acting_role, change_role, roles_of
from domain.roles.errors import RoleRefused
from domain.roles.state import NOBODY, Role, Roles, holds
from tests.domain.matches.match_helpers import START

CUP = "the-cup"


def gives(matches: Matches, person: str, role: Role, scope: str = "", by: str = SERVICE) -> Roles:
    return change_role(matches, person, role, by=by, granted=True, at=START, scope=scope)


def takes(matches: Matches, person: str, role: Role, scope: str = "", by: str = SERVICE) -> Roles:
    return change_role(matches, person, role, by=by, granted=False, at=START, scope=scope)


def test_everyone_is_only_a_player_by_default(matches: Matches) -> None:
    assert roles_of(matches) == NOBODY
    assert holds(NOBODY, "anna", "player")
    assert not holds(NOBODY, "anna", "arbiter")


@pytest.mark.parametrize(
    ("granted", "may"),
    [
        ("annotator", {"annotator"}),
        ("arbiter", {"annotator", "arbiter"}),
        ("head_arbiter", {"annotator", "arbiter", "head_arbiter"}),
        ("organiser", {"annotator", "organiser"}),
        ("operator", {"annotator", "arbiter", "head_arbiter", "organiser", "operator"}),
    ],
)
def test_some_roles_include_others(matches: Matches, granted: Role, may: set[str]) -> None:
    roles = gives(matches, "anna", granted)

    every = ("annotator", "arbiter", "head_arbiter", "organiser", "operator")
    assert {role for role in every if holds(roles, "anna", role, CUP)} == may


def test_a_role_of_an_event_is_held_there_alone(matches: Matches) -> None:
    roles = gives(matches, "anna", "arbiter", CUP)

    assert holds(roles, "anna", "arbiter", CUP)
    assert not holds(roles, "anna", "arbiter")
    assert not holds(roles, "anna", "arbiter", "another")
    assert acting_role(roles, "anna", CUP, "arbiter", "operator") == "arbiter"
    assert acting_role(roles, "anna", "another", "arbiter", "operator") is None
    assert acting_role(roles, SERVICE, CUP, "arbiter") == "operator"


def test_operators_grant_any_role_and_organisers_those_of_their_event(matches: Matches) -> None:
    gives(matches, "olga", "operator")
    gives(matches, "orla", "organiser", CUP, by="olga")
    gives(matches, "anna", "arbiter", CUP, by="orla")

    for role, scope, by in (
        ("arbiter", "", "orla"),
        ("operator", "", "orla"),
        ("arbiter", "another", "orla"),
        ("annotator", CUP, "anna"),
    ):
        with pytest.raises(RoleRefused, match=f"'{by}' cannot change the role {role}"):
            change_role(matches, "bea", role, by=by, granted=True, at=START, scope=scope)  # type: ignore[arg-type]
    with pytest.raises(RoleRefused, match="the role operator cannot be limited to one event"):
        gives(matches, "bea", "operator", CUP)
    takes(matches, "anna", "arbiter", CUP, by="orla")
    assert not holds(roles_of(matches), "anna", "arbiter", CUP)


def test_unchanged_roles_add_no_records(matches: Matches) -> None:
    gives(matches, "anna", "arbiter")
    before = matches.last_position()

    gives(matches, "anna", "arbiter")
    takes(matches, "anna", "organiser")

    assert matches.last_position() == before


def test_only_the_service_revokes_the_last_operator(matches: Matches) -> None:
    gives(matches, "olga", "operator")
    with pytest.raises(RoleRefused, match="the last operator"):
        takes(matches, "olga", "operator", by="olga")

    assert takes(matches, "olga", "operator").grants == ()


@pytest.mark.parametrize(
    ("person", "role", "scope", "refusal"),
    [
        ("bot:greedy@1", "arbiter", "", RoleRefused),
        ("service", "arbiter", "", UnknownActor),
        ("anna", "player", "", RoleRefused),
        ("anna", "king", "", RoleRefused),
        ("anna", "arbiter", "x" * 65, RoleRefused),
    ],
)
def test_invalid_roles_are_refused(
    matches: Matches, person: str, role: Role, scope: str, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        gives(matches, person, role, scope)
    assert matches.last_position() == 0


def test_every_change_is_audited_in_a_chained_trail(matches: Matches) -> None:
    gives(matches, "olga", "operator")
    gives(matches, "anna", "arbiter", CUP, by="olga")
    takes(matches, "anna", "arbiter", CUP, by="olga")

    trail = matches.streams.records(AUDIT_STREAM)

    assert [AUDIT.read(record) for record in trail] == [
        RoleChanged(by=SERVICE, role="operator", person="olga", changed="operator", granted=True),
        RoleChanged(by="olga", role="operator", event=CUP, person="anna", changed="arbiter", granted=True),
        RoleChanged(by="olga", role="operator", event=CUP, person="anna", changed="arbiter", granted=False),
    ]
    assert check_records(trail) == matches.streams.get(AUDIT, AUDIT_STREAM).head_digest


def test_a_new_process_continues_the_trail_without_reading_all_of_it(matches: Matches) -> None:
    gives(matches, "olga", "operator")
    gives(matches, "orla", "organiser")

    fresh = Streams(matches.log.recorder, matches.log.mapper)

    assert fresh.get(AUDIT, AUDIT_STREAM) == matches.streams.get(AUDIT, AUDIT_STREAM)
