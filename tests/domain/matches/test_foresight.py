"""Before an action is taken it can be said whether it brings in chance at once, from what its seat sees alone."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.matches.aggregate import legal_actions, seats_to_act, take_back_versions
from domain.matches.application import Matches
from domain.matches.foresight import final_by
from tests.domain.matches.toy import AddPearl, Play
from tests.domain.matches.world import START, facts, started, uuid

M = uuid(1)


def test_what_was_said_of_an_action_is_what_it_then_did(quick: Matches) -> None:
    match = started(quick, M, ("anna", "bea"))
    said = set()
    while match.status == "running" and (seats := [seat for seat in seats_to_act(match) if seat >= 0]):
        seat = seats[0]
        action = legal_actions(match, seat)[-1]
        told = final_by(match, seat, action)
        by = match.seats[seat].actor
        assert by is not None
        version = match.version
        match = quick.act(M, seat, by, action, expected_version=version, at=START)
        assert (told == "chance") == bool(facts(quick, M)[version].draws)
        assert (told is None) == bool(take_back_versions(match, seat) or match.status != "running")
        said.add((type(action), told))

    assert (Play, "secret") in said
    assert {told for _, told in said} == {"chance", "secret", None}


def test_what_is_not_legal_is_not_tried(quick: Matches) -> None:
    match = started(quick, M, ("anna", "bea"))

    with pytest.raises(IllegalAction):
        final_by(match, 0, AddPearl())
