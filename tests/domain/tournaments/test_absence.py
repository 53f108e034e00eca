"""Who did not come: a note about a table that has not begun, which costs nothing that was played."""

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
from domain.tournaments import absence, commands, facts, rounds, substitutes
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.preparation import lives_lost, prepare_problem
from tests.domain.matches.world import act_once
from tests.domain.tournaments.building import AT, BY, EVENT, Story, stood_in
from tests.domain.tournaments.test_commands import BOT, begun
from tests.seeding import entropy

WHY = "not seen"


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), entropy=entropy())
    yield matches
    matches.close()


def points(story: Story) -> dict[str, int]:
    return {row.entry: row.points // 60 for row in standings(story.state, story.results)}


def opened(matches: Matches) -> tuple[str, str]:
    """The only table of a round is open; the first and the second entry there."""
    event = begun(matches, "ann", "ben")
    commands.open_table(matches, EVENT, 1, 1, at=AT)
    commands.change(matches, EVENT, lambda state: rounds.open_round(state, 1), at=AT)
    first, second = event.state.rounds[0].tables[0].entries
    return first, second


def start(matches: Matches) -> None:
    """Everybody is ready who has to be."""
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


# What it takes, and what gives it back


def test_an_older_note_takes_nothing_from_a_winner_who_has_played() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4")).result(1, 9, 1)
    story.take(facts.NoShowNoted(BY, 1, "e1"))

    assert points(story)["e1"] == 12


def test_who_is_noted_as_absent_and_then_plays_has_what_they_win() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    story.take(absence.no_show(story.state, 1, "e1", "", WHY, BY)).result(1, 9, 1)

    assert points(story)["e1"] == 12
    past = prepare_problem(story.result(2, 1, 0).close().state, story.results, BY).problem.entrants
    assert {each.id: each.past[0].opponents for each in past}["e2"] == ("e1",)


def test_what_a_bot_wins_in_the_place_of_somebody_is_nobodys_until_a_ruling_says_otherwise() -> None:
    story = Story(4, size=2, bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    story.take(absence.no_show(story.state, 1, "e1", BOT, WHY, BY)).result(1, 9, 1)
    assert points(story)["e1"] == 0

    story.take(rounds.rule_table(story.state, 1, 1, (9, 1), (1, 2), "They sat at the wrong table.", BY))
    assert points(story)["e1"] == 12


def test_a_result_that_is_entered_counts_for_who_had_been_noted() -> None:
    story = Story(4, size=2, face_to_face=True).set(("e1", "e2"), ("e3", "e4"))
    story.take(absence.no_show(story.state, 1, "e1", "", WHY, BY))
    story.take(rounds.enter_result(story.state, 1, 1, (7, 3), (1, 2), BY))

    assert points(story)["e1"] == 12
    with pytest.raises(TournamentRefused, match="table 1 of round 1 has its result: whoever sits there has come"):
        absence.no_show(story.state, 1, "e2", "", WHY, BY)


@pytest.mark.parametrize(("rule", "beaten"), [(1, 1), (2, 0)])
def test_in_an_elimination_a_life_is_lost_by_the_seat_of_a_bot_and_not_by_the_note(
    rule: StandingsRule, beaten: int
) -> None:
    """By rule 2 an entry beaten by the bot of an absent entrant advances."""
    story = Story(4, rule=rule, size=2, stages=(Stage("elimination"),), bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    story.take(absence.no_show(story.state, 1, "e1", "", WHY, BY), absence.no_show(story.state, 1, "e3", BOT, WHY, BY))
    story.result(1, 9, 1).result(2, 9, 1)

    assert lives_lost(story.state, 0, story.results) == {"e1": 0, "e2": 1, "e3": 1, "e4": beaten}


def test_a_note_is_withdrawn_with_a_reason() -> None:
    story = Story(4, size=2, bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    story.take(absence.no_show(story.state, 1, "e1", BOT, WHY, BY))
    with pytest.raises(TournamentRefused, match="the withdrawal of a no-show needs a reason"):
        absence.no_show_withdrawn(story.state, 1, "e1", " ", BY)
    with pytest.raises(TournamentRefused, match="e2 is not noted as absent in round 1"):
        absence.no_show_withdrawn(story.state, 1, "e2", "Here.", BY)
    with pytest.raises(NoSuchRound, match="no round 2 that has begun"):
        absence.no_show_withdrawn(story.state, 2, "e1", "Here.", BY)
    story.take(absence.no_show_withdrawn(story.state, 1, "e1", "The bus was late.", BY)).result(1, 9, 1)

    table = story.state.rounds[0].tables[0]
    assert (table.absent, table.bots, points(story)["e1"]) == ((), (), 12)


def test_as_long_as_nothing_counts_at_a_table_who_was_noted_has_met_nobody() -> None:
    story = Story(4, size=2, stages=(Stage("swiss", 2),)).set(("e1", "e2"), ("e3", "e4"))
    story.take(absence.no_show(story.state, 1, "e1", "", WHY, BY)).result(1, 9, 1).result(2, 5, 1)
    match = story.state.rounds[0].tables[0].match
    assert match is not None
    story.results[match] = TableResult((), (), void=True)
    story.close()

    past = {each.id: each.past[0] for each in prepare_problem(story.state, story.results, BY).problem.entrants}
    assert (past["e1"].seat, past["e2"].opponents) == (None, ())


# What is refused


def test_a_no_show_sits_at_a_table_and_a_bot_comes_only_where_the_plan_lets_it() -> None:
    story = Story(5, size=4, smallest=4).pair().publish()
    (bye,) = story.state.rounds[0].byes
    name = story.tables[0][0]

    with pytest.raises(TournamentRefused, match="does not sit at a table"):
        absence.no_show(story.state, 1, bye, "", WHY, BY)
    with pytest.raises(TournamentRefused, match="does not let bots"):
        absence.no_show(story.state, 1, name, BOT, WHY, BY)
    with pytest.raises(UnknownActor):
        absence.no_show(story.state, 1, name, "nobody at all", WHY, BY)
    with pytest.raises(TournamentRefused, match="a no-show needs a reason"):
        absence.no_show(story.state, 1, name, "", "  ", BY)
    story.take(absence.no_show(story.state, 1, name, "", WHY, BY))
    assert story.state.rounds[0].tables[0].absent == (name,)
    with pytest.raises(TournamentRefused, match=f"{name} is noted as absent in round 1 already"):
        absence.no_show(story.state, 1, name, "", WHY, BY)


def test_a_bot_always_comes_and_none_comes_to_a_table_face_to_face() -> None:
    story = Story(1, size=2, bot=BOT).enter(BOT).set(("e1", "e2"))
    with pytest.raises(TournamentRefused, match="e2 is a bot, and always comes"):
        absence.no_show(story.state, 1, "e2", "", WHY, BY)

    there = Story(2, size=2, bot=BOT, face_to_face=True).set(("e1", "e2"))
    with pytest.raises(TournamentRefused, match="has no match a bot could take part in"):
        absence.no_show(there.state, 1, "e1", BOT, WHY, BY)


# In the store


def test_a_table_that_has_begun_takes_no_note_and_one_that_is_over_neither(matches: Matches) -> None:
    first, _ = opened(matches)
    start(matches)
    before = matches.streams.records(EVENT)
    with pytest.raises(TournamentRefused, match="table 1 of round 1 has begun: who does not come loses by the clock"):
        absence.note(matches, EVENT, 1, first, "", WHY, BY, at=AT)
    matches.void(match_at(matches), SERVICE, at=AT)
    with pytest.raises(TournamentRefused, match="table 1 of round 1 has begun"):
        absence.note(matches, EVENT, 1, first, "", WHY, BY, at=AT)

    assert matches.streams.records(EVENT) == before


def test_who_is_ready_at_the_table_has_come(matches: Matches) -> None:
    first, second = opened(matches)
    actor = matches.get(match_at(matches)).seats[0].actor
    assert actor is not None
    matches.ready(match_at(matches), 0, actor, at=AT)

    with pytest.raises(TournamentRefused, match=f"{first} has come: they are ready at table 1 of round 1"):
        absence.note(matches, EVENT, 1, first, "", WHY, BY, at=AT)
    assert absence.note(matches, EVENT, 1, second, "", WHY, BY, at=AT).state.rounds[0].tables[0].absent == (second,)


def test_a_bot_takes_the_seat_before_the_start_and_gives_it_back_when_its_player_comes(matches: Matches) -> None:
    first, _ = opened(matches)
    own = matches.get(match_at(matches)).seats[0].actor
    absence.note(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    assert matches.get(match_at(matches)).seats[0].actor == BOT
    start(matches)

    event = absence.withdraw(matches, EVENT, 1, first, "The bus was late.", BY, at=AT).state

    assert matches.get(match_at(matches)).seats[0].actor == own
    assert event.rounds[0].tables[0].bots == ()


def with_a_bot(matches: Matches, entry: str) -> Match:
    """The only table begins with a bot in the seat of an absent entry."""
    absence.note(matches, EVENT, 1, entry, BOT, WHY, BY, at=AT)
    start(matches)
    return matches.get(match_at(matches))


def acts_for(matches: Matches, match: Match, seat: int) -> None:
    """Play on until the seat has acted."""
    while not match.starters[seat].rounds:
        match = act_once(matches, match)


def test_an_entrant_stays_absent_once_the_bot_has_acted(matches: Matches) -> None:
    first, _ = opened(matches)
    acts_for(matches, with_a_bot(matches, first), 0)

    with pytest.raises(TournamentRefused, match=f"a bot has played for {first} already, and {first} stays absent"):
        absence.withdraw(matches, EVENT, 1, first, "The bus was late.", BY, at=AT)
    with pytest.raises(TournamentRefused, match="rule on the table"):
        stood_in(matches, first)
    assert matches.get(match_at(matches)).seats[0].actor == BOT


def test_by_rule_1_a_note_is_withdrawn_after_the_bot_has_acted_too(matches: Matches) -> None:
    first, _ = opened(matches)
    match = with_a_bot(matches, first)
    acts_for(matches, match, 0)
    event = commands.get_tournament(matches, EVENT).state
    older = replace(event, plan=replace(event.plan, standings=1))

    absence.require_idle_bot(older, matches.get(match.id), older.rounds[0].tables[0], first)


def test_what_a_bot_has_played_to_its_end_is_for_a_ruling(matches: Matches) -> None:
    first, _ = opened(matches)
    absence.note(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    matches.void(match_at(matches), SERVICE, at=AT)

    with pytest.raises(TournamentRefused, match=f"a bot has played for {first} to the end of table 1 of round 1"):
        absence.withdraw(matches, EVENT, 1, first, "The bus was late.", BY, at=AT)


def test_an_absent_players_seat_is_the_bots_from_the_beginning_if_the_organiser_wants_one(matches: Matches) -> None:
    event = begun(matches, "ann", "ben")
    first, second = event.state.rounds[0].tables[0].entries
    absence.note(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    absence.note(matches, EVENT, 1, second, "", WHY, BY, at=AT)
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)

    assert match is not None
    assert [info.actor == BOT for info in match.seats] == [True, False]
    assert absence.withdraw(matches, EVENT, 1, second, "Here.", BY, at=AT).state.rounds[0].tables[0].absent == (first,)


def test_a_substitute_plays_for_who_did_not_come_and_the_points_are_the_entrys(matches: Matches) -> None:
    first, _ = opened(matches)
    absence.note(matches, EVENT, 1, first, BOT, WHY, BY, at=AT)
    own = commands.get_tournament(matches, EVENT).state.entry(first)
    assert own is not None
    with pytest.raises(TournamentRefused, match=f"{first} is noted as absent; withdraw that"):
        substitutes.name(matches, EVENT, 1, first, own.actor, BY, "Ill.", at=AT)

    table = stood_in(matches, first, at=AT + timedelta(hours=1)).state.rounds[0].tables[0]

    assert (table.absent, table.bots, table.stand_in_of(first)) == ((), (), "sue")
    assert matches.get(match_at(matches)).seats[0].actor == "sue"


# As it was before


def test_older_notes_are_read_as_they_were_meant() -> None:
    """One of before the tables were opened had the plan's bot in the seat, whether it was named or not."""
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
