"""Two counts of a month are compared: the results that changed, and who moved by them."""

from uuid import UUID

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.rankings.counting import find_result
from domain.rankings.differences import ChangedResult, compare_lists, compare_results
from domain.rankings.standing import standing_of
from domain.ratings.ladder import parse_month
from domain.ratings.models import BASE, model_of
from domain.ratings.terms import Terms
from tests.domain.rankings.list_story import RULE, ListStory, result

JANUARY = 2026 * 12


def describe(changed: tuple[ChangedResult, ...]) -> list[tuple[str, str]]:
    return [(each.line.match[-2:], each.cause) for each in changed]


def test_a_ruling_shows_the_changed_results_and_who_moved(matches: Matches) -> None:
    story = ListStory(matches, replace(RULE, terms=Terms(1)))
    story.put(result(1, days=1), result(2, "def", days=2), result(3, "ghi", days=3), result(4, "adb", days=4))
    before = story.count(JANUARY)
    story.put(result(1, places=(3, 2, 1), days=1), result(5, "gik", days=5))
    story.void(3)
    after = story.count(JANUARY)

    changed = compare_results(before.results, after.results)
    moved = compare_lists(before.lines, after.lines, changed)

    assert describe(changed) == [("01", "changed"), ("03", "removed"), ("05", "added")]
    by_player = {each.player: each for each in moved}
    assert set(by_player) == set("abcdfghik")
    assert describe(by_player["a"].results) == [("01", "changed")]
    assert describe(by_player["d"].results) == []
    assert (by_player["k"].before, by_player["h"].after) == (None, None)
    assert [each.player for each in moved][-1] == "h"


def test_equal_counts_have_no_differences(matches: Matches) -> None:
    story = ListStory(matches)
    story.put(result(1, days=1))
    before = story.count(JANUARY)
    story.put(result(1, days=1), head="f" * 64)
    after = story.count(JANUARY)

    assert before.results != after.results
    assert compare_results(before.results, after.results) == ()
    assert compare_lists(before.lines, after.lines, ()) == ()


def test_a_match_that_becomes_public_is_the_same_match_and_one_may_change_only_in_weight(matches: Matches) -> None:
    story = ListStory(matches)
    story.put(replace(result(1, days=1), public=False), *(result(number, days=number) for number in range(2, 6)))
    before = story.count(JANUARY).results
    story.put(result(1, days=1))
    public = story.count(JANUARY).results
    story.void(2)
    after = story.count(JANUARY).results

    assert compare_results(before, public) == ()
    changed = compare_results(public, after)
    assert describe(changed)[0] == ("02", "removed")
    assert {each.cause for each in changed[1:]} == {"reweighted"}
    assert find_result(after, UUID(int=2)) is None


def test_rounding_on_another_machine_is_no_difference(matches: Matches) -> None:
    story = ListStory(matches)
    story.put(result(1, days=1))
    (line, *_), (played, *_) = story.count(JANUARY).lines, story.count(JANUARY).results
    close = replace(line, points=line.points - 1, mean=line.mean + 1, deviation=line.deviation - 1, best=line.best + 1)
    reweighted = replace(played, weights=tuple(weight - 1 for weight in played.weights))

    assert compare_lists([line], [close], ()) == ()
    assert compare_results([played], [reweighted]) == ()
    for changes in ({"mean": line.mean + 2}, {"points": line.points + 2}, {"matches": 2}, {"place": 3}):
        assert len(compare_lists([line], [replace(line, **changes)], ())) == 1, changes
    assert describe(compare_results([played], [replace(reweighted, weights=(0, 0, 0))])) == [("01", "reweighted")]


def test_a_line_is_explained(matches: Matches) -> None:
    story, model, terms = ListStory(matches), model_of(BASE), Terms(3, 2)
    story.put(result(1, days=1))
    later = parse_month("2026-03")

    (first, *_), (line, *_) = story.count(JANUARY).lines, story.count(later).lines
    standing = standing_of(model, line, later, terms)

    assert (standing.missing_matches, standing.inactive_from) == (2, "2026-04")
    assert standing.points_after_last == first.points
    assert standing.lost_points(line) == first.points - line.points > 0
    assert standing.points_next_month == story.count(later + 1).lines[0].points <= line.points
    assert standing_of(model, replace(line, matches=9), later, terms).missing_matches == 0
