"""Forks: pointers in the store, complete logs in files, same luck only after the end (DESIGN §3)."""

from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log, import_log
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.consequences import fork_line
from domain.matches.errors import (
    AlreadySeated,
    ForkRefused,
    ForkTooDeep,
    MatchExists,
    NoSuchMatch,
    NotSeated,
    UnknownActor,
    UnknownSeat,
    WrongSeatCount,
)
from domain.matches.facts import SERVICE, Table
from domain.matches.forks import forking
from domain.matches.forks.forking import DEPTH_MAX
from domain.matches.log.entries import ALL, check_chain
from domain.matches.log.log_files import log_of
from domain.matches.play.in_memory import InMemoryMatch, fork_log, play_to_end, seeded_origins, table_of_bots
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    BOTS,
    LAST_BOT,
    START,
    act_once,
    play_out,
    some_origins,
    start_match,
    toy_log,
    toy_table,
    uuid,
)
from tests.seeding import one_in

M, F, G = uuid(1), uuid(2), uuid(3)
BOTS_3 = (BOT, BOT, BOT)


def fork(matches: Matches, parent: Any, version: int, new: Any, luck: Any = "same", **more: Any) -> Match:
    return fork_match(matches, parent, at_version=version, new_id=new, luck=luck, by="anna", at=START, **more)


def fork_play(log: Any, version: int, luck: Any, **more: Any) -> InMemoryMatch:
    return fork_log(log, at_version=version, luck=luck, by="anna", origins=some_origins(), titles=ALL_TITLES, **more)


@pytest.mark.parametrize(
    ("title", "seats"),
    [
        ("toy", 3),
        pytest.param("la_granja", 2, marks=pytest.mark.no_cover),
        pytest.param("la_granja", 3, marks=pytest.mark.no_cover),
    ],
)
def test_the_same_bots_with_the_same_luck_reach_the_same_result_from_every_entry(title: str, seats: int) -> None:
    """Covers every entry from the start of play to the last action."""
    bots = (BOT, LAST_BOT, BOT)[:seats]
    played = play_to_end(table_of_bots(ALL_TITLES[title], bots, {}, seeded_origins(b"\x05")), BOTS)
    log = log_of(played.entries)
    first = played.match.started_version
    assert first is not None
    last = len(log.entries) - 1
    between = one_in(1 if title == "toy" else 20, range(first, last), f"forks of {title} for {seats}")
    versions: list[int] = []

    for version in sorted({*between, first, last}):
        again = play_to_end(fork_play(log, version, "same"), BOTS, lambda match: versions.append(match.version))
        assert again.match.result == played.match.result, version
        assert again.entries[:version] == played.entries[:version]
        assert check_chain(again.entries) == again.match.head_digest
    assert versions[0] > first


def test_a_fork_of_a_finished_match_in_the_store_goes_on_with_the_same_luck(sqlite: Matches) -> None:
    parent = play_out(sqlite, start_match(sqlite, M, BOTS_3))

    for version in range(parent.started_version or 0, parent.version):
        fork_id = uuid(100 + version)
        again = play_out(sqlite, fork(sqlite, M, version, fork_id))
        assert again.result == parent.result, version
        assert sqlite.entries(fork_id)[:version] == sqlite.entries(M)[:version]
    assert verify(export_log(sqlite, uuid(115), ALL), titles=ALL_TITLES).is_good


def test_fresh_luck_brings_other_cards_but_the_same_past(sqlite: Matches) -> None:
    parent = play_out(sqlite, start_match(sqlite, M, BOTS_3))
    at = 14

    other = play_out(sqlite, fork(sqlite, M, at, F, "fresh"))

    assert other.key != parent.key
    assert other.luck_id == F
    assert sqlite.at(F, at) == sqlite.at(M, at)
    assert sqlite.at(F, 3).id == M
    assert other.state.played != parent.state.played
    report = verify(export_log(sqlite, F, ALL), titles=ALL_TITLES)
    assert (report.is_good, report.unchecked) == (True, ())


