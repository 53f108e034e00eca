"""What the read models say, and that no secret of the log is in what a spectator or another seat may read."""

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
from domain.matches.play.in_memory import play_on, seed_luck, table_of_bots
from domain.matches.seats.current_seats import Sitting
from domain.matches.seats.departing import OPENER_GONE
from domain.matches.seats.opening import DISSOLVED
from domain.matches.titles import read_fact
from domain.titles import TITLES
from projections.catalogue import PROJECTIONS
from projections.loop import Loop
from projections.matches import boards, farms, lobby, replay
from projections.matches.narration import narrate_fact
from projections.platform.store import ReadStore
from tests.projections.tables import BOT, acted, at, match_id, opened, played
from tests.seeding import entropy
from workers.bots import BOTS

SEATS = 3


class Line:
    """One match's log as some reader holds it, to be followed like a store's."""

    titles = TITLES

    def __init__(self, entries: Sequence[Entry], reader: Reader) -> None:
        self._entries = [redact(entry, reader) for entry in entries]

    def happenings(self, after: int, limit: int) -> list[tuple[int, Entry]]:
        return [(entry.version, entry) for entry in self._entries if entry.version > after][:limit]

    def examine(self, event: Entry | Record) -> None:
        """There is no tree beside it."""

    def is_imported(self, match_id: UUID) -> bool:
        assert match_id == self._entries[0].line_id
        return False

    def at(self, match_id: UUID, version: int) -> Match:
        assert match_id == self._entries[0].line_id
        return fold(TITLES, self._entries[:version])


@pytest.fixture(scope="module")
def entries() -> tuple[Entry, ...]:
    """A whole match of La Granja between bots that play anything."""
    play = table_of_bots(TITLES["la_granja"], (BOT,) * SEATS, {}, seed_luck(b"\x00\xff"))
    return play_on(play, {BOT: BOTS["random"].choose}).entries


@pytest.fixture(scope="module")
def peoples(tmp_path_factory: pytest.TempPathFactory) -> tuple[Entry, ...]:
    """The beginning of a match of La Granja between people who do anything."""
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
            match = acted(matches, match, seat, match.version, choice.randrange(len(legal_actions(match, seat))))
        return matches.entries(match.id)
    finally:
        matches.close()


def followed(entries: Sequence[Entry], reader: Reader, path: Path) -> ReadStore:
    store = ReadStore(path)
    Loop(Line(entries, reader), store, tuple(PROJECTIONS.values())).catch_up()
    return store


@pytest.mark.parametrize("name", ["boards", "replay", "lobby", "clocks"])
def test_what_everybody_may_read_can_be_written_from_a_spectators_log(
    entries: tuple[Entry, ...], tmp_path: Path, name: str
) -> None:
    """Non-interference: the rows do not depend on anything a spectator does not know."""
    whole, seen = (followed(entries, reader, tmp_path / f"{reader}.db") for reader in ("all", None))

    for table in PROJECTIONS[name].TABLES:
        assert seen.rows(f"SELECT * FROM {table} ORDER BY 1, 2") == whole.rows(f"SELECT * FROM {table} ORDER BY 1, 2")


def test_what_a_seat_may_read_can_be_written_from_its_own_log(peoples: tuple[Entry, ...], tmp_path: Path) -> None:
    whole = followed(peoples, "all", tmp_path / "all.db")
    line_id = peoples[0].line_id
    for seat in range(SEATS):
        own = followed(peoples, seat, tmp_path / f"{seat}.db")

        assert farms.get(own, line_id, seat) == farms.get(whole, line_id, seat) is not None


def test_the_replay_has_a_line_for_each_entry_in_the_titles_words(entries: tuple[Entry, ...], tmp_path: Path) -> None:
    store = followed(entries, "all", tmp_path / "all.db")
    lines = replay.lines(store, entries[0].line_id)
    end = fold(TITLES, entries)

    assert [(line.version, line.at) for line in lines] == [(entry.version, entry.timestamp) for entry in entries]
    assert lines[0].kind == "match_opened"
    assert lines[-1].kind == "match_ended"
    assert end.result is not None
    assert lines[-1].scores == end.result.scores
    assert all(line.narration for line in lines)


