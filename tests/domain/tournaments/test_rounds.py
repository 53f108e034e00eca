"""Rounds from the pairing request to the end, with all refusals."""

from typing import Any

import msgspec
import pytest

from domain.kernel.messages import Message
from domain.pairing.problem import Pairing
from domain.standings.contest import Stage
from domain.standings.errors import WrongResult
from domain.tournaments import facts, registration, rounds
from domain.tournaments.errors import NoSuchEntry, NoSuchRound, TournamentRefused
from tests.domain.tournaments.building import BY, Story

FOUR = ("e1", "e2", "e3", "e4")


def propose_round(count: int = 8, **plan: object) -> Story:
    return Story(count, **plan).pair()


def test_pairing_again_keeps_locked_tables() -> None:
    story = propose_round()
    locked = story.tables[1]
    story.take(rounds.lock_tables(story.state, 1, [2, 2], BY))
    assert story.state.rounds[0].locked == (2,)
    story.pair(tables=[2], again=1)

    assert locked in story.tables
    assert story.state.rounds[0].locked == (story.tables.index(locked) + 1,)


def test_unknown_tables_cannot_be_locked() -> None:
    with pytest.raises(NoSuchRound, match="no proposed table 1"):
        rounds.ask_pairing(Story(4).state, {}, BY, tables=[1])
    story = propose_round()
    with pytest.raises(NoSuchRound, match="no proposed table 3"):
        rounds.ask_pairing(story.state, {}, BY, tables=[3])
    with pytest.raises(NoSuchRound, match="no table 3"):
        rounds.lock_tables(story.state, 1, [3], BY)


def test_a_locked_table_is_released_when_a_player_leaves() -> None:
    story = propose_round()
    gone = story.tables[0][0]
    story.take(*registration.withdraw(story.state, gone, BY, "Ill."))

    with pytest.raises(TournamentRefused, match=f"{gone} has withdrawn, so the table cannot be locked"):
        rounds.ask_pairing(story.state, {}, BY, tables=[1])


def test_a_requested_bye_needs_a_participant() -> None:
    with pytest.raises(TournamentRefused, match="e9 is not in this round"):
        rounds.ask_pairing(Story(4).state, {}, BY, byes=["e9"])
    assert propose_round(5, size=4).pair(byes=["e3"]).state.rounds[0].byes == ("e3",)


@pytest.mark.parametrize("plan", [{"leftover": "bye"}, {"smallest": 4}])
def test_an_unplayable_round_is_refused(plan: dict[str, Any]) -> None:
    """Three people for tables of four; four make a round, five make a table and a bye."""
    with pytest.raises(
        TournamentRefused, match="3 players do not fill a table of 4, and the event does not allow smaller tables"
    ):
        rounds.ask_pairing(Story(3, size=4, **plan).state, {}, BY)

    assert len(Story(4, size=4, **plan).pair().tables) == 1
    five = Story(5, size=4, **plan).pair()
    assert (len(five.tables), len(five.state.rounds[0].byes)) == (1, 1)


def test_one_player_makes_no_round() -> None:
    with pytest.raises(TournamentRefused, match="a round needs at least two players, not 1"):
        rounds.ask_pairing(Story(1).state, {}, BY)


def test_a_pairing_must_seat_exactly_the_requested_players() -> None:
    story = Story(4).take(rounds.ask_pairing(Story(4).state, {}, BY))

    for tables, byes, sentence in (
        ((("e1", "e2", "e3"),), (), "every player needs one table or a bye: check e4"),
        ((("e1", "e2"), ("e3", "e4", "e4")), (), "every player needs one table or a bye: check e4"),
        ((("e1",), ("e2", "e3", "e4")), (), "table 1 would have 1 seats"),
    ):
        with pytest.raises(TournamentRefused, match=sentence):
            rounds.answer_pairing(story.state, 1, Pairing(tables, byes), [()] * len(tables))
    with pytest.raises(NoSuchRound, match="round 2 is not the latest of this event"):
        rounds.answer_pairing(story.state, 2, Pairing(()), ())
    with pytest.raises(TournamentRefused, match="round 1 is asked, not proposed"):
        rounds.publish(story.state, 1, {}, BY)