def test_the_parent_of_a_nested_fork_is_the_match_that_made_the_entry(sqlite: Matches) -> None:
    play_out(sqlite, start_match(sqlite, M, BOTS_3))
    play_out(sqlite, fork(sqlite, M, 15, F, "fresh"))

    deep = play_out(sqlite, fork(sqlite, F, 20, G))
    early = fork(sqlite, F, 12, uuid(4))

    assert deep.result == sqlite.get(F).result
    assert deep.origin is not None
    assert (deep.origin.match_id, deep.origin.version) == (F, 20)
    assert early.origin is not None
    assert early.origin.match_id == M
    owners = [entry.originator_id for entry in sqlite.entries(G)]
    assert owners[:15] == [M] * 15
    assert owners[15:20] == [F] * 5
    assert set(owners[20:]) == {G}
    assert sqlite.entries(G, after=13, limit=4) == sqlite.entries(G)[13:17]
    assert sqlite.entries(G, after=3, limit=2) == sqlite.entries(G)[3:5]
    sqlite.lines.clear_caches()
    assert sqlite.get(G).head == deep.head
    for version in range(1, deep.version + 1):
        assert sqlite.at(G, version).version == version
    assert verify(export_log(sqlite, G, ALL), titles=ALL_TITLES).is_good


def test_nested_forks_are_limited_in_depth(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)
    for number in range(DEPTH_MAX):
        match = fork(sqlite, match.id, match.version, uuid(200 + number), "fresh")

    with pytest.raises(ForkTooDeep, match=f"match {match.id} is a fork of depth 16; the maximum is 16"):
        fork(sqlite, match.id, match.version, F, "fresh")
    with pytest.raises(ForkTooDeep):
        fork_play(export_log(sqlite, match.id, ALL, at=START), match.version, "fresh")
    assert fork(sqlite, match.id, match.version - 1, F, "fresh").depth == DEPTH_MAX
    sqlite.lines.clear_caches()
    assert sqlite.get(match.id).depth == DEPTH_MAX


def test_a_deep_fork_reads_its_ancestors_only_up_to_the_fork(sqlite: Matches) -> None:
    root = start_match(sqlite, M, BOTS_3)
    match = root
    for number in range(4):
        match = fork(sqlite, match.id, match.version, uuid(200 + number), "fresh")
    parent = uuid(202)
    play_out(sqlite, sqlite.get(parent))
    sqlite.lines.clear_caches()

    again = sqlite.get(match.id)

    assert again.head == match.head
    assert [sqlite.lines.get_cached(line) for line in (M, uuid(200), uuid(201), parent)] == [None] * 4
    assert sqlite.at(match.id, match.version).head == match.head
    assert sqlite.at(match.id, root.version).head == root.head


def test_existing_forks_beyond_the_limit_are_read_continued_and_verified(sqlite: Matches) -> None:
    play = toy_table()
    match, entries = play.match, tuple(play.entries)
    for number in range(DEPTH_MAX + 2):
        fact = forking.fork(match, luck="fresh", by="anna", seed=bytes([number] * 32), parent_is_over=False)
        match, own = fork_line(match, fact, uuid(200 + number), START)
        entries += own
    log = log_of(play_to_end(InMemoryMatch(match, entries, some_origins()), BOTS).entries)

    assert verify(log, titles=ALL_TITLES).is_good
    assert import_log(sqlite, log, by=SERVICE, at=START).depth == DEPTH_MAX + 2


