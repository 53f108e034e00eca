"""Contents of the read models, and their independence of secrets for spectators and other seats."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.aggregate import Match, legal_actions, seats_to_act, view
from domain.matches.apply import fold
from domain.matches.facts import ActionTaken, Clock, SeatLeft, Table, Voided
from domain.matches.log.entries import Entry, Reader, redact
from domain.matches.log.records import Record
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.matches.seats.current_seats import OpenSeats
from domain.matches.seats.departures import OPENER_LEFT
from domain.matches.seats.opening import DISSOLVED
from domain.matches.titles import read_fact
from domain.titles import TITLES
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches import boards, lobby, replay, seat_views
from projections.matches.narration import narrate_fact
from projections.platform.store import ReadStore
from tests.projections.tables import BOT, at, match_id, open_started_match, play_match, take_action
from tests.seeding import entropy
from workers.bots import BOTS

SEATS = 3


class Line:
    """A log store with one match as a reader sees it."""

    titles = TITLES

    def __init__(self, entries: Sequence[Entry], reader: Reader) -> None:
        self._entries = [redact(entry, reader) for entry in entries]

    def read_log_items(self, after: int, limit: int) -> list[tuple[int, Entry]]:
        return [(entry.version, entry) for entry in self._entries if entry.version > after][:limit]

    def verify_stream(self, event: Entry | Record) -> None:
        """Accept every stream, because there is no tree."""

    def is_imported(self, match_id: UUID) -> bool:
        assert match_id == self._entries[0].line_id
        return False

    def at(self, match_id: UUID, version: int) -> Match:
        assert match_id == self._entries[0].line_id
        return fold(TITLES, self._entries[:version])


@pytest.fixture(scope="module")
def entries() -> tuple[Entry, ...]:
    """Provide a whole match of La Granja between random bots."""
    play = table_of_bots(TITLES["la_granja"], (BOT,) * SEATS, {}, seeded_origins(b"\x00\xff"))
    return play_to_end(play, {BOT: BOTS["random"].choose}).entries


@pytest.fixture(scope="module")
def peoples(tmp_path_factory: pytest.TempPathFactory) -> tuple[Entry, ...]:
    """Provide the beginning of a match of La Granja between people who act at random."""
    names, choice = ("anna", "bela", "cora"), Random(1)
    matches = open_store(store_env(tmp_path_factory.mktemp("people") / "log.db"), entropy=entropy())
    try:
        match = matches.open(match_id(1), title="la_granja", seats=SEATS, by="anna", at=at(0))
        for seat, name in enumerate(names):
            matches.take_seat(match.id, seat, name, at=at(0))
        for seat, name in enumerate(names):
            match = matches.ready(match.id, seat, name, at=at(0))
        while match.version < 150:
            seat = seats_to_act(match)[0]
            match = take_action(matches, match, seat, match.version, choice.randrange(len(legal_actions(match, seat))))
        return matches.entries(match.id)
    finally:
        matches.close()


def project(entries: Sequence[Entry], reader: Reader, path: Path) -> ReadStore:
    store = ReadStore(path)
    FollowerLoop(Line(entries, reader), store, tuple(PROJECTIONS.values())).catch_up()
    return store


@pytest.mark.parametrize("name", ["boards", "replay", "lobby", "clocks"])
def test_public_read_models_depend_only_on_the_spectators_log(
    entries: tuple[Entry, ...], tmp_path: Path, name: str
) -> None:
    """Non-interference: the rows do not depend on anything a spectator does not know."""
    whole, public = (project(entries, reader, tmp_path / f"{reader}.db") for reader in ("all", None))

    for table in PROJECTIONS[name].TABLES:
        assert public.rows(f"SELECT * FROM {table} ORDER BY 1, 2") == whole.rows(f"SELECT * FROM {table} ORDER BY 1, 2")


def test_the_view_of_a_seat_depends_only_on_its_log(peoples: tuple[Entry, ...], tmp_path: Path) -> None:
    whole = project(peoples, "all", tmp_path / "all.db")
    line_id = peoples[0].line_id
    for seat in range(SEATS):
        own = project(peoples, seat, tmp_path / f"{seat}.db")

        assert seat_views.get(own, line_id, seat) == seat_views.get(whole, line_id, seat) is not None


def test_the_replay_has_a_line_for_each_entry_in_the_titles_words(entries: tuple[Entry, ...], tmp_path: Path) -> None:
    store = project(entries, "all", tmp_path / "all.db")
    lines = replay.lines(store, entries[0].line_id)
    end = fold(TITLES, entries)

    assert [(line.version, line.at) for line in lines] == [(entry.version, entry.timestamp) for entry in entries]
    assert lines[0].kind == "match_opened"
    assert lines[-1].kind == "match_ended"
    assert end.result is not None
    assert lines[-1].scores == end.result.scores
    assert all(line.narration for line in lines)


def test_boards_and_views_of_seats_are_as_of_the_last_entry(matches: Matches, store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, ("anna", BOT)), 7)
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    board = boards.get(store, match.id)
    assert board is not None
    assert (board.version, board.head, board.status, board.title) == (match.version, match.head, "running", "toy")
    assert (board.phase, board.scores) == (match.definition.rules.phase(match.state), match.state.points)
    assert (board.to_act, board.ranking) == (seats_to_act(match), None)
    assert bytes(board.view) == msgspec.json.encode(view(match, None))
    farm = seat_views.get(store, match.id, 0)
    assert farm is not None
    assert (farm.version, farm.head) == (match.version, match.head)
    assert bytes(farm.view) == msgspec.json.encode(view(match, 0))
    assert [seat_views.get(store, match.id, seat) for seat in (1, 2)] == [None, None]


def test_the_view_of_a_seat_is_deleted_when_a_bot_takes_over(matches: Matches, store: ReadStore) -> None:
    loop = FollowerLoop(matches, store, tuple(PROJECTIONS.values()))
    match = play_match(matches, open_started_match(matches, 1, ("anna", "bela")), 4)
    loop.catch_up()
    before = [seat_views.get(store, match.id, seat) is not None for seat in range(2)]

    match = matches.replace_seat(match.id, 0, "anna", actor=BOT, at=at(10))
    loop.catch_up()

    farm = seat_views.get(store, match.id, 1)
    assert before == [True, True]
    assert seat_views.get(store, match.id, 0) is None
    assert farm is not None
    assert farm.version == match.version


def test_before_the_start_there_is_nothing_to_see_but_the_table(matches: Matches, store: ReadStore) -> None:
    match = matches.open(match_id(1), title="toy", seats=2, by="anna", at=at(0))
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    board = boards.get(store, match.id)
    assert board is not None
    assert (bytes(board.view), board.status, board.phase, board.scores) == (b"null", "open", "", ())


def test_the_lobby_lists_public_matches_latest_first_in_pages(matches: Matches, store: ReadStore) -> None:
    for number in range(1, 6):
        open_started_match(matches, number, ("anna", f"player-{number}"), Table(public=number != 3))
    play_match(matches, matches.get(match_id(2)))
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    newest = lobby.matches(store, limit=2)
    rest = lobby.matches(store, limit=10, before=newest.next).items

    assert [row.match_id.int for row in (*newest.items, *rest)] == [5, 4, 2, 1]
    assert [row.match_id.int for row in lobby.matches(store, "running").items] == [5, 4, 1]
    assert [row.match_id.int for row in lobby.matches(store, "ended").items] == [2]


def test_a_players_list_has_exactly_their_matches(matches: Matches, store: ReadStore) -> None:
    open_started_match(matches, 1, ("anna", "bela"), Table(public=False))
    open_started_match(matches, 2, ("anna", "carla"))
    open_started_match(matches, 3, ("bela", "carla"))
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    assert [row.match_id.int for row in lobby.matches_of(store, "anna").items] == [2, 1]
    assert [row.match_id.int for row in lobby.matches_of(store, "bela").items] == [3, 1]
    assert lobby.matches_of(store, "dora").items == ()


def test_a_table_is_removed_from_the_list_of_a_player_who_left(matches: Matches, store: ReadStore) -> None:
    match = matches.open(match_id(1), title="toy", seats=2, by="anna", at=at(0))
    matches.take_seat(match.id, 0, "bela", at=at(1))
    loop = FollowerLoop(matches, store, tuple(PROJECTIONS.values()))
    loop.catch_up()
    before = lobby.matches_of(store, "bela").items

    matches.leave_seat(match.id, 0, "bela", at=at(2))
    loop.catch_up()

    assert len(before) == 1
    assert lobby.matches_of(store, "bela").items == ()


def test_a_lobby_row_has_players_by_seat_and_seats_to_act(matches: Matches, store: ReadStore) -> None:
    match = take_action(matches, open_started_match(matches, 1, ("anna", BOT)), 0, 5)
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    row = lobby.get(store, match.id)

    assert row is not None
    assert [(seat.actor, seat.ready, seat.to_act) for seat in row.seats] == [("anna", True, False), (BOT, True, True)]
    assert (row.opened_by, row.opened_at, row.at, row.head) == ("anna", at(0), at(5), match.head)


def test_events_outside_the_game_are_narrated(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, ("anna", "bela", BOT))
    matches.pause(match.id, "service", at=at(1))
    matches.resume(match.id, "anna", at=at(2))
    matches.replace_seat(match.id, 1, "bela", actor=BOT, at=at(3))
    matches.resign(match.id, 0, "anna", at=at(4))
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    lines = {line.kind: (line.seat, line.by, line.narration[0].id) for line in replay.lines(store, match.id)}

    assert lines["paused"] == (None, "service", "The match is paused")
    assert lines["resumed"] == (None, "anna", "The match resumes")
    assert lines["seat_replaced"] == (1, "bela", "Someone else takes over for {player}")
    assert lines["resigned"] == (0, "anna", "{player} resigns")


def test_a_secret_choice_is_narrated_without_its_content(matches: Matches, store: ReadStore) -> None:
    match = take_action(matches, open_started_match(matches, 1, ("anna", "bela")), 0, 5)
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    line = replay.lines(store, match.id)[-1]
    entry = matches.entries(match.id)[-1]

    assert isinstance(read_fact(match.definition, entry), ActionTaken)
    assert (line.seat, [message.id for message in line.narration]) == (0, ["Chosen"])


def test_actions_of_the_service_for_a_timed_out_seat_are_marked(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 60), time_out="skip"))
    match = matches.time_out(match.id, 1, "service", at=at(60))
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    late, chosen = replay.lines(store, match.id)[-2:]

    assert [message.id for message in late.narration] == [
        "{player} ran out of time: the server makes the simplest legal move"
    ]
    assert [message.id for message in chosen.narration] == [
        "The server makes the simplest move for {player}",
        "Chosen",
    ]


def test_removed_players_and_dissolved_tables_are_narrated() -> None:
    left = narrate_fact(SeatLeft(0, "service", unready=True))
    gone = narrate_fact(SeatLeft(0, "anna", unready=True))
    void = (*narrate_fact(Voided("service", DISSOLVED)), *narrate_fact(Voided("service", OPENER_LEFT)))

    assert [each.id for each in (*left, *gone, *void)] == [
        "{player} was not ready in time and loses the seat",
        "{player} leaves",
        "Table closed: the same player kept the others waiting three times",
        "The match is void: the player whose device it was played on has left",
    ]


def test_unfinished_matches_are_found_by_player(matches: Matches, store: ReadStore) -> None:
    going_on = open_started_match(matches, 1, ("anna", "bela"))
    over = open_started_match(matches, 2, ("anna", "bela"))
    matches.void(over.id, "service", at=at(1))
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    reached = matches.last_position()
    assert lobby.list_unfinished(store, "anna") == OpenSeats(reached, (going_on.id,))
    assert lobby.list_unfinished(store, "dora") == OpenSeats(reached, ())


def test_unfinished_matches_are_listed_before_finished_ones(matches: Matches, store: ReadStore) -> None:
    first = open_started_match(matches, 1, ("anna", "bela"))
    for number in range(2, 5):
        play_match(matches, open_started_match(matches, number, ("anna", "bela")))
    last = open_started_match(matches, 5, ("anna", "bela"))
    open_started_match(matches, 6, ("cleo", "bela"))
    FollowerLoop(matches, store, (lobby,)).catch_up()

    assert [row.match_id for row in lobby.list_unfinished_page(store, "anna").items] == [last.id, first.id]


def test_pages_of_unfinished_matches_start_with_waiting_ones(matches: Matches, store: ReadStore) -> None:
    first, second, third = (open_started_match(matches, number, ("anna", "bela")) for number in (1, 2, 3))
    take_action(matches, second, 1, 5)
    take_action(matches, first, 0, 6)
    over = open_started_match(matches, 4, ("anna", "bela"))
    matches.void(over.id, "service", at=at(7))
    FollowerLoop(matches, store, (lobby,)).catch_up()

    pages, before = list[UUID](), None
    for _ in range(3):
        page = lobby.list_unfinished_page(store, "bela", 1, before)
        pages, before = [*pages, page.items[0].match_id], page.next

    assert (pages, before) == ([third.id, first.id, second.id], None), "those that wait for her, then the others"
    assert [row.match_id for row in lobby.list_unfinished_page(store, "anna").items] == [third.id, second.id, first.id]
    count, rows = lobby.waiting_for(store, "bela", 9)
    assert (count, [row.match_id for row in rows]) == (2, [third.id, first.id]), "the longest to wait first"
    count, rows = lobby.waiting_for(store, "bela", 1)
    assert (count, [row.match_id for row in rows]) == (2, [third.id])
    assert lobby.waiting_for(store, "dora", 1) == (0, ())
