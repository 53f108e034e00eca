"""No-shows: only for tables that have not begun, and without effect on points that were played for."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.errors import UnknownActor
from domain.matches.facts import SERVICE
from domain.standings.contest import Stage, StandingsRule
from domain.standings.ranking import standings
from domain.standings.results import TableResult
from domain.tournaments import commands, facts, no_shows, rounds, substitutes
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.preparation import lives_lost, prepare_problem
from tests.domain.matches.match_helpers import act_once
from tests.domain.tournaments.building import AT, BY, EVENT, Story, seat_substitute_for
from tests.domain.tournaments.test_commands import BOT, start_event
from tests.seeding import entropy

WHY = "not seen"


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), entropy=entropy())
    yield matches
    matches.close()


def points(story: Story) -> dict[str, int]:
    return {row.entry: row.points // 60 for row in standings(story.state, story.results)}


def open_only_table(matches: Matches) -> tuple[str, str]:
    """Open the only table of a round; return its first and second entry."""
    event = start_event(matches, "ann", "ben")
    commands.open_table(matches, EVENT, 1, 1, at=AT)
    commands.change(matches, EVENT, lambda state: rounds.open_round(state, 1), at=AT)
    first, second = event.state.rounds[0].tables[0].entries
    return first, second


def start(matches: Matches) -> None:
    """Make everyone ready who needs to be."""
    match = matches.get(match_at(matches))
    for seat, info in enumerate(match.seats):
        if not info.ready:
            assert info.actor is not None
            match = matches.ready(match.id, seat, info.actor, at=AT)
    assert match.status == "running"


def match_at(matches: Matches) -> UUID:
    table = commands.get_tournament(matches, EVENT).state.rounds[0].tables[0]
    assert table.match is not None
    return table.match


# Effects and reversal.


def test_an_older_note_does_not_affect_a_winner_who_has_played() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4")).result(1, 9, 1)
    story.take(facts.NoShowNoted(BY, 1, "e1"))

    assert points(story)["e1"] == 12


def test_an_absent_player_who_then_plays_keeps_the_points() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    story.take(no_shows.decide_no_show(story.state, 1, "e1", "", WHY, BY)).result(1, 9, 1)

    assert points(story)["e1"] == 12
    past = prepare_problem(story.result(2, 1, 0).close().state, story.results, BY).problem.entrants
    assert {each.id: each.past[0].opponents for each in past}["e2"] == ("e1",)


def test_points_won_by_a_bot_for_an_absent_player_count_only_after_a_ruling() -> None:
    story = Story(4, size=2, bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    story.take(no_shows.decide_no_show(story.state, 1, "e1", BOT, WHY, BY)).result(1, 9, 1)
    assert points(story)["e1"] == 0

    story.take(rounds.rule_table(story.state, 1, 1, (9, 1), (1, 2), "They sat at the wrong table.", BY))
    assert points(story)["e1"] == 12


def test_an_entered_result_counts_for_an_absent_player() -> None:
    story = Story(4, size=2, face_to_face=True).set(("e1", "e2"), ("e3", "e4"))
    story.take(no_shows.decide_no_show(story.state, 1, "e1", "", WHY, BY))
    story.take(rounds.enter_result(story.state, 1, 1, (7, 3), (1, 2), BY))

    assert points(story)["e1"] == 12
    with pytest.raises(TournamentRefused, match="table 1 of round 1 already has a result"):
        no_shows.decide_no_show(story.state, 1, "e2", "", WHY, BY)


@pytest.mark.parametrize(("rule", "beaten"), [(1, 1), (2, 0)])
def test_in_an_elimination_the_seat_of_a_bot_costs_a_life_and_the_note_does_not(
    rule: StandingsRule, beaten: int
) -> None:
    """By rule 2 an entry beaten by the bot of an absent entrant advances."""
    story = Story(4, rule=rule, size=2, stages=(Stage("elimination"),), bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    story.take(
        no_shows.decide_no_show(story.state, 1, "e1", "", WHY, BY),
        no_shows.decide_no_show(story.state, 1, "e3", BOT, WHY, BY),
    )
    story.result(1, 9, 1).result(2, 9, 1)

    assert lives_lost(story.state, 0, story.results) == {"e1": 0, "e2": 1, "e3": 1, "e4": beaten}


def test_a_note_is_withdrawn_with_a_reason() -> None:
    story = Story(4, size=2, bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    story.take(no_shows.decide_no_show(story.state, 1, "e1", BOT, WHY, BY))
    with pytest.raises(TournamentRefused, match="the withdrawal of a no-show needs a reason"):
        no_shows.decide_no_show_withdrawal(story.state, 1, "e1", " ", BY)
    with pytest.raises(TournamentRefused, match="e2 is not recorded as a no-show in round 1"):
        no_shows.decide_no_show_withdrawal(story.state, 1, "e2", "Here.", BY)
    with pytest.raises(NoSuchRound, match="round 2 has not started"):
        no_shows.decide_no_show_withdrawal(story.state, 2, "e1", "Here.", BY)
    story.take(no_shows.decide_no_show_withdrawal(story.state, 1, "e1", "The bus was late.", BY)).result(1, 9, 1)

    table = story.state.rounds[0].tables[0]
    assert (table.absent, table.bots, points(story)["e1"]) == ((), (), 12)


def test_an_absent_player_has_met_no_one_while_the_table_has_no_result() -> None:
    story = Story(4, size=2, stages=(Stage("swiss", 2),)).set(("e1", "e2"), ("e3", "e4"))
    story.take(no_shows.decide_no_show(story.state, 1, "e1", "", WHY, BY)).result(1, 9, 1).result(2, 5, 1)
    match = story.state.rounds[0].tables[0].match
    assert match is not None
    story.results[match] = TableResult((), (), void=True)
    story.close()

    past = {each.id: each.past[0] for each in prepare_problem(story.state, story.results, BY).problem.entrants}
    assert (past["e1"].seat, past["e2"].opponents) == (None, ())


# Refusals.


def test_a_no_show_needs_a_seat_and_a_bot_needs_the_plans_permission() -> None:
    story = Story(5, size=4, smallest=4).pair().publish()
    (bye,) = story.state.rounds[0].byes
    name = story.tables[0][0]

    with pytest.raises(TournamentRefused, match="is not seated in round"):
        no_shows.decide_no_show(story.state, 1, bye, "", WHY, BY)
    with pytest.raises(TournamentRefused, match="this event does not allow bots as substitutes"):
        no_shows.decide_no_show(story.state, 1, name, BOT, WHY, BY)
    with pytest.raises(UnknownActor):
        no_shows.decide_no_show(story.state, 1, name, "nobody at all", WHY, BY)
    with pytest.raises(TournamentRefused, match="a no-show needs a reason"):
        no_shows.decide_no_show(story.state, 1, name, "", "  ", BY)
    story.take(no_shows.decide_no_show(story.state, 1, name, "", WHY, BY))
    assert story.state.rounds[0].tables[0].absent == (name,)
    with pytest.raises(TournamentRefused, match=f"{name} is already recorded as a no-show in round 1"):
        no_shows.decide_no_show(story.state, 1, name, "", WHY, BY)


def test_a_bot_is_never_absent_and_never_seated_face_to_face() -> None:
    story = Story(1, size=2, bot=BOT).enter(BOT).set(("e1", "e2"))
    with pytest.raises(TournamentRefused, match="e2 is a bot and cannot be a no-show"):
        no_shows.decide_no_show(story.state, 1, "e2", "", WHY, BY)

    face_to_face = Story(2, size=2, bot=BOT, face_to_face=True).set(("e1", "e2"))
    with pytest.raises(TournamentRefused, match="has no match that a bot could join"):
        no_shows.decide_no_show(face_to_face.state, 1, "e1", BOT, WHY, BY)


# In the store.


def test_no_show_is_refused_once_the_table_has_begun_or_ended(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    start(matches)
    before = matches.streams.records(EVENT)
    with pytest.raises(TournamentRefused, match="table 1 of round 1 has started: an absent player loses on time"):
        no_shows.record_no_show(matches, EVENT, 1, first, "", WHY, BY, at=AT)
    matches.void(match_at(matches), SERVICE, at=AT)
    with pytest.raises(TournamentRefused, match="table 1 of round 1 has started"):
        no_shows.record_no_show(matches, EVENT, 1, first, "", WHY, BY, at=AT)

    assert matches.streams.records(EVENT) == before


def test_a_ready_player_is_not_absent(matches: Matches) -> None:
    first, second = open_only_table(matches)
    actor = matches.get(match_at(matches)).seats[0].actor
    assert actor is not None
    matches.ready(match_at(matches), 0, actor, at=AT)

    with pytest.raises(TournamentRefused, match=f"{first} is present and ready at table 1 of round 1"):
        no_shows.record_no_show(matches, EVENT, 1, first, "", WHY, BY, at=AT)
    assert no_shows.record_no_show(matches, EVENT, 1, second, "", WHY, BY, at=AT).state.rounds[0].tables[0].absent == (
        second,
    )


def test_a_ready_substitute_is_not_absent(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    seat_substitute_for(matches, first, "sue")
    matches.ready(match_at(matches), 0, "sue", at=AT)

    with pytest.raises(TournamentRefused, match=f"{first} is present and ready at table 1 of round 1"):
        no_shows.record_no_show(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    assert matches.get(match_at(matches)).seats[0].actor == "sue"


def test_a_bot_takes_the_seat_before_the_start_and_returns_it_to_its_player(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    own = matches.get(match_at(matches)).seats[0].actor
    no_shows.record_no_show(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    assert matches.get(match_at(matches)).seats[0].actor == BOT
    start(matches)

    event = no_shows.withdraw_no_show(matches, EVENT, 1, first, "The bus was late.", BY, at=AT).state

    assert matches.get(match_at(matches)).seats[0].actor == own
    assert event.rounds[0].tables[0].bots == ()


def test_a_bot_returns_the_seat_to_the_substitute_who_had_it(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    own = matches.get(match_at(matches)).seats[0].actor
    seat_substitute_for(matches, first, "sue")
    no_shows.record_no_show(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)

    event = no_shows.withdraw_no_show(matches, EVENT, 1, first, "The bus was late.", BY, at=AT).state

    seat = matches.get(match_at(matches)).seats[0]
    assert (seat.actor, seat.stands_in_for) == ("sue", own)
    assert event.rounds[0].tables[0].stand_in_of(first) == "sue"


def with_a_bot(matches: Matches, entry: str) -> Match:
    """Start the only table with a bot in the seat of an absent entry."""
    no_shows.record_no_show(matches, EVENT, 1, entry, BOT, WHY, BY, at=AT)
    start(matches)
    return matches.get(match_at(matches))


def acts_for(matches: Matches, match: Match, seat: int) -> None:
    """Play on until the seat has acted."""
    while not match.starters[seat].rounds:
        match = act_once(matches, match)


def test_an_entrant_stays_absent_once_the_bot_has_acted(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    acts_for(matches, with_a_bot(matches, first), 0)

    with pytest.raises(
        TournamentRefused,
        match=f"a bot has already played for {first}, who stays a no-show",
    ):
        no_shows.withdraw_no_show(matches, EVENT, 1, first, "The bus was late.", BY, at=AT)
    with pytest.raises(TournamentRefused, match="rule on the table"):
        seat_substitute_for(matches, first)
    assert matches.get(match_at(matches)).seats[0].actor == BOT


def test_by_rule_1_a_note_is_withdrawn_after_the_bot_has_acted_too(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    match = with_a_bot(matches, first)
    acts_for(matches, match, 0)
    event = commands.get_tournament(matches, EVENT).state
    older = replace(event, plan=replace(event.plan, standings=1))

    no_shows.require_idle_bot(older, matches.get(match.id), older.rounds[0].tables[0], first)


def test_a_match_finished_by_a_bot_needs_a_ruling(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    no_shows.record_no_show(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    matches.void(match_at(matches), SERVICE, at=AT)

    with pytest.raises(TournamentRefused, match=f"a bot has finished table 1 of round 1 for {first}"):
        no_shows.withdraw_no_show(matches, EVENT, 1, first, "The bus was late.", BY, at=AT)


def test_the_bot_takes_the_seat_of_an_absent_player_from_the_start_on_request(matches: Matches) -> None:
    event = start_event(matches, "ann", "ben")
    first, second = event.state.rounds[0].tables[0].entries
    no_shows.record_no_show(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    no_shows.record_no_show(matches, EVENT, 1, second, "", WHY, BY, at=AT)
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)

    assert match is not None
    assert [info.actor == BOT for info in match.seats] == [True, False]
    assert no_shows.withdraw_no_show(matches, EVENT, 1, second, "Here.", BY, at=AT).state.rounds[0].tables[
        0
    ].absent == (first,)


def test_a_substitute_plays_for_an_absent_player_and_the_entry_gets_the_points(matches: Matches) -> None:
    first, _ = open_only_table(matches)
    no_shows.record_no_show(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    own = commands.get_tournament(matches, EVENT).state.entry(first)
    assert own is not None
    with pytest.raises(
        TournamentRefused, match=f"{first} is recorded as a no-show; withdraw that if they have arrived"
    ):
        substitutes.name_substitute(matches, EVENT, 1, first, own.actor, BY, "Ill.", at=AT)

    table = seat_substitute_for(matches, first, at=AT + timedelta(hours=1)).state.rounds[0].tables[0]

    assert (table.absent, table.bots, table.stand_in_of(first)) == ((), (), "sue")
    assert matches.get(match_at(matches)).seats[0].actor == "sue"


# Older records.


def test_older_notes_keep_their_meaning() -> None:
    """A note from before the tables were opened implied the plan's bot, named or not."""
    stored = b'{"type":"tournament.no_show_noted","by":"olga","round":1,"entry":"e1"}'
    fact = msgspec.json.decode(stored, type=facts.Fact)
    assert fact == facts.NoShowNoted(BY, 1, "e1")
    assert msgspec.json.encode(fact) == stored

    story = Story(4, size=2, bot=BOT).pair()
    number = story.state.rounds[-1].number
    name = story.tables[0][0]
    before = story.take(rounds.publish(story.state, number, {}, BY)).take(facts.NoShowNoted(BY, 1, name)).state
    named = facts.NoShowNoted(BY, 1, name, bot=BOT)
    after = story.take(facts.RoundOpened(1)).take(named).state

    assert before.rounds[0].tables[0].bot_of(name) == BOT
    assert after.rounds[0].tables[0].bot_of(name) == BOT