def test_failed_pairings_of_older_logs_are_readable() -> None:
    old = b'{"type":"tournament.pairing_failed","round":1,"why":"they will not meet"}'
    fact = msgspec.json.decode(old, type=facts.Fact)

    assert fact == facts.PairingFailed(1, "they will not meet")
    assert msgspec.json.encode(fact) == old


def test_a_failed_pairing_is_stored_with_its_reason_and_may_be_set_by_hand() -> None:
    story = Story(4, size=2).take(rounds.ask_pairing(Story(4, size=2).state, {}, BY))
    conflict = Message("{first} and {second} must not meet", {"first": "e1", "second": "e2"})
    story.take(rounds.fail_pairing(story.state, 1, "they will not meet", (conflict,)))
    assert (story.state.rounds[0].why, story.state.rounds[0].conflicts) == ("they will not meet", (conflict,))

    story.take(rounds.edit_tables(story.state, 1, [("e1", "e3"), ("e2", "e4")], [], "By hand.", BY))
    assert story.state.rounds[0].status == "proposed"
    assert story.state.rounds[0].edited


def test_two_players_are_swapped_and_a_bye_counts_as_a_place() -> None:
    story = propose_round(5, size=4, smallest=4)
    (bye,) = story.state.rounds[0].byes
    other = story.tables[0][2]
    story.take(rounds.swap(story.state, 1, bye, other, "They asked for it.", BY))

    assert story.state.rounds[0].byes == (other,)
    assert story.tables[0][2] == bye
    with pytest.raises(NoSuchEntry):
        rounds.swap(story.state, 1, "e9", "e1", "They asked for it.", BY)


def test_a_player_moves_to_a_free_seat_or_to_the_byes() -> None:
    story = propose_round(7, size=4)
    four, three = sorted(story.tables, key=len, reverse=True)
    to = story.tables.index(three) + 1
    story.take(rounds.move(story.state, 1, four[0], to, "They asked for it.", BY))
    assert four[0] in story.tables[to - 1]
    assert story.state.rounds[0].levels
    story.take(rounds.move(story.state, 1, four[0], 0, "They asked for it.", BY))
    assert story.state.rounds[0].byes == (four[0],)
    with pytest.raises(NoSuchRound, match="no table 9"):
        rounds.move(story.state, 1, four[0], 9, "They asked for it.", BY)
    with pytest.raises(TournamentRefused, match="would have 5 seats; allowed are 2 to"):
        rounds.move(propose_round(8).state, 1, propose_round(8).tables[0][0], 2, "They asked for it.", BY)


def test_players_outside_of_the_round_cannot_be_moved() -> None:
    story = propose_round(4)
    story.enter("late")

    with pytest.raises(TournamentRefused, match="e5 is not in round 1"):
        rounds.move(story.state, 1, "e5", 1, "They asked for it.", BY)
    with pytest.raises(TournamentRefused, match="e5 is not in round 1"):
        rounds.swap(story.state, 1, "e5", "e1", "They asked for it.", BY)


def test_an_emptied_table_disappears() -> None:
    story = Story(5, size=4).take(rounds.ask_pairing(Story(5, size=4).state, {}, BY))
    story.take(rounds.answer_pairing(story.state, 1, Pairing((("e1", "e2"), ("e3", "e4", "e5"))), [(), ()]))
    story.take(rounds.edit_tables(story.state, 1, [FOUR], ["e5"], "By hand.", BY))

    assert story.tables == (FOUR,)


