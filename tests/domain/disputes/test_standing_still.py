"""A match pauses for a person's first dispute only, so that disputes cannot buy time to think."""

from datetime import datetime, timedelta

import pytest

from domain.disputes import commands
from domain.disputes.commands import may_stop
from domain.disputes.hearing import Hearing
from domain.disputes.state import DISPUTE, Dispute
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.errors import PauseRefused, UnknownSeat
from domain.matches.facts import SERVICE, Clock, Resumed, Table
from domain.matches.play import commands as play_commands
from domain.matches.play.clocks import time_left, times_left_ms
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.matches.play.pauses import pause_length
from domain.roles.commands import change_role
from tests.domain.disputes.disputing import HOLDING, PEOPLE, D, E, M, give_ruling, raise_dispute, start_running_match
from tests.domain.matches.match_helpers import BOT, START, facts, resume_match, start_match, uuid, verify_log


def test_the_clocks_stop_once_per_person_and_again_only_for_an_arbiter(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    raise_dispute(matches, match.version)
    commands.withdraw_dispute(matches, D, by="anna", at=START, players=frozenset())

    raise_dispute(matches, match.version, id=E)
    assert (matches.get(M).status, matches.get(M).docket.held_by) == ("running", "")
    raise_dispute(matches, match.version, by="bea", id=uuid(53))
    assert matches.get(M).docket.held_by == str(uuid(53)), "it is the first of another person"
    give_ruling(matches, 100, id=uuid(53))
    assert matches.get(M).status == "running", "nothing stops for the dispute that waits still"

    commands.assign(matches, E, by="art", at=START)

    assert matches.get(M).docket.held_by == str(E)
    verify_log(matches, M)


def test_a_withdrawn_dispute_is_charged_to_its_player(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING, actions=0)
    raised = START + timedelta(seconds=50)
    commands.open_dispute(matches, D, M, entry=match.version, by="anna", reason="So.", at=raised, players=frozenset())
    assert times_left_ms(matches.get(M)) == (10_000, 10_000, 10_000)

    commands.withdraw_dispute(matches, D, by="anna", at=raised + timedelta(seconds=7), players=frozenset())

    assert times_left_ms(matches.get(M)) == (3_000, 10_000, 10_000)
    verify_log(matches, M)


def test_a_ruling_gives_everyone_the_time_of_the_pause(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING, actions=0)
    raise_dispute(matches, match.version)
    give_ruling(matches, 100)

    assert times_left_ms(matches.get(M)) == (60_000, 60_000, 60_000)
    assert facts(matches, M)[-1] == Resumed(SERVICE)


def test_a_pause_without_a_dispute_is_charged_to_no_one(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING, actions=0)
    matches.pause(M, SERVICE, at=START)
    raise_dispute(matches, match.version)

    commands.withdraw_dispute(matches, D, by="anna", at=START + timedelta(seconds=7), players=frozenset())

    assert facts(matches, M)[-1] == Resumed(SERVICE)
    paused = matches.pause(M, SERVICE, at=START + timedelta(seconds=8))
    with pytest.raises(PauseRefused, match="no dispute of seat 1"):
        play_commands.resume(paused, SERVICE, charged=1)
    with pytest.raises(UnknownSeat):
        play_commands.resume(paused, SERVICE, charged=9)


# The end of a pause for a dispute.


LIVE = timedelta(minutes=15)


def overdue_at(matches: Matches, at: datetime) -> Match:
    """Return the match after the service has done its duties."""
    return pass_deadline(matches, M, expected_version=matches.get(M).version, at=at)


@pytest.mark.parametrize(
    ("clock", "lasts"), [(Clock("per_move", 60), LIVE), (Clock("correspondence", 86_400), timedelta(days=1))]
)
def test_play_resumes_when_no_arbiter_rules_in_time_and_the_dispute_stays_open(
    matches: Matches, clock: Clock, lasts: timedelta
) -> None:
    match = start_running_match(matches, replace(HOLDING, clock=clock), actions=0)
    raise_dispute(matches, match.version)
    assert deadline(matches.get(M)) == START + lasts
    assert overdue_at(matches, START + lasts - timedelta(seconds=1)).status == "paused"

    after = overdue_at(matches, START + lasts)

    assert (after.status, after.docket.held_by, deadline(after)) == ("running", "", None)
    assert matches.streams.get(DISPUTE, D).state.is_waiting
    assert times_left_ms(after) == (clock.seconds * 1_000,) * 3
    verify_log(matches, M)


def test_an_ended_pause_begins_again_only_for_an_arbiter(matches: Matches) -> None:
    """Disputes raised and withdrawn by others would otherwise prolong the pause without end."""
    match = start_running_match(matches, HOLDING, actions=0)
    raise_dispute(matches, match.version)
    overdue_at(matches, START + LIVE)
    raise_dispute(matches, match.version, by="bea", id=E)
    commands.withdraw_dispute(matches, E, by="bea", at=START + LIVE, players=frozenset())
    assert matches.get(M).status == "running"

    commands.assign(matches, D, by="art", at=START + LIVE)

    assert (matches.get(M).status, deadline(matches.get(M))) == ("paused", START + 2 * LIVE)
    overdue_at(matches, START + 2 * LIVE)
    assert matches.get(M).status == "running", "an arbiter who does not come back does not stop it for good either"
    verify_log(matches, M)


def test_a_dispute_during_an_agreed_pause_keeps_the_end_of_the_pause(matches: Matches) -> None:
    match = start_running_match(matches, replace(HOLDING, pause_seconds=3_600), actions=0)
    for seat, player in enumerate(PEOPLE):
        matches.ask_pause(M, seat, player, at=START)
    raise_dispute(matches, match.version)

    assert deadline(matches.get(M)) == START + LIVE


def test_without_an_arbiter_a_dispute_is_recorded_and_nothing_stops(matches: Matches) -> None:
    match = start_match(matches, M, PEOPLE, table=HOLDING)
    change_role(matches, "anna", "arbiter", by=SERVICE, granted=True, at=START)
    change_role(matches, "olga", "arbiter", by=SERVICE, granted=True, at=START, scope="another cup")
    raise_dispute(matches, match.version)
    assert matches.get(M).status == "running", "the only arbiter plays there"
    assert matches.streams.get(DISPUTE, D).state.is_waiting

    change_role(matches, "art", "arbiter", by=SERVICE, granted=True, at=START)
    raise_dispute(matches, match.version, by="bea", id=E)
    assert matches.get(M).docket.held_by == str(E)


@pytest.mark.parametrize(("scope", "may"), [("cup", True), ("another cup", False), ("", True)])
def test_the_arbiters_of_the_event_count_at_its_tables(matches: Matches, scope: str, *, may: bool) -> None:
    match = start_match(matches, M, PEOPLE, table=HOLDING)
    of_event = replace(match, table=Table(event="cup", pause_on_dispute=True))
    change_role(matches, "olga", "arbiter", by=SERVICE, granted=True, at=START, scope=scope)

    assert matches.transact(lambda batch: may_stop(matches, batch, of_event, frozenset()), at=START) is may


def test_an_arbiter_who_plays_in_the_event_or_sat_at_another_line_of_the_match_does_not_count(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    change_role(matches, "ada", "arbiter", by=SERVICE, granted=False, at=START)
    assert can_stop(matches, match, frozenset({"art", "hella"})) is False
    assert can_stop(matches, match, frozenset({"hella"})) is True

    matches.replace_seat(M, 0, SERVICE, actor="art", at=START)
    resumed = resume_match(matches, M, match.version, uuid(9))
    assert "art" not in resumed.docket.sat
    assert can_stop(matches, resumed, frozenset({"hella"})) is False


def test_the_next_dispute_stops_nothing_when_only_players_of_the_event_could_rule_on_it(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    raise_dispute(matches, match.version)
    raise_dispute(matches, match.version, by="bea", id=E)
    commands.withdraw_dispute(matches, D, by="anna", at=START, players=frozenset({"art", "ada", "hella"}))

    assert matches.get(M).status == "running"


def can_stop(matches: Matches, match: Match, players: frozenset[str], dispute: Dispute | None = None) -> bool:
    return matches.transact(lambda batch: may_stop(matches, batch, match, players, dispute), at=START)


def test_an_appeal_stops_a_match_only_if_a_head_arbiter_or_its_committee_may_hear_it(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    dispute = replace(raise_dispute(matches, match.version).state, status="appealed")
    hearing = Hearing("olga", ("art", "ada", "hella"))

    assert can_stop(matches, match, frozenset(), dispute) is True
    assert can_stop(matches, match, frozenset({"hella"}), dispute) is False
    assert can_stop(matches, match, frozenset({"hella"}), replace(dispute, hearing=hearing)) is True
    assert can_stop(matches, match, frozenset(hearing.members), replace(dispute, hearing=hearing)) is False


def test_after_the_longest_pause_the_clock_of_the_seat_to_act_runs_again(matches: Matches) -> None:
    """An arbiter could have ruled during the pause."""
    match = start_running_match(matches, HOLDING, actions=0)
    seat = seats_to_act(match)[0]
    raised = START + timedelta(seconds=50)
    commands.open_dispute(matches, D, M, entry=match.version, by="anna", reason="So.", at=raised, players=frozenset())
    overdue_at(matches, raised + LIVE)
    withdrawn = raised + LIVE + timedelta(seconds=4)
    commands.withdraw_dispute(matches, D, by="anna", at=withdrawn, players=frozenset())

    assert times_left_ms(matches.get(M)) == (10_000, 10_000, 10_000), "nobody is charged for the pause"
    assert time_left(matches.get(M), seat, withdrawn) == 6_000_000
    late = matches.time_out(M, seat, SERVICE, at=raised + LIVE + timedelta(seconds=10), bot=BOT)
    assert late.seats[seat].actor == BOT
    verify_log(matches, M)


def test_friends_at_an_unrated_table_may_stop_it_without_an_arbiter(matches: Matches) -> None:
    match = start_match(matches, M, PEOPLE, table=replace(HOLDING, rated=False))
    raise_dispute(matches, match.version)

    assert matches.get(M).docket.held_by == str(D)


def test_a_match_of_an_earlier_log_format_pauses_as_agreed(matches: Matches) -> None:
    start_running_match(matches, HOLDING, actions=0)
    earlier = replace(matches.get(M), format=2)

    assert pause_length(earlier, is_agreed=False, is_disputed=True) is None
    assert matches.transact(lambda batch: may_stop(matches, batch, earlier, frozenset()), at=START)