def test_the_board_and_the_farms_are_those_of_the_last_entry(matches: Matches, store: ReadStore) -> None:
    match = played(matches, opened(matches, 1, ("anna", BOT)), 7)
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    board = boards.get(store, match.id)
    assert board is not None
    assert (board.version, board.head, board.status, board.title) == (match.version, match.head, "running", "toy")
    assert (board.phase, board.scores) == (match.definition.rules.phase(match.state), match.state.points)
    assert (board.to_act, board.ranking) == (seats_to_act(match), None)
    assert bytes(board.view) == msgspec.json.encode(view(match, None))
    farm = farms.get(store, match.id, 0)
    assert farm is not None
    assert (farm.version, farm.head) == (match.version, match.head)
    assert bytes(farm.view) == msgspec.json.encode(view(match, 0))
    assert [farms.get(store, match.id, seat) for seat in (1, 2)] == [None, None]


def test_a_seat_a_bot_has_taken_over_is_read_by_nobody_any_more(matches: Matches, store: ReadStore) -> None:
    loop = Loop(matches, store, tuple(PROJECTIONS.values()))
    match = played(matches, opened(matches, 1, ("anna", "bela")), 4)
    loop.catch_up()
    before = [farms.get(store, match.id, seat) is not None for seat in range(2)]

    match = matches.replace_seat(match.id, 0, "anna", actor=BOT, at=at(10))
    loop.catch_up()

    farm = farms.get(store, match.id, 1)
    assert before == [True, True]
    assert farms.get(store, match.id, 0) is None
    assert farm is not None
    assert farm.version == match.version


def test_before_the_start_there_is_nothing_to_see_but_the_table(matches: Matches, store: ReadStore) -> None:
    match = matches.open(match_id(1), title="toy", seats=2, by="anna", at=at(0))
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    board = boards.get(store, match.id)
    assert board is not None
    assert (bytes(board.view), board.status, board.phase, board.scores) == (b"null", "open", "", ())


def test_the_lobby_lists_public_matches_the_newest_first_and_goes_on(matches: Matches, store: ReadStore) -> None:
    for number in range(1, 6):
        opened(matches, number, ("anna", f"player-{number}"), Table(public=number != 3))
    played(matches, matches.get(match_id(2)))
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    newest = lobby.matches(store, limit=2)
    rest = lobby.matches(store, limit=10, before=newest.next).items

    assert [row.match_id.int for row in (*newest.items, *rest)] == [5, 4, 2, 1]
    assert [row.match_id.int for row in lobby.matches(store, "running").items] == [5, 4, 1]
    assert [row.match_id.int for row in lobby.matches(store, "ended").items] == [2]


def test_a_player_finds_every_own_match_and_no_other(matches: Matches, store: ReadStore) -> None:
    opened(matches, 1, ("anna", "bela"), Table(public=False))
    opened(matches, 2, ("anna", "carla"))
    opened(matches, 3, ("bela", "carla"))
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    assert [row.match_id.int for row in lobby.matches_of(store, "anna").items] == [2, 1]
    assert [row.match_id.int for row in lobby.matches_of(store, "bela").items] == [3, 1]
    assert lobby.matches_of(store, "dora").items == ()


def test_whoever_left_a_table_does_not_find_it_any_more(matches: Matches, store: ReadStore) -> None:
    match = matches.open(match_id(1), title="toy", seats=2, by="anna", at=at(0))
    matches.take_seat(match.id, 0, "bela", at=at(1))
    loop = Loop(matches, store, tuple(PROJECTIONS.values()))
    loop.catch_up()
    before = lobby.matches_of(store, "bela").items

    matches.leave_seat(match.id, 0, "bela", at=at(2))
    loop.catch_up()

    assert len(before) == 1
    assert lobby.matches_of(store, "bela").items == ()


def test_a_row_of_the_lobby_says_who_sits_where_and_who_is_waited_for(matches: Matches, store: ReadStore) -> None:
    match = acted(matches, opened(matches, 1, ("anna", BOT)), 0, 5)
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    row = lobby.get(store, match.id)

    assert row is not None
    assert [(seat.actor, seat.ready, seat.to_act) for seat in row.seats] == [("anna", True, False), (BOT, True, True)]
    assert (row.opened_by, row.opened_at, row.at, row.head) == ("anna", at(0), at(5), match.head)


def test_what_happened_to_the_match_itself_is_told_too(matches: Matches, store: ReadStore) -> None:
    match = opened(matches, 1, ("anna", "bela", BOT))
    matches.pause(match.id, "service", at=at(1))
    matches.resume(match.id, "anna", at=at(2))
    matches.replace_seat(match.id, 1, "bela", actor=BOT, at=at(3))
    matches.resign(match.id, 0, "anna", at=at(4))
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    told = {line.kind: (line.seat, line.by, line.narration[0].id) for line in replay.lines(store, match.id)}

    assert told["paused"] == (None, "service", "The match is paused")
    assert told["resumed"] == (None, "anna", "The match goes on")
    assert told["seat_replaced"] == (1, "bela", "Somebody else plays on for {player}")
    assert told["resigned"] == (0, "anna", "{player} resigns")