def test_proven_bounds_survive_an_edit() -> None:
    story = Story(8, size=4, stages=(Stage("swiss", 3),)).play().pair()
    before = {level.name: level.bound for level in story.state.rounds[1].levels}
    one, other = story.tables[0][0], story.tables[1][0]
    story.take(rounds.swap(story.state, 2, one, other, "They asked for it.", BY))

    for level in story.state.rounds[1].levels:
        assert level.bound == min(level.value, before[level.name])


def test_a_result_needs_a_table_of_a_public_round() -> None:
    story = Story(4, size=4, face_to_face=True).pair()
    with pytest.raises(NoSuchRound, match="round 1 has not started"):
        rounds.enter_result(story.state, 1, 1, (1, 2, 3, 4), (4, 3, 2, 1), BY)
    story.publish()
    with pytest.raises(NoSuchRound, match="round 1 has no table 2"):
        rounds.enter_result(story.state, 1, 2, (1, 2, 3, 4), (4, 3, 2, 1), BY)
    with pytest.raises(NoSuchRound, match="round 7 has not started"):
        rounds.enter_result(story.state, 7, 1, (1, 2, 3, 4), (4, 3, 2, 1), BY)


@pytest.mark.parametrize(
    ("scores", "places", "sentence"),
    [
        ((1, 2, 3), (3, 2, 1), "4 seats; there are 3 scores and 3 places"),
        ((1, 2, 3, 1_000_000), (1, 2, 3, 4), "points must be between -"),
        ((4, 3, 2, 1), (1, 2, 2, 3), "the places 1, 2, 2, 3 are not possible; possible are: 1, 2, 2, 4"),
    ],
)
def test_an_impossible_result_is_refused(scores: tuple[int, ...], places: tuple[int, ...], sentence: str) -> None:
    story = Story(4, face_to_face=True).pair().publish()

    with pytest.raises(WrongResult, match=sentence):
        rounds.enter_result(story.state, 1, 1, scores, places, BY)


def test_face_to_face_results_are_marked_and_played_tables_need_a_ruling() -> None:
    story = Story(4, face_to_face=True, stages=(Stage("swiss", 1),)).pair().publish()
    story.take(rounds.enter_result(story.state, 1, 1, (9, 8, 7, 6), (1, 2, 3, 4), BY))
    result = story.state.rounds[0].tables[0].given
    assert result is not None
    assert not result.ruled
    assert story.close().state.status == "ended"

    face_to_face = Story(4).pair().publish()
    with pytest.raises(TournamentRefused, match="is played online; its result comes from the match"):
        rounds.enter_result(face_to_face.state, 1, 1, (9, 8, 7, 6), (1, 2, 3, 4), BY)
    with pytest.raises(TournamentRefused, match="a ruling needs a reason"):
        rounds.rule_table(face_to_face.state, 1, 1, (9, 8, 7, 6), (1, 2, 3, 4), "", BY)
    assert rounds.rule_table(face_to_face.state, 1, 1, (1, 8, 7, 6), (1, 2, 3, 4), "The first gave up.", BY, sure=True)
    face_to_face.take(
        rounds.rule_table(face_to_face.state, 1, 1, (9, 8, 7, 6), (1, 2, 3, 4), "nobody came", BY)
    ).close()
    assert face_to_face.state.rounds[0].status == "closed"


def test_a_round_with_an_open_dispute_is_not_closed() -> None:
    story = Story(4).pair().publish().result(1, 4, 3, 2, 1)

    with pytest.raises(TournamentRefused, match="open dispute at table 1 of round 1"):
        rounds.close_round(story.state, 1, story.results, (1,), BY)


def test_a_round_without_all_results_is_not_closed() -> None:
    story = Story(14, size=2).pair().publish()

    with pytest.raises(TournamentRefused, match="round 1 has no result yet for tables 1, 2, 3, 4, 5 and 2 more"):
        rounds.close_round(story.state, 1, {}, (), BY)
    for number in range(1, 7):
        story.result(number, 2, 1)
    with pytest.raises(TournamentRefused, match="round 1 has no result yet for table 7"):
        rounds.close_round(story.state, 1, story.results, (), BY)
