"""A person whose seat signs can be erased during a match: the service ends the signatures first."""

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Resigned, SeatReplaced, SigningStopped, Table
from domain.matches.log.entries import ALL
from domain.matches.seats.departures import next_departure_fact, remove_person
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, facts
from tests.domain.matches.signatures.test_signing import M, signing, start_signed

__all__ = ["signing"]


def test_an_erased_player_who_signs_resigns_unsigned(signing: Matches) -> None:
    start_signed(signing)
    remove_person(signing, M, "anna", lambda _title: BOT, at=START)

    stopped, resigned = facts(signing, M)[-3:-1]
    assert isinstance(stopped, SigningStopped)
    assert stopped.by == SERVICE
    assert isinstance(resigned, Resigned)
    assert resigned.signed is None
    report = verify(export_log(signing, M, ALL, at=START), titles=ALL_TITLES)
    assert report.is_good
    assert [act.kind for act in report.signatures.service_acts] == ["signing_stopped"]


def test_without_resignation_a_bot_has_the_seat_of_an_erased_player_who_signs(signing: Matches) -> None:
    start_signed(signing, table=Table(resigning=False))
    match = remove_person(signing, M, "anna", lambda _title: BOT, at=START)

    assert match.seats[0].actor == BOT
    assert not match.taken_over
    assert verify(export_log(signing, M, ALL, at=START), titles=ALL_TITLES).is_good


@pytest.mark.parametrize("resigning", [True, False])
def test_before_format_3_the_player_stops_signing(signing: Matches, resigning: bool) -> None:
    match = replace(start_signed(signing, table=Table(resigning=resigning)), format=2)
    unsigned = replace(match, seats=(replace(match.seats[0], keys=()), match.seats[1]))

    assert next_departure_fact(match, "anna", lambda _title: BOT) == SigningStopped(0, "anna")
    after = next_departure_fact(unsigned, "anna", lambda _title: BOT)
    assert after == (Resigned(0, "anna") if resigning else SeatReplaced(0, "anna", BOT))
