"""Lists are defined, changed, retired and closed; each refusal names the value."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

import msgspec
import pytest

from domain.contests.duties import DueStep
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.errors import StaleVersion
from domain.matches.facts import SERVICE
from domain.rankings import commands
from domain.rankings.commands import MonthCount, close_month
from domain.rankings.content import PART, LinesStored, ListLine, digest_of, find_line, parts_of
from domain.rankings.counting import changed_months, find_result, months_of, result_of
from domain.rankings.duties import FREEZE, due_period, duty_of
from domain.rankings.errors import ContentMissing, MonthNotReady, RankingRefused
from domain.rankings.facts import FORMULA, ListDefined, MonthResults
from domain.rankings.members import BATCH, MEMBERS, changes_of, members_id
from domain.rankings.rule import PeopleFilter, RankingRule, check_rule, ranking_id, standard_key
from domain.rankings.standard import standard_lists, undefined_ranking
from domain.rankings.state import Closing
from domain.ratings.filters import ResultFilter
from domain.ratings.terms import Terms
from domain.roles.audit import EventActed
from domain.roles.commands import trail_record
from tests.domain.rankings.list_story import ID, KEY, OF_CLUB, ORGANISER, RULE, SIZES, START, ListStory, result

JANUARY = 2026 * 12


@pytest.fixture
def story(matches: Matches) -> ListStory:
    return ListStory(matches)


def change(story: ListStory, decide: commands.Decide) -> None:
    commands.change_list(story.matches, ID, decide, at=START + timedelta(days=1))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"name": " "}, "the list has no name"),
        ({"results": ResultFilter("chess")}, "there is no title 'chess'; known: toy"),
        ({"results": ResultFilter("toy", seats=5)}, "'toy' has no tables with 5 seats; known: 2, 3, 4"),
        (
            {"results": ResultFilter("toy", since="2026-05", until="2026-04")},
            "the last month, 2026-04, is before the first, 2026-05",
        ),
        ({"results": ResultFilter("toy", seats=-1)}, "'toy' has no tables with -1 seats; known: 2, 3, 4"),
        ({"terms": Terms(minimum_matches=-3)}, "a place needs at least 1 match, not -3"),
        ({"terms": Terms(inactive_months=0)}, "players become inactive after at least 1 month, not 0"),
        ({"people": PeopleFilter(club="chess club")}, "'chess club' is not the id of a club"),
        ({"people": PeopleFilter(country="XX")}, "there is no country 'XX'"),
        (
            {"people": PeopleFilter(club=str(UUID(int=7)), country="ES")},
            "a list is of a club or of a country, not of both",
        ),
    ],
)
def test_a_rule_that_contradicts_itself_is_refused(changed: dict[str, object], reason: str) -> None:
    with pytest.raises(RankingRefused) as refused:
        check_rule(replace(RULE, **changed), SIZES)

    assert str(refused.value) == reason


def test_a_rule_without_contradictions_is_accepted() -> None:
    for rule in (RULE, OF_CLUB, RankingRule("All", ResultFilter("toy", since="2026-04", until="2026-04"))):
        check_rule(rule, SIZES)


@pytest.mark.parametrize("key", ["", "Toy", "toy--3", "-toy", "toy 3", "x" * 61])
def test_a_key_is_part_of_addresses(key: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(
            {"by": ORGANISER, "key": key, "rule": msgspec.to_builtins(RULE), "type": "ranking.list_defined"},
            ListDefined,
        )


@pytest.mark.parametrize("terms", [{"minimumMatches": 0}, {"inactiveMonths": 0}, {"inactiveMonths": 121}])
def test_terms_have_bounds(terms: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(terms, Terms)


def test_a_list_is_defined_once(story: ListStory) -> None:
    fact = ListDefined(ORGANISER, KEY, RULE)

    again = commands.define_list(story.matches, fact, SIZES, at=START + timedelta(days=3))

    assert again.version == 1
    assert (again.state.rule, again.state.current.by) == (RULE, ORGANISER)
    with pytest.raises(RankingRefused, match="another list has the key 'toy-3'"):
        commands.define_list(story.matches, replace(fact, rule=OF_CLUB), SIZES, at=START)
    acted = msgspec.json.decode(trail_record(story.matches, 1).body, type=EventActed)
    assert (acted.by, acted.act, acted.event) == (ORGANISER, "list_defined", str(ID))


def test_each_title_has_a_standard_list_of_all_sizes_and_one_of_each() -> None:
    lists = tuple(standard_lists({"el_grande": "El Grande", "duel": "Duel"}, {"el_grande": (2, 3), "duel": (2,)}))

    assert [(fact.key, fact.rule.name) for fact in lists] == [
        ("el-grande", "El Grande, all table sizes"),
        ("el-grande-2", "El Grande, 2 players"),
        ("el-grande-3", "El Grande, 3 players"),
        ("duel-2", "Duel, 2 players"),
    ]
    assert standard_key(ResultFilter("toy", bots=True, seats=4)) == "toy-bots-4"


def test_the_service_defines_a_standard_list_once(matches: Matches) -> None:
    overall, *_ = standard_lists({"toy": "Toy"}, SIZES)

    first = commands.define_standard_list(matches, overall, SIZES, at=START)
    again = commands.define_standard_list(matches, overall, SIZES, at=START + timedelta(days=1))

    assert first.id == again.id == ranking_id("toy")
    assert (again.version, again.state.current.by) == (1, SERVICE)


def test_a_standard_list_that_is_not_defined_yet_has_version_0_of_its_rule() -> None:
    overall, *_ = standard_lists({"toy": "Toy"}, SIZES)

    ranking = undefined_ranking(overall, START)

    assert (ranking.key, ranking.rule, ranking.current.version) == ("toy", overall.rule, 0)
    assert due_period(ranking) == JANUARY


def test_a_contradictory_rule_defines_and_changes_nothing(story: ListStory) -> None:
    chess = replace(RULE, results=ResultFilter("chess"))

    with pytest.raises(RankingRefused, match="there is no title 'chess'"):
        commands.define_list(story.matches, ListDefined(ORGANISER, "chess", chess), SIZES, at=START)
    with pytest.raises(RankingRefused, match="there is no title 'chess'"):
        commands.change_rule(story.ranking, ORGANISER, chess, "another title", SIZES)


def test_a_new_rule_is_a_version_and_needs_a_reason(story: ListStory) -> None:
    terms = replace(RULE, terms=Terms(5, 3))

    change(story, lambda ranking: commands.change_rule(ranking, ORGANISER, terms, "few players", SIZES))
    change(story, lambda ranking: commands.change_rule(ranking, ORGANISER, terms, "again", SIZES))

    first, second = story.ranking.rules
    assert (first.rule, second.rule, second.version, second.reason) == (RULE, terms, 2, "few players")
    with pytest.raises(RankingRefused, match="a new rule needs a reason"):
        commands.change_rule(story.ranking, ORGANISER, RULE, " ", SIZES)


def test_a_change_names_the_version_that_it_was_made_for(story: ListStory) -> None:
    with pytest.raises(StaleVersion):
        commands.change_list(
            story.matches, ID, lambda ranking: commands.retire(ranking, ORGANISER, "over"), at=START, expected_version=7
        )


def test_a_retired_list_closes_no_months_until_it_is_resumed(story: ListStory) -> None:
    story.close()
    change(story, lambda ranking: commands.retire(ranking, ORGANISER, "a pause"))
    assert (due_period(story.ranking), duty_of(story.ranking)) == (None, None)
    with pytest.raises(RankingRefused, match="the list 'toy-3' is retired already"):
        commands.retire(story.ranking, ORGANISER, "again")

    later = datetime(2026, 6, 5, tzinfo=UTC)
    commands.change_list(story.matches, ID, lambda ranking: commands.resume(ranking, ORGANISER, "back"), at=later)

    assert due_period(story.ranking) == JANUARY + 5
    assert duty_of(story.ranking) == DueStep(FREEZE, datetime(2026, 7, 1, tzinfo=UTC))
    with pytest.raises(RankingRefused, match="the list 'toy-3' is not retired"):
        commands.resume(story.ranking, ORGANISER, "again")


def test_a_list_with_a_last_month_is_over_after_it(matches: Matches) -> None:
    story = ListStory(matches, replace(RULE, results=ResultFilter("toy", seats=3, until="2026-02")))

    story.close()
    story.close()

    assert due_period(story.ranking) is None


def test_a_month_is_closed_after_its_end_in_order(story: ListStory) -> None:
    count = MonthCount(JANUARY, (), 0, "")

    assert duty_of(story.ranking) == DueStep(FREEZE, datetime(2026, 2, 1, tzinfo=UTC))
    with pytest.raises(MonthNotReady, match="the month 2026-01 is not over"):
        close_month(story.ranking, count, datetime(2026, 1, 31, 23, 59, tzinfo=UTC))
    with pytest.raises(RankingRefused, match="the month 2026-02 of 'toy-3' cannot be closed; the next one is 2026-01"):
        close_month(story.ranking, replace(count, period=JANUARY + 1), START + timedelta(days=90))
    story.close()
    with pytest.raises(RankingRefused, match=r"the month 2026-01 .* the next one is 2026-02"):
        close_month(story.ranking, count, START + timedelta(days=90))
    change(story, lambda ranking: commands.retire(ranking, ORGANISER, "over"))
    with pytest.raises(RankingRefused, match="the next one is none"):
        close_month(story.ranking, count, START + timedelta(days=90))


def test_december_is_followed_by_january(matches: Matches) -> None:
    at = datetime(2026, 12, 31, tzinfo=UTC)
    stream = commands.define_list(matches, ListDefined(ORGANISER, "late", RULE), SIZES, at=at)

    assert duty_of(stream.state) == DueStep(FREEZE, datetime(2027, 1, 1, tzinfo=UTC))


def test_a_closing_names_what_it_was_counted_from(story: ListStory) -> None:
    story.put(result(1, days=1), result(2, "bca", days=2))
    change(
        story, lambda ranking: commands.change_rule(ranking, ORGANISER, replace(RULE, terms=Terms(2, 1)), "few", SIZES)
    )
    ranking = story.close()

    (closing,) = ranking.closings
    lines = story.lines(closing.list)
    at, digest = datetime(2026, 2, 1, tzinfo=UTC), digest_of(lines)
    assert closing == Closing(1, "2026-01", at, 2, FORMULA, 3, lines=3, list=digest, results=2)
    assert ranking.find_closing("2026-01") is closing
    assert ranking.find_closing("2026-02") is None
    assert ranking.results == months_of(story.results_of(ranking.results))
    assert [(line.place, line.player, line.part) for line in lines] == [
        (1, "b", "placed"),
        (2, "a", "placed"),
        (3, "c", "placed"),
    ]
    assert find_line(lines, "a") is lines[1]
    assert find_line(lines, "zoe") is None


def test_a_ruling_appends_and_rewrites_nothing(story: ListStory) -> None:
    story.put(result(1, days=1), result(2, "bca", days=2), result(3, "cab", days=33))
    january = story.close().closings[0]
    story.put(result(1, places=(3, 2, 1), days=1), head="f" * 64)
    story.void(2)
    february = story.close()
    story.void(1)
    march = story.close()

    assert february.closings[0] == january == march.closings[0]
    assert [closing.revised for closing in march.closings] == [(), ("2026-01",), ("2026-01",)]
    assert [closing.results for closing in march.closings] == [2, 2, 1]
    assert [month.month for month in march.results] == ["2026-02"]
    turned = find_result(story.results_of(story.months_at(2)), UUID(int=1))
    assert turned is not None
    assert (turned.places, turned.head) == ((3, 2, 1), "f" * 64)
    assert find_result(story.results_of(story.months_at(2)), UUID(int=2)) is None


def test_months_without_results_are_left_out_of_the_comparison() -> None:
    before, after = MonthResults("2026-01", 3, "a" * 64), MonthResults("2026-02", 1, "b" * 64)

    assert changed_months((), (after,)) == (after,)
    assert changed_months((before, after), (after,)) == (MonthResults("2026-01"),)
    assert changed_months((before,), (before,)) == ()


def test_only_the_members_of_a_club_are_listed_by_their_ratings_among_all(matches: Matches) -> None:
    story = ListStory(matches, replace(OF_CLUB, terms=Terms(1)))
    story.put(result(1, days=1), replace(result(2, days=2), players=("a", "bot:random@1", "b")))
    story.members = frozenset("bc")
    first = story.close()
    story.members = frozenset("b")
    second = story.close()

    assert [line.player for line in story.lines(first.closings[0].list)] == ["b", "c"]
    assert [line.player for line in story.lines(second.closings[1].list)] == ["b"]
    assert [closing.members for closing in second.closings] == [1, 2]
    assert [closing.members_digest for closing in second.closings] == [
        sha256(b'"b"\n"c"\n').hexdigest(),
        sha256(b'"b"\n').hexdigest(),
    ]
    assert MEMBERS.owns(story.matches.streams.records(members_id(ID))[0])


def test_bots_are_listed_after_people_in_a_list_of_everybody(matches: Matches) -> None:
    story = ListStory(matches, replace(RULE, terms=Terms(1)))
    story.put(replace(result(1, days=1), players=("bot:random@1", "a", "b")))

    lines = story.lines(story.close().closings[0].list)

    assert [(line.place, line.player) for line in lines] == [(1, "a"), (2, "b"), (1, "bot:random@1")]


def test_the_id_of_a_private_match_is_found_by_its_players_only(story: ListStory) -> None:
    story.put(replace(result(1, days=1), public=False))
    ranking = story.close()

    (line,) = story.results_of(ranking.results)
    assert str(UUID(int=1)) not in line.match
    assert find_result([line], UUID(int=1)) is line
    assert find_result([line], UUID(int=2)) is None
    assert result_of(line, RULE.results.pool).public is False


def test_many_members_are_recorded_in_batches() -> None:
    wanted = frozenset(f"p{number}" for number in range(BATCH + 1))

    first, second = changes_of("service", frozenset({"zoe"}), wanted)

    assert (len(first.added), first.removed) == (BATCH, ("zoe",))
    assert (len(second.added), second.removed) == (1, ())
    assert list(changes_of("service", wanted, wanted)) == []


def test_members_without_a_change_are_not_recorded(story: ListStory) -> None:
    assert commands.set_members(story.matches, ID, frozenset(), at=START) == 0
    assert commands.set_members(story.matches, ID, frozenset("ab"), at=START) == 1
    assert commands.set_members(story.matches, ID, frozenset("ab"), at=START) == 1


def test_a_content_is_stored_part_by_part_and_once(matches: Matches) -> None:
    lines = tuple(ListLine(n, f"p{n}", 1000 - n, 1, 1, 10, 0, 1000, "2026-01") for n in range(1, PART + 2))
    digest, (first, second) = digest_of(lines), map(LinesStored, parts_of(lines))

    with pytest.raises(ContentMissing, match=f"part 2 of the content {digest} follows part 0"):
        commands.store_part(matches, digest, 2, second, at=START)
    commands.store_part(matches, digest, 1, first, at=START)
    assert not commands.is_stored(matches, digest, len(lines))
    commands.store_part(matches, digest, 1, first, at=START)
    commands.store_part(matches, digest, 2, second, at=START)

    assert commands.is_stored(matches, digest, len(lines))
    assert commands.is_stored(matches, "", 0)
    assert not commands.is_stored(matches, "0" * 64, 1)
