"""Decisions compared with the analysis of a match: attribution, shares and comparison."""

from collections.abc import Sequence
from typing import Final

from domain.analyses.report import STANDARD, Analysis
from domain.eventstore.application import Matches
from domain.integrity.agreement import (
    AnalysedMatch,
    Rate,
    SeatAgreement,
    Tally,
    agreements,
    habits,
    rates,
    seat_agreements,
)
from domain.integrity.base_rates import MATCHES_MIN, OTHERS_MIN
from domain.integrity.thinking import DECISIONS_MIN
from domain.kernel.values import replace
from domain.matches.facts import ActionTaken
from domain.ratings.ladder import Pool
from tests.domain.analyses.test_report import decision
from tests.domain.integrity.generated_matches import make_match
from tests.domain.matches.match_helpers import facts
from tests.projections.tables import at, open_started_match, play_match

MANY: Final = tuple(f"p{number:02}" for number in range(OTHERS_MIN + 1))
USUAL: Final = Tally(40, 12, 8, 6_000)
UNUSUAL: Final = Tally(40, 38, 2, 0)
BOTS: Final = SeatAgreement(True, Tally(40, 20, 4, 4_000))


def make_compared(number: int, order: Sequence[str | None], *tallies: Tally) -> AnalysedMatch:
    """Return a match in which people made these decisions; None is a bot."""
    own = iter(tallies)
    return AnalysedMatch(
        make_match(number, order), tuple(BOTS if each is None else SeatAgreement(False, next(own)) for each in order)
    )


def club(unusual: str = "", matches: int = MATCHES_MIN, people: Sequence[str] = MANY) -> list[AnalysedMatch]:
    """Return matches of everyone against a bot; `unusual` plays like the analysis."""
    return [
        make_compared(round_ * 100 + number, [person, None], UNUSUAL if person == unusual else USUAL)
        for round_ in range(matches)
        for number, person in enumerate(people)
    ]


def test_a_tally_has_shares_and_a_mean_but_none_of_too_few_decisions() -> None:
    assert Tally(40, 12, 8, 6_000).figures == {"best": 300, "good": 500, "lost": 150}
    assert Tally(DECISIONS_MIN - 1, 9, 0, 0).figures == {}


def test_decisions_made_by_others_for_a_seat_are_left_out(matches: Matches) -> None:
    match = play_match(matches, open_started_match(matches, 1, ("ann", "ben", "bot:random@1")), 4)
    matches.replace_seat(match.id, 0, "ann", actor="bot:random@1", at=at(5))
    match = play_match(matches, matches.get(match.id))
    actions = [(entry, each) for entry, each in enumerate(facts(matches, match.id), 1) if isinstance(each, ActionTaken)]
    looked = tuple(replace(decision(300, seat=each.seat), entry=entry) for entry, each in actions if each.seat >= 0)
    analysis = Analysis(1, "toy", str(match.id), match.head, match.version, 3, STANDARD, looked, ())

    decisions = seat_agreements(match, matches.entries(match.id), analysis)

    assert [each.bot for each in decisions] == [False, False, True]
    acted = [[each.by for _, each in actions if each.seat == seat] for seat in range(3)]
    assert 0 < acted[0].count("ann") < len(acted[0])
    assert [each.tally.decisions for each in decisions] == [acted[0].count("ann"), len(acted[1]), len(acted[2])]
    assert decisions[1].tally == Tally(len(acted[1]), 0, 0, 300 * len(acted[1]))


def test_a_player_who_plays_like_the_analysis_is_unusual_in_a_match_and_overall() -> None:
    known = club(unusual="p07")
    everybody, found = habits(known), agreements(known)

    (habit,) = [each for each in everybody if each.person == "p07"]
    assert (habit.matches, habit.tally.decisions) == (MATCHES_MIN, 40 * MATCHES_MIN)
    assert {(each.measure, each.value) for each in habit.standings} == {("best", 950), ("good", 1_000), ("lost", 0)}
    assert all((each.count, each.beyond, each.stands_out) == (len(MANY) - 1, 0, True) for each in habit.standings)
    assert len(found) == len(MANY) * MATCHES_MIN
    marked = {each.person for each in found if any(standing.stands_out for standing in each.standings)}
    assert marked == {"p07"}
    assert {each.count for row in found for each in row.standings} == {(len(MANY) - 1) * MATCHES_MIN}


def test_too_few_matches_decisions_or_others_give_no_figures() -> None:
    assert habits(club(matches=MATCHES_MIN - 1)) == ()
    assert habits(club(people=MANY[:OTHERS_MIN])) == ()
    (alone,) = agreements([make_compared(1, ["ann", None], USUAL)])
    assert (alone.person, alone.tally, alone.standings) == ("ann", USUAL, ())
    (short,) = agreements([make_compared(1, ["ann", None], Tally(3, 3, 0, 0))])
    assert (short.tally.decisions, short.standings) == (3, ())
    assert agreements([make_compared(1, [None, None])]) == ()


def test_base_rates_separate_people_and_bots_and_skip_replaced_players() -> None:
    substituted = AnalysedMatch(
        make_match(3, ["ann", None]), (SeatAgreement(False, USUAL), SeatAgreement(False, UNUSUAL))
    )
    known = [make_compared(1, ["ann", "ben"], USUAL, UNUSUAL), make_compared(2, ["ann", None], USUAL), substituted]

    assert rates(known) == (
        Rate(Pool("toy", 2), False, 4, Tally(160, 74, 26, 18_000)),
        Rate(Pool("toy", 2), True, 1, BOTS.tally),
    )
    assert rates([make_compared(1, ["ann", None], Tally(3, 3, 0, 0))])[0].bots
