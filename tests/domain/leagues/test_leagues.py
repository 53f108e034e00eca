"""Leagues: draw, play, rulings, closing, promotion, substitutes, history and refusals."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from domain.designs.shapes import Design, balance
from domain.kernel.values import replace
from domain.leagues import facts, invitations, seasons, substitutes
from domain.leagues.draw import deal, design_for, divide, group_count
from domain.leagues.plan import Division, LeaguePlan, LeagueRefused, check_league
from domain.leagues.season_state import GroupPlace, Holder
from domain.leagues.standings import fixtures, group_table, hall_of_fame, titles_won, unfinished_tables
from domain.leagues.state import LEAGUE, League, match_of
from domain.matches.facts import Clock, Table
from domain.matches.log.records import Stream
from domain.standings.contest import SizePoints
from domain.standings.results import Results, TableResult

ID = UUID(int=7)
START = datetime(2026, 1, 1, tzinfo=UTC)
PLAN = LeaguePlan(
    name="Island league",
    title="la_granja",
    size=3,
    divisions=(Division("First", 1, 7, 0, 2), Division("Second", 0, 7, 2, 0)),
    bot="bot:greedy@1",
)
ORDER = "abcdefghijklmnop"
NO_RESULTS: Results = {}


class Story:
    """A league built from its records."""

    def __init__(self, plan: LeaguePlan = PLAN) -> None:
        self.stream: Stream[League] | None = None
        self.at = START
        self.adds(seasons.open_league("org", plan))

    @property
    def league(self) -> League:
        assert self.stream is not None
        return self.stream.state

    def adds(self, *added: facts.Fact) -> None:
        for fact in added:
            self.at += timedelta(hours=1)
            self.stream = LEAGUE.apply(self.stream, LEAGUE.seal(ID, self.stream, fact, self.at))

    def season(self, name: str, players: str, results: Results = NO_RESULTS) -> None:
        """Open, enter and draw a season."""
        self.adds(seasons.open_season(self.league, "org", name))
        for number, player in enumerate(players):
            entry = seasons.enter(self.league, player, player, 1000 - number, is_organiser=False)
            self.adds(entry)
        self.adds(seasons.draw(self.league, "org", results))

    def substitutes(self, out: str, actor: str, turn: int, reason: str = "Ill.") -> None:
        """Name a substitute in the first group, who accepts."""
        self.adds(substitutes.substitute(self.league, "org", 0, out, actor, turn, reason))
        self.adds(invitations.accept(self.league, actor, self.league.invitations.open[-1].fact.to, 0))

    def opens_all(self) -> None:
        while self.league.seasons[-1].rounds_opened < self.league.seasons[-1].rounds:
            self.adds(*seasons.open_round(self.league, "org", self.at))

    def play_fixtures(self, ranking: str = ORDER, season: int = 1) -> dict[UUID, TableResult]:
        """Return all fixtures, each won by the first in the ranking."""
        result = {}
        for fixture in fixtures(self.league, self.league.seasons[season - 1], NO_RESULTS):
            places = [1 + sum(ranking.index(o) < ranking.index(p) for o in fixture.players) for p in fixture.players]
            scores = tuple(100 - 10 * place for place in places)
            result[fixture.match] = TableResult(tuple(places), scores)
        return result


def test_a_season_at_tables_of_three_is_exact_in_meetings_and_seats() -> None:
    story = Story()
    story.season("Spring", "abcdefghijklmn")
    first, second = story.league.seasons[0].groups

    assert [place.actor for place in first.places] == list("abcdefg")
    assert [place.actor for place in second.places] == list("hijklmn")
    for group in (first, second):
        counted = balance(Design(7, 3, group.rounds, group.built))
        assert (counted.meetings_min, counted.meetings_max) == (2, 2)
        assert counted.is_seated_exactly


def test_points_are_counted_and_a_void_match_counts_for_nobody() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.opens_all()
    results = story.play_fixtures()
    lines = group_table(story.league, story.league.seasons[0], 0, results)
    voided = next(fixture for fixture in fixtures(story.league, story.league.seasons[0], results))
    results[voided.match] = TableResult((), (), void=True)
    after = group_table(story.league, story.league.seasons[0], 0, results)

    assert [line.actor for line in lines] == list("abcdefg")
    assert sum(line.standing.points for line in lines) == 14 * 18 * 60
    assert sum(line.standing.points for line in after) == 13 * 18 * 60
    assert {line.standing.played for line in lines} == {6}
    assert unfinished_tables(story.league, story.league.seasons[0], results) == ()


def test_promotion_relegation_and_newcomers() -> None:
    """Two down, two up; newcomers fill free places by seeding; players who do not enter again are out."""
    story = Story()
    story.season("Spring", "abcdefghijklmn")
    story.opens_all()
    results = story.play_fixtures()
    season = story.league.seasons[0]
    moves = [[line.moves for line in group_table(story.league, season, at, results)] for at in (0, 1)]
    story.adds(seasons.close_season(story.league, "org", results))
    story.season("Autumn", "opnmlkjihgfedcb", results)
    groups = [sorted(place.actor for place in group.places) for group in story.league.seasons[1].groups]

    assert moves == [[0] * 5 + [1, 1], [-1, -1, 0, 0, 0, 0, 0]]
    # f and g are relegated, but the place of a is free, so the better of them stays up.
    assert groups == [sorted("bcdehif"), sorted("gjklmnop")]
    assert [each.champions for each in hall_of_fame(story.league, results)] == [("a",)]


def test_the_hall_of_fame_follows_current_results() -> None:
    story = Story(replace(PLAN, divisions=(Division("All", 0, 8),)))
    for name in ("Spring", "Autumn"):
        results = story.play_fixtures() if story.league.seasons else {}
        story.season(name, "abc", results)
        story.opens_all()
        results = {**results, **story.play_fixtures(season=len(story.league.seasons))}
        story.adds(seasons.close_season(story.league, "org", results))
    fame = hall_of_fame(story.league, results)
    other = {match: TableResult(result.places[::-1], result.scores[::-1]) for match, result in results.items()}

    assert [(each.name, each.champions, each.seconds, each.thirds) for each in fame] == [
        ("Autumn", ("a",), ("b",), ("c",)),
        ("Spring", ("a",), ("b",), ("c",)),
    ]
    assert titles_won(fame) == (("a", 2, 0, 0), ("b", 0, 2, 0), ("c", 0, 0, 2))
    assert hall_of_fame(story.league, other) != fame
    story.season("Winter", "abc", results)
    assert len(hall_of_fame(story.league, results)) == 2


def test_a_substitute_plays_from_a_round_on_and_points_stay_with_the_place() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.adds(*seasons.open_round(story.league, "org", story.at))
    story.adds(*seasons.leave(story.league, "c", "c"))
    with pytest.raises(LeagueRefused, match="c left: name substitutes before you open round 2"):
        seasons.open_round(story.league, "org", story.at)
    story.substitutes("c", "z", 3, "travels")
    story.substitutes("z", "y", 2, "")
    group = story.league.seasons[0].groups[0]
    place = group.places[2]

    assert place.holders == (Holder("c"), Holder("y", 2, is_substitute=True))
    assert [place.in_round(number) for number in (1, 2, 7)] == ["c", "y", "y"]
    assert (place.first, place.actor, group.left) == ("c", "y", ())
    story.opens_all()
    seated = {player for each in fixtures(story.league, story.league.seasons[0], {}) for player in each.players}
    assert seated == set("abcdefgy")


def test_a_place_without_games_belongs_to_its_substitute_from_the_start() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.adds(substitutes.substitute(story.league, "org", 0, "a", "bot:greedy@1", 1, ""))

    assert story.league.seasons[0].groups[0].places[0] == GroupPlace((Holder("bot:greedy@1", is_substitute=True),))


def test_a_table_can_be_voided_or_decided_and_the_latest_ruling_counts() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.opens_all()
    season = story.league.seasons[0]
    for fact in (
        facts.FixtureRuled("org", 1, 0, 1, void=True, reason="power cut"),
        facts.FixtureRuled("org", 1, 0, 1, (1, 2, 2), (9, 3, 3)),
        facts.FixtureRuled("org", 2, 0, 1, void=True),
    ):
        story.adds(seasons.rule(story.league, fact, {}))
    season = story.league.seasons[0]
    first, _, third, *_ = fixtures(story.league, season, {})
    lines = group_table(story.league, season, 0, {})

    assert (first.places, first.scores, first.ruled, first.void) == ((1, 2, 2), (9, 3, 3), True, False)
    assert (third.places, third.void, third.is_over) == ((), True, True)
    assert sum(line.standing.points for line in lines) == 18 * 60
    assert len(unfinished_tables(story.league, season, {})) == 12


def test_all_rounds_open_at_once_for_correspondence() -> None:
    story = Story(replace(PLAN, at_once=True, round_days=10))
    story.season("Spring", "abcdefg")
    added = seasons.open_round(story.league, "org", START)
    story.adds(*added)
    opened = [fact for fact in added if isinstance(fact, facts.RoundOpened)]

    assert [fact.round for fact in opened] == [1, 2, 3, 4, 5, 6, 7]
    assert {fact.deadline for fact in opened} == {START + timedelta(days=70)}
    assert story.league.seasons[0].rounds_opened == 7
    story.adds(seasons.move_deadline(story.league, "org", 7, START + timedelta(days=99), START))
    assert story.league.seasons[0].deadlines[-1] == START + timedelta(days=99)


@pytest.mark.parametrize(
    ("changes", "players", "rounds", "is_exact", "is_seated"),
    [
        ({}, 9, 4, True, False),
        ({"even_seats": True}, 9, 12, True, True),
        ({"size": 4}, 16, 5, True, False),
        ({"size": 4, "even_seats": True}, 13, 13, True, True),
        ({"size": 2}, 8, 7, True, False),
        ({"rounds": 3}, 9, 3, False, True),
        ({"size": 5, "even_seats": True}, 20, 34, True, False),
        ({"size": 5}, 18, 15, False, False),
        ({"size": 5, "even_seats": True}, 32, 15, False, False),
    ],
)
def test_the_schedule_of_a_group_is_exact_if_short_enough(
    changes: Mapping[str, Any], players: int, rounds: int, is_exact: bool, is_seated: bool
) -> None:
    """Even seats if not too long, else even meetings, else as even as fifteen rounds can be."""
    design = design_for(replace(PLAN, **changes), players)
    counted = balance(design)

    assert (len(design.rounds), counted.is_exact, counted.is_seated_exactly) == (rounds, is_exact, is_seated)


def test_divisions_are_filled_from_above_and_none_is_too_small() -> None:
    three = replace(PLAN, divisions=(Division("A", 1, 4), Division("B", 1, 4), Division("C", 0, 4)))

    assert divide(three, "abcdefghijkl") == [list("abcd"), list("efgh"), list("ijkl")]
    assert divide(three, "abcdefghij") == [list("abcd"), list("efghij")]
    assert divide(three, "abc") == [list("abc")]
    assert deal("abcdef", 2) == [["a", "d", "e"], ["b", "c", "f"]]
    assert group_count(Division("C", 0, 4), 10, 3) == 2
    assert group_count(Division("C", 3, 4), 7, 3) == 2
    assert group_count(Division("C", 0, 40), 4, 3) == 1


def test_a_season_keeps_the_plan_it_was_drawn_with() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    other = replace(PLAN, divisions=(Division("Only", 0, 9),), name="Renamed")
    story.adds(*seasons.change_plan(story.league, "org", other))

    assert story.league.plan.name == "Renamed"
    assert story.league.seasons[0].plan == replace(PLAN, standings=2)
    with pytest.raises(LeagueRefused, match="cannot be changed to el_grande"):
        seasons.change_plan(story.league, "org", replace(PLAN, title="el_grande"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "  "}, "enter a name for the league"),
        ({"divisions": ()}, "1 to 12 divisions, not 0"),
        ({"divisions": (Division("A"), Division("A"))}, "the same name"),
        ({"divisions": (Division("A", 0), Division("B"))}, "A: only the last division"),
        ({"divisions": (Division("A", 1, 2),)}, "A: a group of 2 does not fill a table of 3"),
        ({"divisions": (Division("A", 1, 4, 0, 0), Division("B", 1, 4, 3, 2))}, "B: 3 promoted and 2 relegated exceed"),
        ({"divisions": (Division("A", 1, 7, 1),)}, "no one can be promoted from the first"),
        ({"divisions": (Division("A", 1, 7, 0, 1),)}, "no one can be relegated from the last"),
    ],
)
def test_unplayable_plans_are_refused(changes: Mapping[str, Any], message: str) -> None:
    with pytest.raises(LeagueRefused, match=message):
        check_league(replace(PLAN, **changes))


TWICE = {"points": (SizePoints(3, (2, 1)),) * 2}


@pytest.mark.parametrize(
    "scoring", [{"tie_breaks": ("wins", "wins")}, {"points": (SizePoints(3, (1,) * 1_500),)}, TWICE]
)
def test_unusable_scoring_is_refused(scoring: Any) -> None:
    with pytest.raises(LeagueRefused, match=r"twice|must decrease"):
        check_league(replace(PLAN, scoring=replace(PLAN.scoring, **scoring)))


def refusals_before_the_draw(league: League) -> list[tuple[Any, str]]:
    return [
        (lambda: seasons.open_season(league, "org", "Again"), "season 1 is not over yet"),
        (lambda: seasons.enter(league, "a", "a", 0, is_organiser=False), "a is already registered for season 1"),
        (lambda: seasons.leave(league, "q", "q"), "q is not registered for season 1"),
        (lambda: seasons.draw(league, "org", {}), "players, not 1"),
        (lambda: seasons.open_round(league, "org", START), "season 1 has not been drawn yet"),
        (lambda: seasons.announce("org", " "), "enter the text of the announcement"),
    ]


def test_invalid_commands_before_the_draw_are_refused() -> None:
    story = Story()
    with pytest.raises(LeagueRefused, match="has no season yet"):
        seasons.leave(story.league, "a", "a")
    story.adds(seasons.open_season(story.league, "org", "Spring"))
    story.adds(seasons.enter(story.league, "a", "a", 0, is_organiser=False))

    for command, message in refusals_before_the_draw(story.league):
        with pytest.raises(LeagueRefused, match=message):
            command()


def ruling(**changes: Any) -> facts.FixtureRuled:
    return replace(facts.FixtureRuled("org", 1, 0, 1, (1, 2, 3), (3, 2, 1)), **changes)


def refusals_of_a_running_season(league: League, results: Results) -> list[tuple[Any, str]]:
    def swap(**changes: Any) -> Any:
        known: dict[str, Any] = {"number": 0, "replaced": "a", "actor": "z", "from_round": 2, "reason": ""} | changes
        return lambda: substitutes.substitute(league, "org", **known)

    return [
        (lambda: seasons.draw(league, "org", {}), "registration for season 1 is closed"),
        (lambda: seasons.leave(league, "q", "q"), "q has no place"),
        (lambda: seasons.leave(league, "b", "b"), "b has already left season 1"),
        (lambda: seasons.move_deadline(league, "org", 2, START, START), "round 2 of season 1 is not open"),
        (lambda: seasons.move_deadline(league, "org", 1, START, START), "is in the past"),
        (swap(number=4), "groups 1 to 1, not 5"),
        (swap(replaced="q"), "q has no place in group 1"),
        (swap(actor="c"), "c already has a place in this season"),
        (swap(actor="bot:random@1"), "bot:random@1 cannot be a substitute"),
        (swap(from_round=1), "2 to 7, not 1"),
        (lambda: seasons.rule(league, ruling(round=2), {}), "round 2 of group 1 is not open"),
        (lambda: seasons.rule(league, ruling(table=3), {}), "group 1 has tables 1 to 2, not 3"),
        (lambda: seasons.rule(league, ruling(), results), "an arbiter's ruling can correct it"),
        (lambda: seasons.rule(league, ruling(places=(1, 2)), {}), "enter 3 places and 3 scores"),
        (lambda: seasons.rule(league, ruling(places=(1, 1, 2)), {}), "1, 1, 2 are not valid places"),
        (lambda: seasons.close_season(league, "org", {}), "round 2 of 7 has not been opened"),
    ]


def test_invalid_commands_in_a_running_season_are_refused() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.adds(*seasons.open_round(story.league, "org", story.at))
    story.adds(*seasons.leave(story.league, "b", "b"))

    for command, message in refusals_of_a_running_season(story.league, story.play_fixtures()):
        with pytest.raises(LeagueRefused, match=message):
            command()
    story.adds(substitutes.substitute(story.league, "org", 0, "b", "bot:greedy@1", 2, ""))
    story.adds(substitutes.substitute(story.league, "org", 0, "d", "bot:greedy@1", 2, ""))
    for place, message in ((None, "holds places 2 and 4 of group 1: name the place"), (0, "does not hold place 1")):
        with pytest.raises(LeagueRefused, match=message):
            substitutes.substitute(story.league, "org", 0, "bot:greedy@1", "org", 2, "", place=place)
    back = substitutes.substitute(story.league, "org", 0, "bot:greedy@1", "org", 2, "", place=3)
    assert isinstance(back, facts.SubstituteNamed)
    assert back.place == 3


def test_a_season_closes_only_once_every_table_has_a_result() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.opens_all()
    with pytest.raises(LeagueRefused, match="all 7 rounds of season 1 are already open"):
        seasons.open_round(story.league, "org", START)
    with pytest.raises(LeagueRefused, match=r"group 1, round 1, table 1; .* and 9 more"):
        seasons.close_season(story.league, "org", {})
    results = story.play_fixtures()
    last = results.popitem()
    with pytest.raises(LeagueRefused, match=r"have no result yet: group 1, round 7, table 2$"):
        seasons.close_season(story.league, "org", results)
    whole = dict([*results.items(), last])
    with pytest.raises(LeagueRefused, match="disputes about these tables are still open: group 1, round 7, table 2"):
        seasons.close_season(story.league, "org", whole, {last[0]})
    story.adds(seasons.close_season(story.league, "org", whole))

    with pytest.raises(LeagueRefused, match="season 1 is over"):
        seasons.close_season(story.league, "org", {})
    with pytest.raises(LeagueRefused, match="has no place"):
        seasons.leave(story.league, "a", "a")
    with pytest.raises(LeagueRefused, match="already has a season named 'Spring'"):
        seasons.open_season(story.league, "org", "Spring")


def test_ids_of_matches_are_known_before_they_are_opened() -> None:
    assert match_of(ID, 1, 0, 2, 1) == match_of(ID, 1, 0, 2, 1)
    assert len({match_of(ID, season, 0, 1, 1) for season in (1, 2)}) == 2


def test_a_table_of_correspondence_is_the_default() -> None:
    assert LeaguePlan(name="A", title="la_granja").table == Table(clock=Clock("correspondence", 172_800), rated=True)
