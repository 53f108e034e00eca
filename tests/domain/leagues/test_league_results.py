"""Results of face-to-face tables in a league: counted, marked, and refused with the player's name."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.leagues import facts, seasons
from domain.leagues.face_to_face import ResultRow, enter_result, enter_results, missing_facts
from domain.leagues.plan import LeagueRefused
from domain.leagues.standings import contest_of, fixture, fixtures, group_table, unfinished_tables
from domain.leagues.state import League
from domain.standings.crosstable import crosstable
from domain.standings.errors import ImportRefused, PlacesContradict, WrongResult
from domain.tournaments.imports import rows_of
from tests.domain.leagues.test_leagues import Story
from tests.seeding import example_count

PLAYERS = "abcdefg"
NAMES = {player: f"Name of {player}" for player in PLAYERS}
ACTORS = {player: player for player in PLAYERS} | {name: player for player, name in NAMES.items()}


def start_season(rounds: int = 1) -> Story:
    """Start a season of seven at tables of three, with this many rounds open."""
    story = Story()
    story.season("Spring", PLAYERS)
    for _ in range(rounds):
        story.adds(*seasons.open_round(story.league, "org", story.at))
    return story


def rows(league: League, table: int, *lines: tuple[int, int], turn: int = 1, group: int = 1) -> tuple[ResultRow, ...]:
    """Return the rows of a table: points and place of every seat."""
    players = league.seasons[0].groups[0].players_at(turn, table)
    return tuple(ResultRow(group, turn, table, player, *line) for player, line in zip(players, lines, strict=True))


def enter_rows(league: League, *result_rows: ResultRow, digest: str = "ab") -> tuple[facts.Fact, ...]:
    return enter_results(league, result_rows, ACTORS, NAMES, digest, "org", {})


def test_places_that_contradict_their_points_need_confirmation() -> None:
    story = start_season()
    with pytest.raises(PlacesContradict, match="group 1, round 1, table 1: seat 1 has 50 points and place 3"):
        enter_result(story.league, "org", (0, 1, 1), (50, 45, 40), (3, 2, 1), {})
    meant = enter_result(story.league, "org", (0, 1, 1), (50, 45, 40), (3, 2, 1), {}, sure=True)

    assert meant.places == (3, 2, 1)


def test_an_entered_result_counts_and_is_marked_everywhere() -> None:
    story = start_season()
    story.adds(enter_result(story.league, "org", (0, 1, 1), (30, 50, 40), (3, 1, 2), {}))
    season = story.league.seasons[0]
    first, other = (fixture(story.league, season, (0, 1, table), {}) for table in (1, 2))
    lines = group_table(story.league, season, 0, {})
    cells = {
        line.entry: line.cells[0]
        for line in crosstable(contest_of(story.league, season, 0), {}, [line.standing for line in lines])
    }
    marked = {place for place, cell in cells.items() if cell.unverified}

    assert (first.places, first.scores, first.unverified, first.ruled, first.void) == (
        (3, 1, 2),
        (30, 50, 40),
        True,
        False,
        False,
    )
    assert (other.is_over, other.unverified) == (False, False)
    assert lines[0].actor == first.players[1]
    assert marked == {str(place) for place in season.groups[0].rounds[0][0]}


@settings(max_examples=example_count(20))
@given(st.lists(st.booleans(), min_size=14, max_size=14))
def test_entered_and_played_results_make_the_same_table(by_hand: list[bool]) -> None:
    story = start_season(7)
    results, season = story.play_fixtures(), story.league.seasons[0]
    wanted = group_table(story.league, season, 0, results)
    known = dict(results)
    for entered, each in zip(by_hand, fixtures(story.league, season, results), strict=True):
        if entered:
            result = known.pop(each.match)
            at = (each.group, each.round, each.table)
            story.adds(enter_result(story.league, "org", at, result.scores, result.places, known))
    season = story.league.seasons[0]

    assert group_table(story.league, season, 0, known) == wanted
    assert unfinished_tables(story.league, season, known) == ()
    assert [each.unverified for each in fixtures(story.league, season, known)] == by_hand
    seasons.close_season(story.league, "org", known)


def test_the_latest_result_of_a_table_counts_entered_or_ruled() -> None:
    story = start_season()
    story.adds(enter_result(story.league, "org", (0, 1, 1), (3, 2, 1), (1, 2, 3), {}))
    story.adds(enter_result(story.league, "org", (0, 1, 1), (1, 2, 3), (3, 2, 1), {}))
    first = fixture(story.league, story.league.seasons[0], (0, 1, 1), {})
    story.adds(seasons.rule(story.league, facts.FixtureRuled("org", 1, 0, 1, void=True), {}))
    second = fixture(story.league, story.league.seasons[0], (0, 1, 1), {})
    story.adds(enter_result(story.league, "org", (0, 1, 1), (7, 7, 2), (1, 1, 3), {}))
    third = fixture(story.league, story.league.seasons[0], (0, 1, 1), {})

    assert (first.places, first.unverified) == ((3, 2, 1), True)
    assert (second.void, second.ruled, second.unverified) == (True, True, False)
    assert (third.places, third.void, third.ruled, third.unverified) == ((1, 1, 3), False, False, True)


def test_a_file_of_results_is_imported_whole_and_only_once() -> None:
    story = start_season()
    league = story.league
    result_rows = (*rows(league, 1, (30, 3), (50, 1), (40, 2)), *rows(league, 2, (9, 1), (9, 1), (2, 3)))
    story.adds(*enter_rows(league, *result_rows))
    each, other = fixtures(story.league, story.league.seasons[0], {})[:2]

    assert (each.places, each.scores) == ((3, 1, 2), (30, 50, 40))
    assert (other.places, other.scores) == ((1, 1, 3), (9, 9, 2))
    assert story.league.seasons[0].imports == ("ab",)
    assert enter_rows(story.league, *result_rows) == ()
    assert enter_results(story.league, result_rows, {}, {}, "ab", "org", story.play_fixtures()) == (), (
        "whoever is known today"
    )
    assert len(enter_rows(story.league, *result_rows, digest="cd")) == 3


def test_an_interrupted_import_continues_where_it_stopped() -> None:
    story = start_season()
    one, other = rows(story.league, 1, (30, 3), (50, 1), (40, 2)), rows(story.league, 2, (9, 1), (9, 1), (2, 3))
    first, second, noted = enter_rows(story.league, *one, *other)
    story.adds(*missing_facts(story.league, (first,), "ab", {}))

    assert enter_rows(story.league, *one, *other) == (first, second, noted), "the same file is decided upon as a whole"
    assert missing_facts(story.league, (first, second), "ab", {}) == (second,)
    story.adds(
        *missing_facts(story.league, (first, second), "ab", {}), *missing_facts(story.league, (noted,), "ab", {})
    )
    assert missing_facts(story.league, (first, second, noted), "ab", {}) == ()
    assert len(story.league.seasons[0].groups[0].ruled) == 2


def test_a_part_of_a_file_is_refused_if_its_table_was_played_since() -> None:
    story = start_season()
    first, _ = enter_rows(story.league, *rows(story.league, 1, (30, 3), (50, 1), (40, 2)))

    with pytest.raises(LeagueRefused, match="was played on this server"):
        missing_facts(story.league, (first,), "ab", story.play_fixtures())


def test_another_result_of_a_table_does_not_count_as_imported() -> None:
    story = start_season()
    first, _ = enter_rows(story.league, *rows(story.league, 1, (30, 3), (50, 1), (40, 2)))
    story.adds(enter_result(story.league, "org", (0, 1, 1), (3, 2, 1), (1, 2, 3), {}))

    assert missing_facts(story.league, (first,), "ab", {}) == (first,)


def test_players_are_named_by_account_in_any_order_of_the_rows() -> None:
    league = start_season().league
    first, second, third = rows(league, 1, (30, 3), (50, 1), (40, 2))
    named = ResultRow(1, 1, 1, NAMES[second.player], second.score, second.place)
    entered, noted = enter_rows(league, third, named, first)

    assert entered == facts.ResultEntered("org", 1, 0, 1, (3, 1, 2), (30, 50, 40))
    assert noted == facts.ImportNoted("org", "results", "ab", 1)


def refused_files(league: League) -> list[tuple[tuple[ResultRow, ...], type[Exception], str]]:
    first, second, third = good = rows(league, 1, (30, 3), (50, 1), (40, 2))
    other = rows(league, 2, (9, 1), (8, 2), (7, 3))[0]

    def with_last(**changes: Any) -> tuple[ResultRow, ...]:
        return first, second, msgspec.structs.replace(third, **changes)

    def all_with(**changes: Any) -> tuple[ResultRow, ...]:
        return tuple(msgspec.structs.replace(row, **changes) for row in good)

    return [
        (with_last(player="Eva"), ImportRefused, "row 3: no account with the id or name 'Eva'"),
        (
            with_last(player=other.player),
            ImportRefused,
            f"row 3: '{other.player}' does not play at group 1, round 1, t",
        ),
        ((first, second), ImportRefused, f"'{NAMES[third.player]}' is missing at group 1, round 1, table 1"),
        ((*good, first), ImportRefused, f"row 4: '{first.player}' is listed twice at group 1, round 1, table 1"),
        (with_last(place=3), WrongResult, "group 1, round 1, table 1: the places 3, 1, 3 are not possible"),
        (all_with(round=2), LeagueRefused, "round 2 of group 1 is not open"),
        (all_with(round=99), LeagueRefused, "round 99 of group 1 is not open"),
        (all_with(table=3), LeagueRefused, "round 1 of group 1 has tables 1 to 2, not 3"),
        (all_with(group=2), LeagueRefused, "season 1 has groups 1 to 1, not 2"),
    ]


def test_a_file_that_does_not_fit_is_refused_by_name_and_imports_nothing() -> None:
    league = start_season().league
    whole = rows(league, 2, (9, 1), (8, 2), (7, 3))
    for result_rows, refusal, sentence in refused_files(league):
        with pytest.raises(refusal, match=sentence):
            enter_rows(league, *result_rows, *whole)


def test_a_table_played_here_gets_its_result_from_its_log() -> None:
    story = start_season()
    results = story.play_fixtures()
    with pytest.raises(
        LeagueRefused, match="group 1, round 1, table 1 was played on this server: its result comes from"
    ):
        enter_result(story.league, "org", (0, 1, 1), (30, 50, 40), (3, 1, 2), results)
    with pytest.raises(LeagueRefused, match="was played on this server"):
        enter_results(story.league, rows(story.league, 1, (3, 1), (2, 2), (1, 3)), ACTORS, NAMES, "ab", "org", results)


@pytest.mark.parametrize(
    ("scores", "places", "sentence"),
    [
        ((30, 50), (2, 1), "the table has 3 seats; there are 2 scores and 2 places"),
        ((30, 50, 40), (3, 1), "the table has 3 seats; there are 3 scores and 2 places"),
        ((30, 50, 40), (2, 2, 2), "group 1, round 1, table 1: the places 2, 2, 2 are not possible;"),
        ((30, 50, 100_001), (3, 2, 1), "points must be between -"),
    ],
)
def test_an_impossible_result_is_refused(scores: tuple[int, ...], places: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(WrongResult, match=sentence):
        enter_result(start_season().league, "org", (0, 1, 1), scores, places, {})


def test_results_need_a_running_season() -> None:
    story = Story()
    with pytest.raises(LeagueRefused, match="has no season yet"):
        enter_rows(story.league, ResultRow(1, 1, 1, "a", 1, 1))
    story.adds(seasons.open_season(story.league, "org", "Spring"))
    with pytest.raises(LeagueRefused, match="season 1 has not been drawn yet"):
        enter_rows(story.league, ResultRow(1, 1, 1, "a", 1, 1))


def test_a_row_of_the_file_has_exactly_its_columns() -> None:
    csv = b"group;round;table;player;score;place\n1;1;1;Ann;-3;2\n"

    assert rows_of(csv, ResultRow) == (ResultRow(1, 1, 1, "Ann", -3, 2),)
    with pytest.raises(ImportRefused, match="line 1: the column 'place' is missing"):
        rows_of(b"group,round,table,player,score\n1,1,1,Ann,3\n", ResultRow)
    with pytest.raises(ImportRefused, match="line 2: Expected `int` <= 5"):
        rows_of(csv.replace(b";2\n", b";6\n"), ResultRow)


def test_older_league_logs_are_read_as_before() -> None:
    """Bodies as stored before results could be entered by hand."""
    old = (
        b'{"type":"league.fixture_ruled","by":"org","round":1,"group":0,"table":1,"places":[1,2,3],"scores":[3,2,1]}',
        b'{"type":"league.season_closed","by":"org"}',
    )
    decoder = msgspec.json.Decoder(facts.Fact)
    ruled, closed = map(decoder.decode, old)
    story = start_season()
    story.adds(ruled)
    stored = msgspec.json.encode(story.league)

    assert (ruled, closed) == (facts.FixtureRuled("org", 1, 0, 1, (1, 2, 3), (3, 2, 1)), facts.SeasonClosed("org"))
    assert tuple(map(msgspec.json.encode, (ruled, closed))) == old
    assert b"unverified" not in stored
    assert b"imports" not in stored
    assert msgspec.json.decode(stored, type=League) == story.league
