"""The archive and the explorer equal a recount from the logs, without private, void and forked matches."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.apply import fold
from domain.matches.facts import ActionTaken, Actor, MatchStarted, Table, action_of
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record
from domain.matches.play.in_memory import MatchLog, play_to_end, seeded_origins, table_of_bots
from domain.matches.rulings.measures import MatchVoided, ResultSet
from domain.matches.titles import read_fact
from domain.titles import TITLES
from domain.titles.el_grande.effects import HomeTaken, PowerCardPlayed
from domain.titles.la_granja.effects import BuildingCompleted, CardPlayed, DonkeysRevealed
from ops.dev.bench.recounting import Recount
from projections.archive import explorer, projection
from projections.archive import search as archive_search
from projections.archive.archived_matches import OPENING, action_text, first_key
from projections.archive.search import SearchCriteria, search
from projections.follow import ensure_tables
from projections.loop import FollowerLoop
from projections.platform.statements import insert_row
from projections.platform.store import ReadStore
from projections.ratings import ladders
from projections.ratings.tables import RATING_CHANGES, RATING_RESULTS
from projections.rebuild import rebuild
from tests.domain.matches.match_helpers import apply_ruling, build_ruling, resume_match
from tests.projections.tables import match_id, matches_in, open_started_match
from tests.projections.tables import play_match as played_out
from workers.bots import BOTS

BOT: Final = "bot:random@1"
EVENT: Final = "00000000-0000-0000-0000-0000000000e1"
"""Tables of an event are opened by the service, but are no demonstration."""


def play_bots(title: str, seats: int, number: int, table: Table | None = None, bot: str = "random") -> MatchLog:
    """Play a whole match of bots of one kind."""
    table = Table(event=EVENT) if table is None else table
    begun = table_of_bots(TITLES[title], (BOT,) * seats, {}, seeded_origins(b"archive %d" % number), table)
    return play_to_end(begun, {BOT: BOTS[bot].choose})


class Lines:
    """A log store that consists of several logs in sequence."""

    titles = TITLES

    def __init__(self, logs: Iterable[Sequence[Entry]]) -> None:
        self._entries = [entry for log in logs for entry in log]

    def read_log_items(self, after: int, limit: int) -> list[tuple[int, Entry]]:
        return list(enumerate(self._entries, 1))[after : after + limit]

    def verify_stream(self, event: Entry | Record) -> None:
        """Accept every stream, because there is no tree."""

    def is_imported(self, match_id: UUID) -> bool:
        del match_id
        return False

    def at(self, match_id: UUID, version: int) -> Match:
        return fold(TITLES, [entry for entry in self._entries if entry.line_id == match_id][:version])


GRANJA, GRANDE = "la_granja", "el_grande"
Key = tuple[str, int, str, int, str]
Sums = dict[Key, tuple[int, int, int]]


@pytest.fixture(scope="module")
def logs() -> list[MatchLog]:
    """Provide matches of both titles, two private ones and a demonstration."""
    kinds = [(GRANJA, 3), *[(GRANDE, 2)] * 3, *[(GRANDE, 3)] * 3]
    public = [play_bots(GRANJA, 2, 99, bot="greedy")]
    public += [play_bots(title, seats, number) for number, (title, seats) in enumerate(kinds)]
    hidden = [
        play_bots(GRANDE, 2, 90, Table(event=EVENT, public=False)),
        play_bots(GRANDE, 2, 91, Table(event=EVENT, listed=False)),
        play_bots(GRANDE, 2, 92, Table()),
    ]
    return [*public, *hidden]


@pytest.fixture(scope="module")
def archive(logs: list[MatchLog], tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReadStore]:
    store = ReadStore(tmp_path_factory.mktemp("archive") / "reads.db")
    FollowerLoop(Lines(log.entries for log in logs), store, [projection]).catch_up()
    yield store
    store.close()


def recount(logs: list[MatchLog]) -> Sums:
    """Compute the expected content of the explorer from the facts."""
    sums = dict[Key, Counter[str]]()
    for log in logs:
        match, chosen, rounds = log.match, set[tuple[int, str, int, str]](), 0
        order = Counter[tuple[int, str]]()
        assert match.result is not None
        powers = Counter[int]()
        for entry in log.entries:
            fact = read_fact(match.definition, entry)
            for effect in fact.effects if isinstance(fact, ActionTaken | MatchStarted) else ():
                match effect:
                    case DonkeysRevealed(tiles=tiles):
                        rounds += 1
                        chosen |= {(seat, "donkey", rounds, str(tile)) for seat, tile in enumerate(tiles)}
                    case BuildingCompleted(seat=seat, building=building):
                        order[seat, "building"] += 1
                        chosen.add((seat, "building", order[seat, "building"], str(building)))
                    case CardPlayed(seat=seat, card=card, side=side):
                        order[seat, "card"] += 1
                        chosen.add((seat, "card", order[seat, "card"], f"{side}/{card}"))
                        if side == "helper":
                            chosen.add((seat, "helper", 0, str(card)))
                    case HomeTaken(seat=seat, region=region):
                        chosen.add((seat, "home", 0, region))
                    case PowerCardPlayed(seat=seat, power=power):
                        powers[seat] += 1
                        chosen.add((seat, "power", powers[seat], str(power)))
                    case _:
                        pass
        scores = match.result.scores
        for seat, kind, number, thing in chosen:
            best = max(score for other, score in enumerate(scores) if other != seat)
            won = {"times": 1, "wins": int(match.result.ranking[seat] == 1), "margin": scores[seat] - best}
            sums.setdefault((match.title, len(scores), kind, number, thing), Counter()).update(won)
    return {key: (each["times"], each["wins"], each["margin"]) for key, each in sums.items()}


def stored_sums(store: ReadStore, kinds: frozenset[str]) -> Sums:
    return {
        (title, seats, each.kind, each.number, each.thing): (each.came.times, each.came.wins, each.came.margin)
        for title, seats in ((GRANJA, 2), (GRANJA, 3), (GRANDE, 2), (GRANDE, 3))
        for each in explorer.list_choices(store, title, seats, "bots")
        if each.kind in kinds
    }


RECOUNTED = frozenset({"donkey", "building", "card", "helper", "home", "power"})


def test_the_explorer_equals_a_recount_from_the_logs(logs: list[MatchLog], archive: ReadStore) -> None:
    public = [log for log in logs if log.match.table == Table(event=EVENT)]

    assert stored_sums(archive, RECOUNTED) == recount(public)
    assert {key[2] for key in recount(public)} == RECOUNTED
    assert explorer.list_choices(archive, GRANDE, 2, "people") == ()
    assert explorer.list_seat_counts(archive, GRANDE) == (2, 3)
    donkeys = explorer.list_choices_of_kind(archive, GRANJA, 2, "bots", "donkey")
    assert donkeys == tuple(each for each in explorer.list_choices(archive, GRANJA, 2, "bots") if each.kind == "donkey")
    assert {("donkey", each.thing) for each in donkeys} <= set(explorer.list_searchable_choices(archive, GRANJA))


def test_all_explorer_counts_match_the_bytes_of_the_logs(logs: list[MatchLog], archive: ReadStore) -> None:
    """The same recount over the 2,000 matches of `esporles bench archive` is one of its metrics."""
    counted = Recount()
    for log in logs:
        if log.match.table == Table(event=EVENT):
            counted.add(log.entries)

    assert counted.count_differences(archive) == 0
    assert {kind for _, _, kind, _, _ in counted.things} == RECOUNTED | {"king", "castillo", "action_card"}
    assert len(counted.openings) > len(logs)
    counted.add(logs[0].entries)
    assert counted.count_differences(archive) > len(logs[0].match.seats), "one match more would be seen"


def test_openings_lead_from_action_to_action_and_to_the_matches(logs: list[MatchLog], archive: ReadStore) -> None:
    grande = [log for log in logs if log.match.title == GRANDE and log.match.table == Table(event=EVENT)]
    three = [log for log in grande if len(log.match.seats) == 3]
    path = first_key(GRANDE, 3)
    begun = explorer.list_next_actions(archive, path, "bots")

    assert sum(move.came.times for move in begun) == len(three)
    for log in three:
        facts = [read_fact(log.match.definition, entry) for entry in log.entries]
        actions = [
            (entry, fact) for entry, fact in zip(log.entries, facts, strict=True) if isinstance(fact, ActionTaken)
        ]
        here = path
        for entry, fact in actions[:OPENING]:
            (move,) = [
                move
                for move in explorer.list_next_actions(archive, here, "bots")
                if move.action == action_text(action_of(fact))
            ]
            example = explorer.find_example(archive, move.next)
            assert example is not None
            here = move.next
            results = search(archive, SearchCriteria(title=GRANDE, opening=here)).items
            assert log.match.id in {each.line_id for each in results}
            assert example.line_id == results[0].line_id
            if example.line_id == log.match.id:
                assert (example.version, example.seat) == (entry.version, fact.seat)
        assert explorer.list_next_actions(archive, here, "bots") == ()
    assert explorer.find_example(archive, "nothing") is None


def test_the_archive_contains_all_public_matches(logs: list[MatchLog], archive: ReadStore) -> None:
    public = [log.match for log in logs if log.match.table == Table(event=EVENT)]

    def find_lines(**wanted: object) -> set[object]:
        return {each.line_id for each in search(archive, SearchCriteria(**wanted)).items}  # type: ignore[arg-type]

    assert find_lines() == {match.id for match in public}
    assert find_lines(title=GRANJA, seats=3) == {public[1].id}
    assert find_lines(title=GRANDE, edition="2023") == {match.id for match in public[2:]}
    assert find_lines(edition="deluxe") == {match.id for match in public[:2]}
    assert (
        find_lines(events=(EVENT,))
        == find_lines(people=False)
        == find_lines(rated=False)
        == find_lines(players=(BOT,))
        == find_lines()
    )
    assert (
        find_lines(events=())
        == find_lines(people=True)
        == find_lines(rated=True)
        == find_lines(players=("ann",))
        == set()
    )
    best = {match.id: max(match.result.scores) for match in public if match.result}
    middle = sorted(best.values())[4]
    assert find_lines(score=middle) == {line for line, score in best.items() if score >= middle}
    lengths = {match.id: match.version for match in public}
    assert find_lines(entries_min=300) == {line for line, length in lengths.items() if length >= 300}
    assert find_lines(entries_max=300) == {line for line, length in lengths.items() if length <= 300}
    assert find_lines(end="played") == find_lines(since=0) == find_lines()
    assert find_lines(end="resigned") == find_lines(until=0) == find_lines(since=2**40) == set()
    home = next(each for each in explorer.list_choices(archive, GRANDE, 3, "bots") if each.kind == "home")
    assert len(find_lines(title=GRANDE, seats=3, things=(("home", home.thing),))) == home.came.times
    assert find_lines(title=GRANDE, things=(("home", "nowhere"),)) == set()


def test_searches_use_the_rating_after_the_match(archive: ReadStore, logs: list[MatchLog]) -> None:
    ensure_tables(archive, ladders)
    with archive.transaction() as transaction:
        match_id = str(logs[2].match.id)
        values = {"match_id": match_id, "title": GRANDE, "seats": 2, "ended": 1, "detail": b""}
        transaction.change(insert_row(RATING_RESULTS), **values, head="", clock="live")
        transaction.change(insert_row(RATING_CHANGES), **values, number=1, best=1234)

    assert [each.line_id for each in search(archive, SearchCriteria(rating=1234)).items] == [logs[2].match.id]
    assert search(archive, SearchCriteria(rating=1235)).items == ()


def test_pages_follow_one_another(archive: ReadStore) -> None:
    everything = [each.line_id for each in search(archive, SearchCriteria()).items]
    line_ids, before = list[object](), None
    while True:
        page = search(archive, SearchCriteria(), 3, before)
        line_ids += [each.line_id for each in page.items]
        if (before := page.next) is None:
            break

    assert line_ids == everything


def opening_sums(store: ReadStore) -> tuple[int, ...]:
    sums = "SELECT COALESCE(SUM(times), 0), COALESCE(SUM(wins), 0), COALESCE(SUM(margin), 0), COUNT(*)"
    return tuple(int(each) for each in store.rows(f"{sums} FROM explorer_openings")[0])


def test_a_ruling_subtracts_a_match_and_an_appeal_adds_it_again(any_store: ReadStore, tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as matches:
        loop = FollowerLoop(matches, any_store, [projection])

        def stands() -> tuple[int, tuple[int, ...]]:
            loop.catch_up()
            return len(search(any_store, SearchCriteria()).items), opening_sums(any_store)

        match = played_out(matches, open_started_match(matches, 1, (BOT, BOT)))
        played = stands()
        apply_ruling(matches, match.id, build_ruling("void", MatchVoided()))
        void = stands()
        apply_ruling(matches, match.id, build_ruling("not", appeal_of="void"))
        again = stands()
        apply_ruling(matches, match.id, build_ruling("set", ResultSet((2, 999), (2, 1))))
        turned = stands()
        line = played_out(matches, resume_match(matches, match.id, 10, match_id(2)))
        resumed = stands()

        assert (played[0], void, again) == (1, (0, (0, 0, 0, 0)), played)
        assert turned[1] != played[1]
        assert resumed == (1, (0, 0, 0, 0))
        assert [each.line_id for each in search(any_store, SearchCriteria(players=(BOT,))).items] == [line.id]
        before = {table: sorted(any_store.rows(f"SELECT * FROM {table}"), key=repr) for table in projection.TABLES}
        rebuild([projection.NAME], matches, any_store, entries=1)
        assert before == {
            table: sorted(any_store.rows(f"SELECT * FROM {table}"), key=repr) for table in projection.TABLES
        }


def test_forks_are_not_archived(matches: Matches, store: ReadStore) -> None:
    match = played_out(matches, open_started_match(matches, 1, (BOT, "ann")))
    seats: tuple[Actor | None, ...] = (BOT, BOT)
    fork = fork_match(
        matches,
        match.id,
        at_version=match.version - 3,
        new_id=match_id(2),
        luck="same",
        by="ann",
        at=match.timestamp,
        seats=seats,
    )
    played_out(matches, fork)
    FollowerLoop(matches, store, [projection]).catch_up()

    assert [each.line_id for each in search(store, SearchCriteria()).items] == [match.id]


def test_the_number_of_things_in_a_search_is_limited() -> None:
    many = SearchCriteria(title=GRANDE, things=(("home", "granada"),) * 20)

    conditions = archive_search.conditions_of(many)

    assert len(conditions) == 1 + archive_search.THINGS_MAX
    assert replace(many, things=()) == SearchCriteria(title=GRANDE)