def test_a_secret_choice_is_told_without_what_was_chosen(matches: Matches, store: ReadStore) -> None:
    match = acted(matches, opened(matches, 1, ("anna", "bela")), 0, 5)
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    line = replay.lines(store, match.id)[-1]
    entry = matches.entries(match.id)[-1]

    assert isinstance(read_fact(match.definition, entry), ActionTaken)
    assert (line.seat, [message.id for message in line.narration]) == (0, ["Chosen"])


def test_what_the_service_played_for_a_seat_out_of_time_is_told_as_its_own_choice(
    matches: Matches, store: ReadStore
) -> None:
    match = opened(matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 60), time_out="skip"))
    match = matches.time_out(match.id, 1, "service", at=at(60))
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    late, chosen = replay.lines(store, match.id)[-2:]

    assert [message.id for message in late.narration] == [
        "The time of {player} ran out: the server plays the simplest legal action"
    ]
    assert [message.id for message in chosen.narration] == [
        "The server plays the simplest action for {player}",
        "Chosen",
    ]


def test_a_seat_that_was_not_ready_and_a_table_that_dissolves_are_told() -> None:
    left = narrate_fact(SeatLeft(0, "service", unready=True))
    gone = narrate_fact(SeatLeft(0, "anna", unready=True))
    void = (*narrate_fact(Voided("service", DISSOLVED)), *narrate_fact(Voided("service", OPENER_GONE)))

    assert [each.id for each in (*left, *gone, *void)] == [
        "{player} was not ready in time and loses the seat",
        "{player} leaves",
        "The table is dissolved: the same player kept the others waiting three times",
        "The match is void: who opened the table on one device is gone",
    ]


def test_the_matches_that_are_not_over_are_found_by_their_players(matches: Matches, store: ReadStore) -> None:
    going_on = opened(matches, 1, ("anna", "bela"))
    over = opened(matches, 2, ("anna", "bela"))
    matches.void(over.id, "service", at=at(1))
    Loop(matches, store, tuple(PROJECTIONS.values())).catch_up()

    reached = matches.last_position()
    assert lobby.unfinished_of(store, "anna") == Sitting(reached, (going_on.id,))
    assert lobby.unfinished_of(store, "dora") == Sitting(reached, ())


def test_what_goes_on_is_listed_however_much_has_ended_since(matches: Matches, store: ReadStore) -> None:
    first = opened(matches, 1, ("anna", "bela"))
    for number in range(2, 5):
        played(matches, opened(matches, number, ("anna", "bela")))
    last = opened(matches, 5, ("anna", "bela"))
    opened(matches, 6, ("cleo", "bela"))
    Loop(matches, store, (lobby,)).catch_up()

    assert [row.match_id for row in lobby.going_on_of(store, "anna").items] == [last.id, first.id]


def test_what_goes_on_is_read_a_page_at_a_time_and_begins_with_what_waits(matches: Matches, store: ReadStore) -> None:
    first, second, third = (opened(matches, number, ("anna", "bela")) for number in (1, 2, 3))
    acted(matches, second, 1, 5)
    acted(matches, first, 0, 6)
    over = opened(matches, 4, ("anna", "bela"))
    matches.void(over.id, "service", at=at(7))
    Loop(matches, store, (lobby,)).catch_up()

    pages, before = list[UUID](), None
    for _ in range(3):
        page = lobby.going_on_of(store, "bela", 1, before)
        pages, before = [*pages, page.items[0].match_id], page.next

    assert (pages, before) == ([third.id, first.id, second.id], None), "those that wait for her, then the others"
    assert [row.match_id for row in lobby.going_on_of(store, "anna").items] == [third.id, second.id, first.id]
    count, rows = lobby.waiting_for(store, "bela", 9)
    assert (count, [row.match_id for row in rows]) == (2, [third.id, first.id]), "the longest to wait first"
    count, rows = lobby.waiting_for(store, "bela", 1)
    assert (count, [row.match_id for row in rows]) == (2, [third.id])
    assert lobby.waiting_for(store, "dora", 1) == (0, ())