def test_a_fork_takes_less_than_a_kilobyte_in_the_store(sqlite: Matches) -> None:
    parent = play_out(sqlite, start_match(sqlite, M, (BOT, BOT, BOT, BOT), title="la_granja"))

    def size() -> int:
        with sqlite.log.recorder.datastore.transaction(commit=False) as cursor:  # type: ignore[attr-defined]  # SQLite's own
            cursor.execute("SELECT sum(length(state) + length(topic) + length(originator_id) + 8) FROM stored_events")
            return int(cursor.fetchone()[0])

    before = size()
    for number, luck in enumerate(("same", "fresh")):
        fork(sqlite, M, parent.version - 20, uuid(50 + number), luck)
        assert size() - before < 1000
        before = size()


def test_the_same_luck_requires_a_match_that_has_ended(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)

    with pytest.raises(ForkRefused, match="is still running; a fork with the same luck is possible when it"):
        fork(sqlite, M, match.version, F)
    running = fork(sqlite, M, match.version, F, "fresh")
    with pytest.raises(ForkRefused, match="is still running; a fork with the same luck is possible when it"):
        fork(sqlite, F, match.version, G)
    assert running.key != match.key
    with pytest.raises(ForkRefused, match="same or fresh"):
        fork(sqlite, M, match.version, G, "better")


def test_a_fork_starts_between_the_start_and_the_last_action(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, BOTS_3))
    start = match.started_version or 0

    for version, reason in (
        (start - 1, "had not started"),
        (match.version, "was over"),
        (match.version + 1, "entries 1 to"),
        (0, "entries 1 to"),
        (-4, "entries 1 to"),
    ):
        with pytest.raises(ForkRefused, match=reason):
            fork(sqlite, M, version, F)
        with pytest.raises(ForkRefused):
            fork_play(export_log(sqlite, M, ALL), version, "same")
    with pytest.raises(NoSuchMatch):
        fork(sqlite, G, 9, F)
    with pytest.raises(NoSuchMatch):
        sqlite.get(F)
    assert fork(sqlite, M, match.version - 1, F).is_over


def test_a_fork_is_never_rated_and_keeps_the_table(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, BOTS_3, table=Table(rated=True, take_backs=1)))
    match = sqlite.at(M, match.version - 3)

    copy = fork(sqlite, M, match.version, F, "fresh")

    assert match.table.rated
    assert not copy.table.rated
    assert copy.table.take_backs == 1


def test_other_people_are_not_seated_in_a_fork_and_its_empty_seats_can_be_taken(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, ("anna", "bea", BOT)))
    copy = fork(sqlite, M, match.started_version or 0, F, "fresh")

    assert [info.actor for info in copy.seats] == ["anna", None, BOT]
    with pytest.raises(NotSeated):
        sqlite.act(F, 1, "bea", legal_actions(copy, 1)[0], expected_version=copy.version, at=START)
    with pytest.raises(NotSeated):
        sqlite.replace_seat(F, 1, "bea", actor="carl", at=START)
    copy = sqlite.replace_seat(F, 1, "carl", actor="carl", at=START)
    copy = sqlite.replace_seat(F, 1, "carl", actor=BOT, at=START)
    assert [info.actor for info in copy.seats] == ["anna", BOT, BOT]
    with pytest.raises(UnknownSeat):
        sqlite.replace_seat(F, 7, "carl", actor="carl", at=START)


