"""Changes of seats in public rounds: only at tables that have not begun, with a reason and the cost."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.messages import say
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL
from domain.matches.verification.verify import verify
from domain.tournaments import commands, facts, no_shows, registration, reseating, rounds
from domain.tournaments.duties import duty_of
from domain.tournaments.errors import NoSuchEntry, NoSuchRound, TournamentRefused
from tests.domain.tournaments.building import AT, BY, EVENT, Story, seat_substitute_for
from tests.domain.tournaments.test_commands import BOT, start_event
from tests.seeding import entropy

WHY = "They came together."


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), entropy=entropy())
    yield matches
    matches.close()


def swap_seats(story: Story, first: str, second: str) -> reseating.Reseating:
    return reseating.swap(story.state, len(story.state.rounds), first, second, story.results, WHY, BY)


def test_two_players_are_swapped_after_publication_with_the_cost() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4")).result(1, 9, 1).result(2, 9, 1).close()
    story.set(("e1", "e3"), ("e2", "e4"))
    before = story.state.rounds[-1]
    found = swap_seats(story, "e3", "e2")
    after = story.take(found.fact).state.rounds[-1]

    assert story.tables == (("e1", "e2"), ("e3", "e4"))
    repeats = [{level.name: level.value for level in levels}["repeats"] for levels in (found.before, found.after)]
    assert repeats == [0, 2]
    assert after.levels == found.after
    assert {table.match for table in after.tables} & {table.match for table in before.tables} == set()
    assert "The organiser has set this table." in map(say, after.tables[0].reasons)


def test_other_tables_are_unchanged() -> None:
    story = Story(6, size=2).set(("e1", "e2"), ("e3", "e4"), ("e5", "e6"))
    third = story.state.rounds[0].tables[2]
    story.take(swap_seats(story, "e1", "e3").fact)

    assert story.state.rounds[0].tables[2] is third
    again = swap_seats(story, "e1", "e3").fact
    assert {each.match for each in again.tables}.isdisjoint(table.match for table in story.state.rounds[0].tables)


def test_a_player_with_a_bye_is_swapped_in() -> None:
    story = Story(5, size=2).set(("e1", "e2"), ("e3", "e4"), byes=("e5",))
    story.take(swap_seats(story, "e5", "e1").fact)

    assert (story.tables, story.state.rounds[0].byes) == ((("e5", "e2"), ("e3", "e4")), ("e1",))


def test_a_player_moves_to_a_free_seat_or_to_the_byes() -> None:
    story = Story(7, size=4).set(("e1", "e2", "e3", "e4"), ("e5", "e6", "e7"))
    moved = reseating.move(story.state, 1, "e1", 2, {}, WHY, BY).fact
    story.take(moved)
    assert list(story.tables) == [("e2", "e3", "e4"), ("e5", "e6", "e7", "e1")]
    story.take(reseating.move(story.state, 1, "e5", 0, {}, WHY, BY).fact)

    assert list(story.tables)[1] == ("e6", "e7", "e1")
    assert story.state.rounds[0].byes == ("e5",)
    for name, table, error, expected in (
        ("e2", 3, NoSuchRound, "round 1 has no table 3"),
        ("e2", 1, TournamentRefused, "e2 is already seated at table 1"),
        ("e9", 2, NoSuchEntry, "e9"),
    ):
        with pytest.raises(error, match=expected):
            reseating.move(story.state, 1, name, table, {}, WHY, BY)
    story.enter("late")
    with pytest.raises(TournamentRefused, match="e8 is not in round 1"):
        reseating.move(story.state, 1, "e8", 2, {}, WHY, BY)
    small = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    with pytest.raises(TournamentRefused, match="table 1 would have 1 seats"):
        reseating.move(small.state, 1, "e1", 0, {}, WHY, BY)


def test_a_table_with_a_result_is_not_reseated_and_a_reason_is_required() -> None:
    story = Story(4, size=2, face_to_face=True).set(("e1", "e2"), ("e3", "e4"))
    with pytest.raises(TournamentRefused, match="a change of seats needs a reason"):
        reseating.swap(story.state, 1, "e1", "e3", {}, " ", BY)
    story.take(rounds.enter_result(story.state, 1, 2, (3, 1), (1, 2), BY))
    with pytest.raises(TournamentRefused, match="table 2 of round 1 already has a result"):
        swap_seats(story, "e1", "e3")
    with pytest.raises(TournamentRefused, match="round 1 is proposed, not published or opened"):
        swap_seats(Story(4, size=2).pair(), "e1", "e3")


def test_notes_move_with_their_players() -> None:
    story = Story(4, size=2, bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    story.take(no_shows.decide_no_show(story.state, 1, "e1", BOT, "not seen", BY))
    story.take(facts.SubstituteNamed(BY, 1, "e2", "sue"))
    story.take(swap_seats(story, "e1", "e3").fact)
    first, second = story.state.rounds[0].tables

    assert (first.entries, first.absent, first.bots, first.stand_in_of("e2")) == (("e3", "e2"), (), (), "sue")
    assert (second.entries, second.absent, second.bot_of("e1")) == (("e1", "e4"), ("e1",), BOT)


def test_a_forbidden_pair_is_reported_at_its_table() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    story.take(registration.set_pairs(story.state, [("e3", "e2")], [], BY, "Sisters."))
    found = swap_seats(story, "e1", "e3")

    hard = [{level.name: level.value for level in levels}["forbidden"] for levels in (found.before, found.after)]
    assert hard == [0, 1]
    sentence = "e2 and e3 must not meet, but the organiser seated them together."
    assert sentence in map(say, found.fact.tables[0].reasons)


# In the store.


def open_two_tables(matches: Matches, *, is_open: bool = True) -> Story:
    """Open a round of two tables with their matches."""
    event = start_event(matches, "ann", "ben", "cleo", "dora")
    for table in (1, 2):
        commands.open_table(matches, EVENT, 1, table, at=AT)
    if is_open:
        event = commands.change(matches, EVENT, lambda state: rounds.open_round(state, 1), at=AT)
    story = Story()
    story.state = event.state
    return story


def reseat(matches: Matches, first: str, second: str, *, hours: int = 1) -> commands.TournamentStream:
    return reseating.reseat(
        matches,
        EVENT,
        lambda state: reseating.swap(state, 1, first, second, {}, WHY, BY),
        at=AT + timedelta(hours=hours),
    )


def test_reseated_tables_get_new_matches_and_the_old_ones_are_void(matches: Matches) -> None:
    story = open_two_tables(matches)
    (one, _), (other, _) = story.tables
    old = [table.match for table in story.state.rounds[0].tables]
    event = reseat(matches, one, other).state
    new = [table.match for table in event.rounds[0].tables]

    assert all(match is not None and matches.get(match).status == "void" for match in old)
    for table in event.rounds[0].tables:
        assert table.match is not None
        match = matches.get(table.match)
        assert [info.actor for info in match.seats] == [event.entry(name).actor for name in table.entries]  # type: ignore[union-attr]
        assert match.status == "open"
        assert (
            verify(export_log(matches, match.id, ALL, at=AT + timedelta(days=2)), titles=matches.titles).fault is None
        )
    assert set(old).isdisjoint(new)
    assert event.start_due == AT + timedelta(days=1, hours=1)
    assert duty_of(event, ()) == "start"


def test_reseating_during_the_opening_of_tables_continues_with_the_new_ones(matches: Matches) -> None:
    story = open_two_tables(matches, is_open=False)
    (one, _), (other, _) = story.tables
    event = reseat(matches, one, other).state
    new = [table.match for table in event.rounds[0].tables]

    assert duty_of(event, ()) == "open"
    assert event.start_due is None
    assert not any(match is not None and matches.lines.has(match) for match in new)
    assert commands.open_table(matches, EVENT, 1, 1, at=AT) is not None


def test_a_table_that_has_begun_is_not_reseated(matches: Matches) -> None:
    story = open_two_tables(matches)
    (one, _), (other, _) = story.tables
    match_id = story.state.rounds[0].tables[1].match
    assert match_id is not None
    match = matches.get(match_id)
    for seat, info in enumerate(match.seats):
        assert info.actor is not None
        match = matches.ready(match_id, seat, info.actor, at=AT)
    before = matches.streams.records(EVENT)

    with pytest.raises(TournamentRefused, match="table 2 of round 1 has started"):
        reseat(matches, one, other)

    assert matches.streams.records(EVENT) == before
    assert matches.get(match_id).status == "running"


def test_a_face_to_face_round_is_reseated_without_matches(matches: Matches) -> None:
    event = start_event(matches, "name:Jana", "name:Petr", "name:Iva", "name:Marek", face_to_face=True)
    event = commands.change(matches, EVENT, lambda state: rounds.open_round(state, 1), at=AT)
    (one, _), (other, _) = (table.entries for table in event.state.rounds[0].tables)
    after = reseat(matches, one, other).state

    assert after.rounds[0].tables[0].entries[0] == other
    assert not any(table.match and matches.lines.has(table.match) for table in after.rounds[0].tables)


def test_a_substitute_moves_to_the_new_table(matches: Matches) -> None:
    story = open_two_tables(matches)
    (one, _), (other, _) = story.tables
    seat_substitute_for(matches, one)
    table = reseat(matches, one, other).state.rounds[0].tables[1]

    assert table.match is not None
    assert matches.get(table.match).seats[0].actor == "sue"
    assert replace(table, match=None).stand_in_of(one) == "sue"
    assert matches.get(table.match).opened_by == SERVICE
