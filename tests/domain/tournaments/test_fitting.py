"""A proposal that no longer fits is refused with the reasons."""

import pytest

from domain.kernel.messages import say
from domain.standings.contest import Stage
from domain.tournaments import facts, registration, rounds
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.proposal_checks import list_misfits
from domain.tournaments.steps import take_step
from tests.domain.tournaments.building import BY, Story


def describe_misfits(story: Story) -> list[str]:
    return [say(message) for message in list_misfits(story.state, story.results)]


def test_a_withdrawn_player_blocks_publication() -> None:
    story = Story(4, size=2).pair()
    gone = story.tables[0][0]
    assert describe_misfits(story) == []
    story.take(*registration.withdraw(story.state, gone, BY, "Ill."))

    with pytest.raises(TournamentRefused, match=f"round 1 no longer fits; pair it again: {gone} has withdrawn"):
        rounds.publish(story.state, 1, story.results, BY)
    story.pair(again=1).publish()
    assert gone not in story.state.rounds[0].people
    assert describe_misfits(story) == []


def test_a_bye_of_a_withdrawn_player_blocks_publication() -> None:
    story = Story(5, size=4, smallest=4).pair()
    (bye,) = story.state.rounds[0].byes
    story.take(*registration.withdraw(story.state, bye, BY, "Ill."))

    assert describe_misfits(story) == [f"{bye} has withdrawn."]


def test_a_ruling_on_the_previous_round_changes_the_players() -> None:
    story = Story(4, size=2, stages=(Stage("elimination"),)).set(("e1", "e2"), ("e3", "e4"))
    story.result(1, 9, 1).result(2, 9, 1).close().pair()
    assert sorted(story.state.rounds[-1].people) == ["e1", "e3"]
    story.take(rounds.rule_table(story.state, 1, 1, (1, 9), (2, 1), "They had changed seats.", BY))

    assert describe_misfits(story) == [
        "e1 no longer plays in this round, given the current results.",
        "e2 takes part but has no seat in this pairing.",
    ]


def test_pair_rules_set_after_the_proposal_are_reported() -> None:
    story = Story(4, size=2).pair()
    (one, other), (third, _) = story.tables
    story.take(registration.set_pairs(story.state, [(one, other)], [(one, third)], BY))

    assert describe_misfits(story) == [f"{one} and {other} must not meet", f"{one} and {third} must sit together"]
    story.take(registration.set_pairs(story.state, [(one, third)], [(one, other)], BY))
    assert describe_misfits(story) == []


def test_a_forbidden_pair_may_be_seated_by_hand_with_a_note() -> None:
    story = Story(4, size=2)
    story.take(registration.set_pairs(story.state, [("e1", "e2")], [], BY)).pair()
    beside = next(name for table in story.tables if "e1" in table for name in table if name != "e1")
    story.take(rounds.swap(story.state, 1, beside, "e2", "They asked for it.", BY))
    table = next(table for table in story.state.rounds[0].tables if "e1" in table.entries)

    assert describe_misfits(story) == []
    assert "e1 and e2 must not meet, but the organiser seated them together." in map(say, table.reasons)
    assert rounds.publish(story.state, 1, story.results, BY).round == 1


def test_an_automatic_event_pairs_an_unfit_proposal_again() -> None:
    story = Story(4, size=2, auto=True).pair()
    story.take(*registration.withdraw(story.state, story.tables[0][0], BY, "Ill."))

    (fact,) = take_step(story.state, story.results, "publish")
    assert isinstance(fact, facts.PairingAsked)
    assert len(fact.problem.entrants) == 3


def test_only_a_proposal_can_be_unfit() -> None:
    assert describe_misfits(Story(4)) == []
    assert describe_misfits(Story(4).pair().publish()) == []


def test_editing_a_proposal_needs_a_reason() -> None:
    story = Story(4, size=2).pair()
    one, other = story.tables[0][0], story.tables[1][0]
    with pytest.raises(TournamentRefused, match="a change of the proposal needs a reason"):
        rounds.swap(story.state, 1, one, other, " ", BY)

    assert rounds.swap(story.state, 1, one, other, " One drives the other. ", BY).reason == "One drives the other."
