"""Seats that the service gave to another player: which reasons the log supports, and what follows for ratings."""

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.fact_base import ReplacedFor
from domain.matches.facts import SERVICE, Actor, SeatReplaced, Voided
from domain.matches.seats.taken_seats import is_explained
from domain.matches.verification.service_acts import service_acts
from tests.domain.matches.match_helpers import BOT, START, start_match, uuid

M = uuid(1)


@pytest.fixture
def match(sqlite: Matches) -> Match:
    """Return a match that Anna and Bea have begun, the latter in place of Cleo."""
    begun = start_match(sqlite, M, ("anna", "bea"))
    stands_in = replace_seat(begun, 1, "cleo")
    return replace(stands_in, table=replace(begun.table, event="cup"))


def replace_seat(match: Match, seat: int, entrant: Actor) -> Match:
    """Return the match with a seat whose player is a substitute for the entrant."""
    seats = [*match.seats]
    seats[seat] = type(seats[seat])(seats[seat].actor, ready=True, stands_in_for=entrant)
    return replace(match, seats=tuple(seats))


@pytest.mark.parametrize(
    ("seat", "actor", "entrant", "reason", "is_supported"),
    [
        (0, "dora", "anna", "substitute", True),
        (0, "dora", "eva", "substitute", False),
        (1, "dora", "cleo", "substitute", True),
        (1, "dora", "bea", "substitute", False),
        (0, "anna", "", "returned", True),
        (0, "dora", "", "returned", False),
        (1, "cleo", "", "returned", True),
        (1, "bea", "", "returned", False),
        (0, BOT, "anna", "no_show", True),
        (0, BOT, "", "time_out", True),
        (0, BOT, "", "erased", False),
        (0, "dora", "", "handed_over", False),
    ],
)
def test_the_log_supports_a_reason(
    match: Match, seat: int, actor: str, entrant: str, reason: ReplacedFor, is_supported: bool
) -> None:
    given = SeatReplaced(seat, SERVICE, actor, entrant, (), reason)

    assert is_explained(match, given) == is_supported
    assert is_explained(replace(match, format=2), given), "earlier formats state no reasons"
    assert is_explained(match, SeatReplaced(seat, match.seats[seat].actor or "", BOT))


def test_an_erased_account_leaves_a_bot_only_where_no_one_may_resign(match: Match) -> None:
    erased = SeatReplaced(0, SERVICE, BOT, reason="erased")

    assert is_explained(replace(match, table=replace(match.table, resigning=False)), erased)


def test_before_the_start_the_seat_belongs_to_its_player_or_their_entrant(match: Match) -> None:
    waiting = replace(match, status="open", starters=(), started_version=None)

    assert is_explained(waiting, SeatReplaced(0, SERVICE, "dora", "anna", reason="substitute"))
    assert is_explained(waiting, SeatReplaced(1, SERVICE, "cleo", reason="returned"))
    assert not is_explained(waiting, SeatReplaced(0, SERVICE, "dora", reason="returned"))


def test_a_seat_without_an_explanation_stays_noted(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", "bea"))
    taken_over = sqlite.replace_seat(M, 0, SERVICE, actor="dora", at=START)

    assert taken_over.taken_over == (taken_over.version,)
    assert sqlite.resign(M, 0, "dora", at=START).taken_over == (taken_over.version,)


def test_a_void_before_the_start_is_no_end_of_a_match(match: Match) -> None:
    voided = Voided(SERVICE, "a power cut")

    assert [act.kind for act in service_acts(match, voided)] == ["voided"]
    assert service_acts(replace(match, started_version=None), voided) == []
