"""Files of a league show the points that count."""

from api.leagues.files import result_cells
from api.leagues.responses import encode_fixture
from domain.leagues.standings import fixtures
from domain.standings.results import TableResult
from projections.leagues import Played
from tests.domain.leagues.test_leagues import NO_RESULTS, Story


def test_a_seat_handed_to_a_bot_is_never_ahead_in_a_file_either() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    first = fixtures(story.league, story.league.seasons[0], NO_RESULTS)[0]
    results = {first.match: TableResult((1, 2, 3), (5, -4, -9), placed=(3, 1, 2), handed_over=(0,))}
    played = Played(results, frozenset(), {})

    (counted, *_) = fixtures(story.league, story.league.seasons[0], results)
    shown = encode_fixture(counted, played, {player: player for player in first.players})

    assert shown.scores == (5, -4, -9)
    assert [result_cells(shown, seat) for seat in range(3)] == [(3, -9), (1, -4), (2, -9)]
