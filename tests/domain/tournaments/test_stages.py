"""Formats: rounds, their players and the end of stages."""

import pytest

from domain.pairing.problem import PairingRefused
from domain.standings.contest import Scoring, Stage, StageKind
from domain.standings.ranking import standings
from domain.standings.results import TableResult
from domain.tournaments import no_shows, registration
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.preparation import missing_player_count, next_stage, prepare_problem
from tests.domain.tournaments.building import BY, Story


def names(story: Story) -> list[str]:
    return [row.entry for row in standings(story.state, story.results)]


def test_a_swiss_pairs_by_score_and_ends_after_its_rounds() -> None:
    story = Story(8, stages=(Stage("swiss", 2),), size=4)
    story.play()
    first = {frozenset(table) for table in story.tables}
    story.play()

    assert story.state.status == "ended"
    assert {frozenset(table) for table in story.tables} != first
    assert names(story)[0] == "e8"


def test_tables_of_two_are_paired_by_the_dutch_system_with_colours_and_floats() -> None:
    story = Story(7, stages=(Stage("swiss", 4),), size=2)
    for _ in range(4):
        story.play()

    met = [frozenset(table.entries) for each in story.state.rounds for table in each.tables]
    assert {each.engine for each in story.state.rounds} == {"dutch"}
    assert len(met) == len(set(met)) == 12
    assert len({name for each in story.state.rounds for name in each.byes}) == 4


@pytest.mark.parametrize(("count", "size", "rounds_", "times"), [(4, 2, 3, 1), (9, 3, 4, 1), (16, 4, 5, 1)])
def test_in_a_round_robin_everyone_meets_equally_often(count: int, size: int, rounds_: int, times: int) -> None:
    story = Story(count, stages=(Stage("round_robin"),), size=size)
    while story.state.status != "ended":
        story.play()

    met: dict[frozenset[str], int] = {}
    for each in story.state.rounds:
        for table in each.tables:
            for one in table.entries:
                for other in table.entries:
                    if one < other:
                        met[frozenset((one, other))] = met.get(frozenset((one, other)), 0) + 1
    assert len(story.state.rounds) == rounds_
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {times}


def test_a_round_robin_without_a_design_is_as_even_as_possible() -> None:
    story = Story(6, stages=(Stage("round_robin", 2),), size=4).play()

    assert story.state.rounds[0].engine == "schedule"


def test_leaving_a_round_robin_makes_smaller_tables_or_byes() -> None:
    story = Story(4, stages=(Stage("round_robin"),), size=2).play()
    story.take(*registration.withdraw(story.state, "e2", BY, "Ill.")).play()

    last = story.state.rounds[1]
    assert len(last.tables) == 1
    assert len(last.byes) == 1
    assert "e2" not in last.people


def test_an_oversized_round_robin_is_refused() -> None:
    story = Story(stages=(Stage("round_robin"),), size=2)
    for _ in range(201):
        story.enter("bot:random@1")

    with pytest.raises((TournamentRefused, PairingRefused), match="200"):
        prepare_problem(story.state, {}, BY)


def test_an_elimination_continues_until_one_table_is_left() -> None:
    """16 at tables of 4 with two advancing: 16, 8, then the four left play the final."""
    story = Story(16, stages=(Stage("elimination", advance=2),), size=4)
    sizes = []
    while story.state.status != "ended":
        story.play()
        sizes.append(len(story.state.rounds[-1].people))

    assert sizes == [16, 8, 4]
    assert names(story)[:4] == ["e16", "e15", "e14", "e13"]
    assert {row.rank for row in standings(story.state, story.results)} >= {1, 2, 3, 4}


def test_a_double_elimination_allows_one_loss() -> None:
    story = Story(8, stages=(Stage("elimination", advance=1, lives=2),), size=2)
    losses: dict[str, int] = {}
    while story.state.status != "ended":
        story.play()
        for table in story.state.rounds[-1].tables:
            loser = min(table.entries, key=lambda name: int(name[1:]))
            losses[loser] = losses.get(loser, 0) + 1

    assert names(story)[0] == "e8"
    assert sorted(losses.values()) in ([1, 2, 2, 2, 2, 2, 2], [1, 1, 2, 2, 2, 2, 2, 2], [2] * 7)