def test_an_empty_seat_of_a_fork_does_not_reveal_its_parents_secrets(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea", BOT))
    fork(sqlite, M, match.version, F, "fresh")
    fork(sqlite, F, match.version + 1, G, "fresh")

    for line in (F, G):
        for actor in ("carl", BOT):
            with pytest.raises(
                NotSeated,
                match="of a running match; only its player",
            ):
                sqlite.replace_seat(line, 1, "anna" if actor == BOT else "carl", actor=actor, at=START)
    assert sqlite.replace_seat(F, 1, "bea", actor="bea", at=START).seats[1].actor == "bea"
    sqlite.void(F, SERVICE, at=START)
    with pytest.raises(NotSeated):
        sqlite.replace_seat(G, 1, "carl", actor="carl", at=START)
    sqlite.void(M, SERVICE, at=START)
    assert sqlite.replace_seat(G, 1, "carl", actor="carl", at=START).seats[1].actor == "carl"


def test_people_cannot_fork_a_running_rated_match(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3, table=Table(rated=True))

    with pytest.raises(
        ForkRefused,
        match="is rated and still running; only the service can fork it",
    ):
        fork(sqlite, M, match.version, F, "fresh")
    ruled = fork_match(sqlite, M, at_version=match.version, new_id=F, luck="fresh", by=SERVICE, at=START)
    assert ruled.status == "running"


def test_only_valid_players_are_seated_in_a_fork(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)

    copy = fork(sqlite, M, match.version, F, "fresh", seats=("anna", BOT, None))
    assert [info.actor for info in copy.seats] == ["anna", BOT, None]
    refusals: list[tuple[tuple[str | None, ...], type[Exception]]] = [
        (("anna", "anna", BOT), AlreadySeated),
        (("anna", BOT), WrongSeatCount),
        (("anna", SERVICE, BOT), UnknownActor),
    ]
    for seats, refusal in refusals:
        with pytest.raises(refusal):
            fork(sqlite, M, match.version, G, "fresh", seats=seats)


def test_a_repeated_fork_command_returns_the_same_fork(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)
    moved = act_once(sqlite, match)
    first = fork(sqlite, M, match.version, F, "fresh")

    assert fork(sqlite, M, match.version, F, "fresh").head == first.head
    with pytest.raises(MatchExists):
        fork(sqlite, M, moved.version, F, "fresh")
    with pytest.raises(MatchExists):
        fork(sqlite, M, match.version, M, "fresh")
    with pytest.raises(MatchExists):
        sqlite.open(F, title="toy", seats=3, by=BOT, at=START)
    assert len(sqlite.lines.notes(M)) == 1


def test_resigned_seats_stay_resigned_and_are_played_on_in_a_fork(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", BOT, BOT))
    sqlite.resign(M, 0, "anna", at=START)

    copy = fork(sqlite, M, match.version + 1, F, "fresh")

    assert copy.seats[0].resigned
    assert 0 not in seats_to_act(copy)
    copy = play_out(sqlite, copy)
    assert copy.result is not None
    assert copy.result.ranking[0] == 3
    assert verify(export_log(sqlite, F, ALL, at=START), titles=ALL_TITLES).is_good


def test_only_a_complete_log_can_be_forked() -> None:
    log = toy_log()
    with pytest.raises(ForkRefused, match="redacted for seat/1"):
        fork_play(log_of(log.entries, 1), 12, "same")
    running = log_of(toy_table().entries)
    with pytest.raises(ForkRefused, match="is still running; a fork with the same luck is possible when it"):
        fork_play(running, 8, "same")
    assert fork_play(running, len(running.entries), "fresh").match.status == "running"


def test_a_practice_match_is_private_and_described(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, BOTS_3))

    practice = fork(sqlite, M, match.version - 3, F, seats=("anna", BOT, BOT), practice="toy/first")

    assert (practice.practice, practice.table.public, practice.table.rated) == ("toy/first", False, False)
    assert practice.is_fork
    assert match.practice == ""
    assert verify(export_log(sqlite, F, ALL, at=START), titles=ALL_TITLES).is_good
    assert fork(sqlite, M, match.version - 3, F, seats=("anna", BOT, BOT), practice="toy/first") == practice
    assert fork(sqlite, M, match.version - 3, G, seats=("anna", BOT, BOT)).practice == ""


def test_a_practice_match_has_the_same_luck_and_a_short_description(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, BOTS_3))

    with pytest.raises(ForkRefused, match="a practice match requires luck=same, not fresh"):
        fork(sqlite, M, match.version - 3, F, "fresh", practice="toy/first")
    with pytest.raises(ForkRefused, match="the subject of a practice match has at most 80 characters, not"):
        fork(sqlite, M, match.version - 3, F, practice="x" * 81)
