"""Circuits: contests, official standings, their corrections, and the places in the final."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from domain.circuits import commands, decisions, facts
from domain.circuits.acts import CircuitAct, act_of
from domain.circuits.changes import RankChange, rank_changes
from domain.circuits.fact_base import ContestKey
from domain.circuits.facts import Fact, SettledLine
from domain.circuits.final import FinalAnswer, NextInvitations, next_invitations
from domain.circuits.plan import CONTESTS_MAX, CircuitRefused
from domain.circuits.state import CIRCUIT, Circuit
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import commands as leagues
from domain.leagues.plan import LeaguePlan
from domain.matches.errors import NoSuchStream, StaleVersion
from domain.roles.audit import AUDIT, AUDIT_STREAM, EventActed
from domain.tournaments import commands as tournaments
from tests.domain.circuits.circuit_stories import ID, START, CircuitStory, contest, plan_with, standings_of, tournament
from tests.domain.tournaments.building import plan_with as tournament_plan

SEASON = ContestKey("season", UUID(int=70), 1)
FINAL = tournament(50)
RESULTS = (contest(1, "a", "b", "c", "d", "e"), contest(2, "a", "c", "b", "d", "e"))


def settled_circuit(**plan: Any) -> CircuitStory:
    """Return a circuit of two tournaments with official standings: a, b, c, d, e."""
    story = CircuitStory(**{"qualify": 2, **plan})
    story.has(1, 2)
    story.settles(*RESULTS)
    story.adds(decisions.name_final(story.state, "org", FINAL))
    return story


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"best": 3}, "the best 3 results count, but the circuit has only 2 contests"),
        ({"results_min": 4}, "a rank needs 4 results, but the circuit has only 2 contests"),
    ],
)
def test_a_plan_that_counts_more_results_than_contests_gives_no_standings(plan: dict[str, int], message: str) -> None:
    story = CircuitStory(**plan)
    story.has(1, 2)

    with pytest.raises(CircuitRefused, match=message):
        story.settles(*RESULTS)


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda state: decisions.add_contest(state, "org", tournament(1), inside=()), "already counts"),
        (lambda state: decisions.add_contest(state, "org", FINAL, inside=()), "the final does not count"),
        (
            lambda state: decisions.add_contest(state, "org", ContestKey("circuit", ID), inside={ID}),
            f"the circuit 'Island circuit' cannot contain itself: {ID}",
        ),
        (
            lambda state: decisions.add_contest(state, "org", ContestKey("circuit", FINAL.id), inside={FINAL.id, ID}),
            "cannot contain itself through another circuit",
        ),
        (
            lambda state: decisions.add_contest(state, "org", ContestKey("circuit", FINAL.id), inside=(), depth=4),
            "at most 3 circuits can be inside each other, not 4",
        ),
        (lambda state: decisions.add_contest(state, "org", replace(SEASON, season=0), inside=()), "needs a number"),
        (lambda state: decisions.add_contest(state, "org", replace(FINAL, season=2), inside=()), "needs a number"),
        (lambda state: decisions.withdraw_contest(state, "org", tournament(3), "Void."), "does not count"),
        (lambda state: decisions.name_final(state, "org", tournament(1)), "the final does not count"),
        (lambda state: decisions.name_final(state, "org", ContestKey("circuit", ID)), "not a circuit"),
        (lambda state: decisions.name_final(state, "org", replace(FINAL, season=2)), "needs a number"),
        (lambda state: decisions.settle(state, "org", (), ()), "the circuit has no contest"),
        (
            lambda state: decisions.settle(state, "org", (contest(1), contest(2, status="running")), ()),
            "the contest 'Contest 2' is not over",
        ),
    ],
)
def test_what_contradicts_a_circuit_is_refused(attempt: Callable[[Circuit], Fact], message: str) -> None:
    story = CircuitStory()
    story.has(1, 2)
    story.adds(decisions.name_final(story.state, "org", FINAL))

    with pytest.raises(CircuitRefused, match=message):
        attempt(story.state)


def test_a_circuit_has_a_limited_number_of_contests() -> None:
    story = CircuitStory()
    story.has(*range(CONTESTS_MAX))

    with pytest.raises(CircuitRefused, match="a circuit has at most 100 contests"):
        story.has(CONTESTS_MAX)


def test_a_withdrawn_contest_may_count_again_as_the_last_one() -> None:
    story = CircuitStory()
    story.has(1, 2)
    story.adds(decisions.withdraw_contest(story.state, "org", tournament(1), "Only three players came."))
    withdrawn = story.state
    with pytest.raises(CircuitRefused, match="does not count"):
        decisions.withdraw_contest(withdrawn, "org", tournament(1), "Again.")
    story.has(1)

    assert [each.key for each in withdrawn.active_contests] == [tournament(2)]
    known = withdrawn.contest(tournament(1))
    assert known is not None
    assert known.withdrawn == "Only three players came."
    assert [each.key for each in story.state.contests] == [tournament(2), tournament(1)]
    assert story.state.contest(tournament(3)) is None


def test_official_standings_end_the_circuit() -> None:
    story = settled_circuit()

    assert [(line.actor, line.rank) for line in story.state.settled] == [
        ("a", 1),
        ("b", 2),
        ("c", 2),
        ("d", 4),
        ("e", 5),
    ]
    assert story.state.is_settled
    with pytest.raises(CircuitRefused, match="is over and accepts no further contests"):
        story.has(3)
    with pytest.raises(CircuitRefused, match="its points and rules cannot be changed"):
        decisions.change_plan(story.state, "org", plan_with(best=1))
    story.adds(decisions.change_plan(story.state, "org", plan_with(name="Tour", qualify=3), "A third place."))
    assert story.state.plan.qualify == 3


def test_a_correction_of_official_standings_shows_who_moved() -> None:
    story = settled_circuit()
    before, first_time = story.state.settled, story.state.settled_at
    with pytest.raises(CircuitRefused, match="the official standings are up to date"):
        story.settles(*RESULTS)
    story.settles(RESULTS[0], contest(2, "c", "a", "b", "d"), reason="A ruling.")

    assert story.state.settled_at == first_time
    assert rank_changes(before, story.state.settled) == (
        RankChange("a", 1, 1, 1200, 960),
        RankChange("c", 2, 2, 600, 840),
        RankChange("b", 2, 3, 600, 600),
        RankChange("e", 5, 5, 120, 60),
    )
    assert rank_changes((SettledLine("x", 1, 60),), (SettledLine("y", 1, 60),)) == (
        RankChange("y", 0, 1, 0, 60),
        RankChange("x", 1, 0, 60, 0),
    )


Answers = dict[str, FinalAnswer]


@pytest.mark.parametrize(
    ("answers", "unfit", "people"),
    [
        ({}, "", "ab"),
        ({"a": "invited", "b": "entered"}, "", ""),
        ({"a": "declined", "b": "entered"}, "", "c"),
        ({"a": "left", "b": "withdrawn"}, "", "cd"),
        ({"a": "entered"}, "b", "c"),
        # Someone further down who has entered takes no place.
        ({"e": "entered"}, "", "ab"),
        ({"a": "declined", "b": "declined", "c": "declined", "d": "declined", "e": "declined"}, "", ""),
    ],
)
def test_places_in_the_final_go_down_the_ranking(answers: Answers, unfit: str, people: str) -> None:
    story = settled_circuit(tie_breaks=("wins", "recent"))
    # a has 20 points, c and b 10 each: c was better in the last contest.
    order = {"a": "a", "b": "c", "c": "b", "d": "d", "e": "e"}
    found = next_invitations(
        story.state, {order[actor]: answer for actor, answer in answers.items()}, [order[each] for each in unfit], START
    )

    assert found == NextInvitations(tuple(order[each] for each in people))


def test_people_who_were_to_be_invited_are_invited_again_after_an_interruption() -> None:
    story = settled_circuit()
    until = story.at + timedelta(days=7)
    people = next_invitations(story.state, {}, (), story.at).people
    story.adds(facts.QualifiedInvited("org", FINAL, people, until))

    assert next_invitations(story.state, {}, (), story.at) == NextInvitations(people)
    assert next_invitations(story.state, {people[0]: "invited"}, (), story.at) == NextInvitations(people[1:])


def test_the_place_of_someone_who_does_not_answer_goes_to_the_next() -> None:
    story = settled_circuit(tie_breaks=("recent",))
    until = story.at + timedelta(days=7)
    story.adds(facts.QualifiedInvited("org", FINAL, ("a", "c"), until))
    answers: Answers = {"a": "invited", "c": "entered"}

    assert next_invitations(story.state, answers, (), until - timedelta(seconds=1)) == NextInvitations()
    assert next_invitations(story.state, answers, (), until) == NextInvitations(("b",), ("a",))


def test_a_later_correction_takes_no_place_away() -> None:
    story = settled_circuit(tie_breaks=("recent",))
    story.adds(facts.QualifiedInvited("org", FINAL, ("a", "c"), None))
    story.settles(contest(1, "d", "e", "b", "a"), contest(2, "d", "e", "b", "a", "c"), reason="A ruling.")

    assert [line.actor for line in story.state.settled] == ["d", "e", "b", "a", "c"]
    assert next_invitations(story.state, {"a": "entered", "c": "invited"}, (), START) == NextInvitations()
    assert next_invitations(story.state, {"a": "entered", "c": "declined"}, (), START) == NextInvitations(("d",))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"settled_at": None}, "the standings are not official yet"),
        ({"final": None}, "name the final first"),
        ({"plan": plan_with()}, "the plan of the circuit has no places in a final"),
    ],
)
def test_no_one_is_invited_without_standings_final_and_places(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(CircuitRefused, match=message):
        next_invitations(replace(settled_circuit().state, **changes), {}, (), START)


def test_the_final_stays_once_people_are_invited() -> None:
    story = settled_circuit()
    story.adds(decisions.name_final(story.state, "org", None), decisions.name_final(story.state, "org", SEASON))
    story.adds(facts.QualifiedInvited("org", SEASON, ("a", "b")))

    assert [each.actor for each in story.state.invited_to_final] == ["a", "b"]
    story.adds(decisions.name_final(story.state, "org", SEASON))
    with pytest.raises(CircuitRefused, match="2 people are already invited to the final"):
        decisions.name_final(story.state, "org", FINAL)


def stored_circuit(matches: Matches, number: int = 0) -> UUID:
    return commands.open_circuit(matches, UUID(int=ID.int + number), "org", plan_with(), at=START).id


def acts_of(matches: Matches, circuit_id: UUID) -> list[CircuitAct]:
    state, acts = None, list[CircuitAct]()
    for record in matches.streams.records(circuit_id):
        fact = CIRCUIT.read(record)
        if state is not None and (act := act_of(state, record, fact)) is not None:
            acts.append(act)
        state = CIRCUIT.evolve(state, record, fact)
    return acts


def test_acts_are_recorded_with_their_reasons(matches: Matches) -> None:
    circuit = stored_circuit(matches)
    assert commands.open_circuit(matches, circuit, "org", plan_with(name="Other"), at=START).state.plan.name != "Other"
    event = tournaments.open_tournament(matches, tournament(1).id, tournament_plan(), "org", at=START)
    league_plan = LeaguePlan(name="Serra", title="el_grande", size=2)
    leagues.open_league(matches, SEASON.id, "org", league_plan, at=START)
    commands.add_contest(matches, circuit, "org", tournament(1), at=START)
    commands.add_contest(matches, circuit, "org", SEASON, 150, at=START)

    def execute(decide: Callable[[Circuit], Fact], **options: Any) -> Circuit:
        return commands.execute(matches, circuit, decide, at=START, **options).state

    with pytest.raises(CircuitRefused, match="the withdrawal of a contest needs"):
        commands.withdraw_contest(matches, circuit, "org", SEASON, " ", at=START)
    with pytest.raises(CircuitRefused, match="a change of the plan with contests"):
        execute(lambda state: decisions.change_plan(state, "org", plan_with(best=1)))
    with pytest.raises(StaleVersion):
        execute(lambda state: decisions.change_plan(state, "org", plan_with(best=1), "So."), expected_version=2)
    commands.withdraw_contest(matches, circuit, "org", SEASON, "Void.", at=START)
    commands.name_final(matches, circuit, "org", SEASON, at=START)
    commands.name_final(matches, circuit, "org", None, at=START)
    results = (contest(1, "a", "b"),)
    execute(lambda state: decisions.settle(state, "org", results, standings_of(state.plan, *results)))
    changed = (contest(1, "b", "a"),)
    lines = standings_of(plan_with(), *changed)
    with pytest.raises(CircuitRefused, match="a correction of the official standings needs a reason"):
        execute(lambda state: decisions.settle(state, "org", changed, lines))
    execute(lambda state: decisions.settle(state, "org", changed, lines, "A ruling."))
    execute(lambda _: facts.QualifiedInvited("org", FINAL, ("b", "a")))

    acts = acts_of(matches, circuit)
    assert [(act.kind, act.reason) for act in acts] == [
        ("contest_added", ""),
        ("contest_added", ""),
        ("contest_withdrawn", "Void."),
        ("final_named", ""),
        ("final_named", ""),
        ("standings_settled", ""),
        ("standings_corrected", "A ruling."),
        ("qualified_invited", ""),
    ]
    assert (acts[0].contest, acts[1].weight) == (ContestKey("tournament", event.id), 150)
    assert [(each.actor, each.was_rank, each.rank) for each in acts[6].changes] == [("b", 2, 1), ("a", 1, 2)]
    assert acts[7].people == ("b", "a")
    trail = [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]
    assert [fact.act for fact in trail if isinstance(fact, EventActed)] == [act.kind for act in acts]


def test_contests_must_exist(matches: Matches) -> None:
    circuit = stored_circuit(matches)
    leagues.open_league(matches, SEASON.id, "org", LeaguePlan(name="Serra", title="el_grande", size=2), at=START)
    for key in (tournament(1), ContestKey("circuit", UUID(int=1)), replace(SEASON, season=2)):
        with pytest.raises(NoSuchStream):
            commands.add_contest(matches, circuit, "org", key, at=START)
    with pytest.raises(NoSuchStream):
        commands.name_final(matches, circuit, "org", tournament(1), at=START)


def test_a_circuit_never_contains_itself_through_others(matches: Matches) -> None:
    first, second, third, fourth = (stored_circuit(matches, number) for number in range(4))

    def add(outer: UUID, inner: UUID) -> None:
        commands.add_contest(matches, outer, "org", ContestKey("circuit", inner), at=START)

    add(third, first)
    add(second, first)
    add(third, second)
    for outer, inner in ((first, first), (first, second), (first, third)):
        with pytest.raises(CircuitRefused, match="cannot contain itself"):
            add(outer, inner)
    for outer, inner in ((fourth, third), (first, fourth)):
        with pytest.raises(CircuitRefused, match="at most 3 circuits can be inside each other, not 4"):
            add(outer, inner)
    add(fourth, second)


def test_circuits_around_a_withdrawn_one_do_not_count(matches: Matches) -> None:
    first, second, third, fourth = (stored_circuit(matches, number) for number in range(4))
    for outer, inner in ((third, second), (second, first)):
        commands.add_contest(matches, outer, "org", ContestKey("circuit", inner), at=START)
    before = matches.streams.get(CIRCUIT, second)
    commands.withdraw_contest(matches, third, "org", ContestKey("circuit", second), "Another year.", at=START)
    commands.add_contest(matches, first, "org", ContestKey("circuit", fourth), at=START)
    after = matches.streams.get(CIRCUIT, second)

    assert (before.state.outer, after.state.outer) == ((third,), ())
    with pytest.raises(CircuitRefused, match="at most 3 circuits can be inside each other, not 4"):
        commands.add_contest(matches, third, "org", ContestKey("circuit", second), at=START)
    records = matches.streams.records(second)
    assert [act_of(before.state, record, CIRCUIT.read(record)) for record in (records[1], records[-1])] == [None, None]