def test_an_elimination_ends_when_one_player_is_left() -> None:
    story = Story(6, stages=(Stage("elimination"),), size=2).play()
    for name in ("e6", "e5"):
        story.take(*registration.withdraw(story.state, name, BY, "Ill."))

    assert next_stage(story.state, story.results) is None
    with pytest.raises(TournamentRefused, match="all stages have been played"):
        prepare_problem(story.state, story.results, BY)


def test_a_voided_table_of_an_elimination_costs_no_life() -> None:
    story = Story(4, stages=(Stage("elimination"),), size=2).pair().publish().result(1, 2, 1)
    match = story.state.rounds[0].tables[1].match
    assert match is not None
    story.results[match] = TableResult((), (), void=True)
    story.close().pair()

    assert len(story.state.rounds[1].people) == 3


def test_heats_lead_to_a_final_table_of_the_best() -> None:
    story = Story(8, stages=(Stage("heats", 2), Stage("final", cut=4)), size=4)
    story.play().play()
    best = set(names(story)[:4])
    story.play()

    assert story.state.status == "ended"
    assert set(story.tables[0]) == best
    assert len(story.state.rounds[2].tables) == 1
    assert set(names(story)[:4]) == best


def test_a_stage_may_reset_or_carry_points() -> None:
    for carry, expected in ((True, 3), (False, 1)):
        stages = (Stage("swiss", 2), Stage("swiss", 1, cut=4, carry=carry))
        story = Story(8, stages=stages, size=4, scoring=Scoring(tie_breaks=())).play().play().play()
        first = standings(story.state, story.results)[0]
        assert first.played == expected
        assert first.stage == 1


def test_a_later_stage_without_a_cut_takes_everyone_left() -> None:
    story = Story(6, stages=(Stage("swiss", 1), Stage("heats", 1)), size=3).play()
    story.take(*registration.withdraw(story.state, "e1", BY, "Ill.")).pair()

    assert set(story.state.rounds[1].people) == {"e2", "e3", "e4", "e5", "e6"}


def test_a_late_entry_is_paired_from_the_next_round() -> None:
    story = Story(4, stages=(Stage("swiss", 3),), size=4).pair().publish()
    story.enter("late").result(1, 4, 3, 2, 1).close().pair()

    assert "e5" not in story.state.rounds[0].people
    assert "e5" in story.state.rounds[1].people


def test_an_absent_player_has_met_no_one_and_earns_nothing() -> None:
    story = Story(4, stages=(Stage("swiss", 2),), size=2, bot="bot:random@1").pair().publish()
    table = story.tables[0]
    story.take(no_shows.decide_no_show(story.state, 1, table[0], "bot:random@1", "not seen", BY))
    story.result(1, 9, 1).result(2, 5, 1).close()
    fact = prepare_problem(story.state, story.results, BY)
    known = {each.id: each for each in fact.problem.entrants}

    assert known[table[0]].score == 0
    assert known[table[0]].past[0].seat is None
    assert known[table[1]].past[0].opponents == ()


def test_a_round_needs_two_players_and_the_previous_round_closed() -> None:
    with pytest.raises(TournamentRefused, match="a round needs at least two players, not 1"):
        prepare_problem(Story(1).state, {}, BY)
    with pytest.raises(TournamentRefused, match="round 1 is not closed"):
        prepare_problem(Story(4).pair().publish().state, {}, BY)


@pytest.mark.parametrize(
    ("people", "kind", "smallest", "wanting"),
    [(0, "swiss", 3, 3), (2, "swiss", 3, 1), (3, "swiss", 2, 0), (8, "swiss", 4, 0), (1, "round_robin", 4, 1)],
)
def test_the_number_of_missing_players_is_known(people: int, kind: StageKind, smallest: int, wanting: int) -> None:
    story = Story(people, stages=(Stage(kind, 1),), size=4, smallest=smallest)

    assert missing_player_count(story.state, {}) == wanting


def test_no_players_are_missing_after_the_last_round() -> None:
    story = Story(4, stages=(Stage("swiss", 1),), size=4).pair().publish().result(1, 4, 3, 2, 1)
    story.close()

    assert missing_player_count(story.state, story.results) == 0


def test_the_number_of_rounds_is_limited() -> None:
    story = Story(8, stages=(Stage("elimination"),), size=4)
    for _ in range(60):
        story.pair().publish()
        for number, table in enumerate(story.tables, start=1):
            story.result(number, *(0,) * len(table))
        story.close()

    with pytest.raises(TournamentRefused, match="an event has at most 60 rounds"):
        prepare_problem(story.state, story.results, BY)
