"""Seats at tournament tables are reserved for entrants and their substitutes."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.errors import SeatReserved
from domain.matches.facts import SERVICE, Clock, SeatReady, SeatReplaced, SeatTaken, Table
from domain.matches.log.entries import ALL
from domain.matches.verification.verify import verify
from domain.tournaments import commands, no_shows, registration, rounds, substitutes
from domain.tournaments import facts as facts_of_events
from domain.tournaments.duties import duty_of
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.state import TOURNAMENT
from domain.tournaments.steps import take_step
from tests.domain.matches.match_helpers import commit, facts, show
from tests.domain.tournaments.building import AT, BY, EVENT, Story, seat_substitute_for
from tests.domain.tournaments.test_commands import BOT, start_event

LATER = AT + timedelta(days=1)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"))
    yield matches
    matches.close()


def open_seated_table(matches: Matches) -> Match:
    """Return the match of the only table of a round, with all players seated."""
    start_event(matches, "ann", "ben")
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)
    assert match is not None
    commands.change(matches, EVENT, lambda state: rounds.open_round(state, 1), at=AT)
    return match


def entry_of(matches: Matches, actor: str) -> str:
    entry = commands.get_tournament(matches, EVENT).state.entry_of(actor)
    assert entry is not None
    return entry.id


def seat_of_entrant(match: Match, actor: str) -> int:
    return [info.actor for info in match.seats].index(actor)


def all_ready(matches: Matches, match: Match) -> Match:
    for seat, info in enumerate(match.seats):
        assert info.actor is not None
        match = matches.ready(match.id, seat, info.actor, at=AT)
    return match


def is_good(matches: Matches, match: Match) -> bool:
    return verify(export_log(matches, match.id, ALL, at=LATER), titles=matches.titles).fault is None


def test_no_one_leaves_a_seat_and_no_stranger_takes_one(matches: Matches) -> None:
    match = open_seated_table(matches)
    seat = seat_of_entrant(match, "ann")

    with pytest.raises(SeatReserved, match=f"seat {seat} of match {match.id} belongs to 'ann'"):
        matches.leave_seat(match.id, seat, "ann", at=AT)
    with pytest.raises(SeatReserved, match=f"seat {seat} of match {match.id} belongs to 'ann'"):
        matches.leave_seat(match.id, seat, SERVICE, at=AT)
    with pytest.raises(SeatReserved):
        matches.take_seat(match.id, seat, "stranger", at=AT)
    assert matches.get(match.id) == match


def test_a_free_seat_is_reserved_for_its_entrant(matches: Matches) -> None:
    """Older versions opened tables that were half empty for a moment."""
    event = start_event(matches, "ann", "ben")
    table = event.state.rounds[0].tables[0]
    assert table.match is not None
    matches.open(table.match, title="la_granja", seats=2, by=SERVICE, at=AT, table=Table(event=str(EVENT)))

    with pytest.raises(SeatReserved, match="is reserved for an entrant"):
        matches.take_seat(table.match, 0, "stranger", at=AT)
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)
    assert match is not None
    assert {info.actor for info in match.seats} == {"ann", "ben"}


def consider_substitute(matches: Matches, entry: str, actor: str) -> substitutes.Named:
    event = matches.streams.get(TOURNAMENT, EVENT).state
    return substitutes.preview_substitute(matches, event, 1, entry, actor, BY, "Ill.")


def test_a_named_substitute_is_seated_and_recorded(matches: Matches) -> None:
    match = open_seated_table(matches)
    seat, entry = seat_of_entrant(match, "ann"), entry_of(matches, "ann")
    matches.ready(match.id, seat, "ann", at=AT)

    event = seat_substitute_for(matches, entry).state
    after = matches.get(match.id)

    assert event.rounds[0].tables[0].stand_in_of(entry) == "sue"
    (replaced,) = [fact for fact in facts(matches, match.id) if isinstance(fact, SeatReplaced)]
    assert (replaced.by, replaced.actor, replaced.stands_in_for) == (SERVICE, "sue", "ann")
    assert (after.seats[seat].actor, after.seats[seat].stands_in_for, after.seats[seat].ready) == ("sue", "ann", False)
    started = all_ready(matches, after)
    assert started.status == "running"
    assert is_good(matches, started)


def test_a_late_entrant_gets_the_seat_back(matches: Matches) -> None:
    match = open_seated_table(matches)
    seat, entry = seat_of_entrant(match, "ann"), entry_of(matches, "ann")
    once = seat_substitute_for(matches, entry)
    assert consider_substitute(matches, entry, "sue") == ()
    assert consider_substitute(matches, entry, "ann") == (facts_of_events.SubstituteNamed(BY, 1, entry, "", "Ill."),)
    assert substitutes.name_substitute(matches, EVENT, 1, entry, "sue", BY, "Ill.", at=AT) == once

    event = substitutes.name_substitute(matches, EVENT, 1, entry, "ann", BY, "Ill.", at=AT).state

    assert event.rounds[0].tables[0].stand_in_of(entry) == ""
    assert matches.get(match.id).seats[seat].actor == "ann"
    assert matches.get(match.id).seats[seat].stands_in_for == ""
    reasons = [fact.reason for fact in facts(matches, match.id) if isinstance(fact, SeatReplaced)]
    assert reasons == ["substitute", "returned"]


def test_a_substitute_may_take_over_a_running_match_and_the_seat_is_marked(matches: Matches) -> None:
    match = all_ready(matches, open_seated_table(matches))
    seat, entry = seat_of_entrant(match, "ann"), entry_of(matches, "ann")

    seat_substitute_for(matches, entry)
    assert matches.get(match.id).seats[seat].stands_in_for == "ann"
    substitutes.name_substitute(matches, EVENT, 1, entry, "ann", BY, "Ill.", at=AT)

    after = matches.get(match.id)
    assert (after.seats[seat].actor, after.seats[seat].stands_in_for) == ("ann", "ann")
    assert is_good(matches, after)


def test_a_substitute_named_before_the_table_is_opened_is_seated_there(matches: Matches) -> None:
    start_event(matches, "ann", "ben")
    entry = entry_of(matches, "ann")
    assert [fact.actor for fact in consider_substitute(matches, entry, "sue")] == ["sue"]
    seat_substitute_for(matches, entry)

    match = commands.open_table(matches, EVENT, 1, 1, at=AT)

    assert match is not None
    seatings = {fact.by: fact for fact in facts(matches, match.id) if isinstance(fact, SeatTaken)}
    assert seatings["sue"].stands_in_for == "ann"
    assert seatings["ben"].stands_in_for == ""
    assert is_good(matches, match)


@pytest.mark.parametrize(
    ("actor", "expected"),
    [
        ("ben", "'ben' plays in this event and cannot substitute"),
        (BOT, "is a bot; record a no-show to let a bot play"),
        ("service", "neither a person's id"),
    ],
)
def test_invalid_substitutes_are_refused_by_name(matches: Matches, actor: str, expected: str) -> None:
    open_seated_table(matches)

    with pytest.raises(Exception, match=expected):
        substitutes.name_substitute(matches, EVENT, 1, entry_of(matches, "ann"), actor, BY, "Ill.", at=AT)


def test_a_substitute_plays_once_per_round_and_needs_a_seat(matches: Matches) -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    story.take(*substitutes.decide_substitute(story.state, 1, "e1", "sue", "sue", "Ill."))

    with pytest.raises(TournamentRefused, match="'sue' is already the substitute of e1"):
        substitutes.decide_substitute(story.state, 1, "e3", "sue", BY, "Ill.")
    with pytest.raises(TournamentRefused, match="e4 is not seated"):
        substitutes.decide_substitute(
            Story(4, size=2).set(("e1", "e2"), byes=("e3", "e4")).state, 1, "e4", "sue", BY, "Ill."
        )
    assert substitutes.decide_substitute(story.state, 1, "e1", "sue", BY, "Ill.") == ()
    assert substitutes.decide_substitute(story.state, 1, "e3", "p3", BY, "Ill.") == ()


def test_a_finished_match_takes_no_substitute(matches: Matches) -> None:
    match = open_seated_table(matches)
    matches.void(match.id, SERVICE, at=AT)

    entry = entry_of(matches, "ann")
    with pytest.raises(TournamentRefused, match="is over"):
        seat_substitute_for(matches, entry)
    with pytest.raises(TournamentRefused, match="is over"):
        consider_substitute(matches, entry, "sue")


# The deadline.


def test_at_the_deadline_the_table_starts_with_the_services_share_on_record(matches: Matches) -> None:
    match = open_seated_table(matches)
    seat = seat_of_entrant(match, "ann")
    matches.ready(match.id, 1 - seat, "ben", at=AT)

    with pytest.raises(TournamentRefused, match="until 2026-01-02T00:00:00"):
        substitutes.start_table(matches, EVENT, 1, 1, at=LATER - timedelta(seconds=1))
    started = substitutes.start_table(matches, EVENT, 1, 1, at=LATER)

    assert started is not None
    assert started.status == "running"
    (absent,) = [fact for fact in facts(matches, match.id) if isinstance(fact, SeatReady) and fact.seat == seat]
    assert absent.by == SERVICE
    assert started.seats[seat].actor == "ann"
    assert is_good(matches, started)
    assert substitutes.start_table(matches, EVENT, 1, 1, at=LATER) == started


def test_a_table_face_to_face_has_nothing_to_start(matches: Matches) -> None:
    start_event(matches, "ann", "ben", face_to_face=True)
    commands.change(matches, EVENT, lambda state: rounds.open_round(state, 1), at=AT)

    assert substitutes.start_table(matches, EVENT, 1, 1, at=LATER) is None


def test_a_substitute_gets_the_whole_waiting_time(matches: Matches) -> None:
    open_seated_table(matches)
    evening = AT + timedelta(hours=23)
    seat_substitute_for(matches, entry_of(matches, "ann"), at=evening)

    with pytest.raises(TournamentRefused, match="until"):
        substitutes.start_table(matches, EVENT, 1, 1, at=LATER)
    started = substitutes.start_table(matches, EVENT, 1, 1, at=evening + timedelta(days=1))
    assert started is not None
    assert started.status == "running"


def test_a_round_starts_once(matches: Matches) -> None:
    open_seated_table(matches)
    state = commands.get_tournament(matches, EVENT).state
    assert duty_of(state, ()) == "start"

    after = commands.change(matches, EVENT, lambda event: take_step(event, {}, "start"), at=LATER).state

    assert duty_of(after, ()) is None
    with pytest.raises(TournamentRefused, match="round 1 has started"):
        rounds.begin_round(after, 1)


@pytest.mark.parametrize(
    ("clock", "wait", "seconds"),
    [
        (Clock("per_move", 60), 0, 600),
        (Clock("increment", 600, 5), 0, 600),
        (Clock("correspondence", 3600), 0, 86_400),
        (Clock(), 0, 86_400),
        (Clock("per_move", 60), 90, 90),
    ],
)
def test_live_tables_wait_ten_minutes_others_a_day_or_as_the_plan_says(clock: Clock, wait: int, seconds: int) -> None:
    story = Story(2, size=2, table=Table(clock=clock), wait_seconds=wait).set(("e1", "e2"))

    assert story.state.start_due == AT + timedelta(seconds=seconds)
    assert Story(2, size=2).state.start_due is None
    assert replace(story.state, rounds=()).start_due is None


def test_players_are_participants_past_players_and_substitutes(matches: Matches) -> None:
    open_seated_table(matches)
    seat_substitute_for(matches, entry_of(matches, "ann"))
    commands.change(
        matches, EVENT, lambda state: registration.withdraw(state, entry_of(matches, "ben"), BY, "Ill."), at=AT
    )
    played = commands.get_tournament(matches, EVENT).state
    waiting = Story(2, size=2).enter(BOT).take(facts_of_events.EntryWithdrawn(BY, "e1")).state

    assert played.players == {"ann", "ben", "sue"}
    assert waiting.players == {"p2"}


def test_a_player_who_committed_a_share_has_time_to_open_it(matches: Matches) -> None:
    match = open_seated_table(matches)
    seat = seat_of_entrant(match, "ann")
    commit(matches, match.id, seat, "ann", 1)
    event = commands.get_tournament(matches, EVENT).state
    substitutes.start_table(matches, EVENT, 1, 1, at=LATER)
    assert matches.get(match.id).closed

    with pytest.raises(TournamentRefused, match="table 1 is waiting for shares of luck"):
        substitutes.require_begun(matches, event)
    substitutes.start_table(matches, EVENT, 1, 1, at=LATER + timedelta(days=1))

    substitutes.require_begun(matches, event)
    assert matches.get(match.id).status == "running"


def test_the_luck_of_a_table_is_replaced_three_times_at_most(matches: Matches) -> None:
    """Each substitute at a closed table brings other luck, which the service can foresee."""
    match = open_seated_table(matches)
    seat, entry = seat_of_entrant(match, "ann"), entry_of(matches, "ann")
    for number in range(4):
        for each, info in enumerate(match.seats):
            match = commit(matches, match.id, each, info.actor or "", number)
        assert (match.closed, match.reopened) == (True, number)
        if number < 3:
            seat_substitute_for(matches, entry, f"sue{number}")
            match = matches.get(match.id)

    with pytest.raises(TournamentRefused, match="was replaced 3 times"):
        consider_substitute(matches, entry, "tom")
    with pytest.raises(TournamentRefused, match="was replaced 3 times"):
        no_shows.record_no_show(matches, EVENT, 1, entry, BOT, "Gone.", BY, at=AT)
    no_shows.record_no_show(matches, EVENT, 1, entry, "", "Gone.", BY, at=AT)
    for each in range(2):
        match = show(matches, match.id, each, match.seats[each].actor or "", 3)
    assert match.status == "running"
    seat_substitute_for(matches, entry, "tom")
    assert matches.get(match.id).seats[seat].actor == "tom"
    assert is_good(matches, match)
