"""Stored streams are verified against the tree: changed ones are rejected, all others are served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.forks import fork_match
from domain.eventstore.guard import SaltedLeaf, VerifiedStreams
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.eventstore.stored_log import StoredLog
from domain.matches.errors import LogFault, MatchError, NoSuchMatch, NoSuchStream, Tampered
from domain.matches.facts import SERVICE
from domain.matches.log.entries import digest
from domain.matches.log.records import record_digest
from domain.matches.retired_rules import find_retired
from domain.matches.seats.departures import find_waiting_for
from domain.roles.audit import AUDIT, AUDIT_STREAM, AuditRead
from domain.roles.commands import append_to_trail, trail
from tests.domain.eventstore.faulty_stores import DIARY, DiaryOpened, PageWritten, Tree, cut, delete, swap, write
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, start_match, uuid
from tests.seeding import entropy

MATCH, OTHER, FORK, STREAM = (uuid(number) for number in (1, 2, 3, 4))


def read(upto: int, batch: Batch) -> None:
    """Append one record to the trail."""
    append_to_trail(batch, AuditRead(by=SERVICE, role="operator", upto=upto))


@pytest.fixture
def tree(database: str) -> Tree:
    """Return the leaves of two matches, a fork of the first, a diary and a trail."""
    matches = open_store(store_env(database), titles=ALL_TITLES, entropy=entropy())
    match = start_match(matches, MATCH, ("anna", "bela"))
    matches.resign(MATCH, 0, "anna", at=START)
    start_match(matches, OTHER, (BOT, BOT))
    fork_match(matches, MATCH, at_version=match.version, new_id=FORK, luck="same", by="anna", at=START)
    matches.transact(lambda batch: batch.record(DIARY, STREAM, DiaryOpened("ann"), *map(PageWritten, "abc")), at=START)
    for upto in range(4):
        matches.transact(partial(read, upto), at=START)
    tree = Tree(matches)
    matches.close()
    return tree


@pytest.fixture
def reopen(database: str, tree: Tree) -> Iterator[Callable[[], Matches]]:
    """Restart the service."""
    opened: list[Matches] = []

    def open_again() -> Matches:
        opened.append(open_store(store_env(database), titles=ALL_TITLES, entropy=entropy(), guard=tree))
        return opened[-1]

    yield open_again
    for matches in opened:
        matches.close()


def test_unchanged_streams_are_served(reopen: Callable[[], Matches], tree: Tree) -> None:
    matches = reopen()

    assert [matches.get(match).id for match in (MATCH, OTHER, FORK)] == [MATCH, OTHER, FORK]
    assert matches.streams.get(DIARY, STREAM).state.pages == ("a", "b", "c")
    assert trail(matches) is not None
    for _, event in [*matches.read_log_items(0, 1_000), *reopen().read_log_items(0, 1_000)] * 2:
        matches.verify_stream(event)
    assert tree.told == []


def test_events_without_a_leaf_are_served(reopen: Callable[[], Matches], tree: Tree) -> None:
    local = reopen()
    local.transact(lambda batch: batch.record(DIARY, STREAM, PageWritten("d")), at=START)
    local.transact(partial(read, 9), at=START)
    local.void(FORK, SERVICE, at=START)
    start_match(local, uuid(9), (BOT, BOT))
    remote = reopen()

    assert remote.streams.get(DIARY, STREAM).state.pages == ("a", "b", "c", "d")
    assert remote.streams.get(AUDIT, AUDIT_STREAM).version == 5
    assert remote.get(FORK).head == local.get(FORK).head
    for _, event in reopen().read_log_items(0, 1_000):
        remote.verify_stream(event)
    assert remote.get(uuid(9)).id == uuid(9)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda database: cut(database, MATCH, 5), "entry 6 is missing"),
        (lambda database: cut(database, MATCH, 0), "its entries are missing"),
        (lambda database: delete(database, MATCH, 1), "entry 1 is missing"),
        (lambda database: delete(database, MATCH, 3), "entry 3 is missing"),
        (lambda database: write(database, MATCH, 3, b"nonsense"), "entry 3 is missing"),
        (lambda database: write(database, MATCH, 3, b'{"timestamp":"2026-01-01T12:00:00Z"}'), "entry 3 is missing"),
        (lambda database: swap(database, MATCH, 3, 4), "entry 3 was changed"),
    ],
)
def test_a_match_that_was_changed_is_refused_and_others_are_not(
    database: str, reopen: Callable[[], Matches], tree: Tree, damage: Callable[[str], None], why: str
) -> None:
    damage(database)
    matches = reopen()
    with pytest.raises(Tampered, match=f"{MATCH} differs from what this server signed: {why}"):
        matches.get(MATCH)
    with pytest.raises(Tampered, match=why):
        matches.lines.verify_line(MATCH)
    # Forks of it are rejected too.
    for ask in (matches.get, matches.lines.verify_line):
        with pytest.raises(Tampered):
            ask(FORK)
    with pytest.raises(Tampered):
        matches.open(MATCH, title="toy", seats=2, by="anna", at=START)

    assert matches.get(OTHER).id == OTHER
    assert {str(fault) for fault in tree.told if why in str(fault)}
    assert {fault.stream for fault in tree.told} == {MATCH}


def test_a_departing_person_is_not_blocked_by_tampering(database: str, reopen: Callable[[], Matches]) -> None:
    write(database, MATCH, 3, b"nonsense")
    matches = reopen()

    assert find_waiting_for(matches, "bela") == ()
    assert list(find_retired(matches)) == []


def test_an_entry_that_was_put_between_leaves_is_refused(reopen: Callable[[], Matches], tree: Tree) -> None:
    del tree.leaves[MATCH][4]

    with pytest.raises(Tampered, match="entry 4 was inserted later"):
        reopen().get(MATCH)


def test_a_changed_fork_does_not_block_readers_of_its_parent(
    database: str, reopen: Callable[[], Matches], tree: Tree
) -> None:
    """Whether the changed fork still runs is unknown, so shared secrets stay closed."""
    local, fork = reopen(), uuid(5)
    at = local.get(OTHER).version
    fork_match(local, OTHER, at_version=at, new_id=fork, luck="fresh", by="anna", at=START)
    for line in (OTHER, fork):
        local.void(line, SERVICE, at=START)
    assert local.lines.last_closed_version(OTHER) == 0
    tree.take_up(local)
    write(database, fork, at + 1, b"nonsense")
    matches = reopen()
    with pytest.raises(Tampered):
        matches.get(fork)

    assert matches.get(OTHER).id == OTHER
    assert matches.lines.last_closed_version(OTHER) == at


def test_repeated_reads_are_verified_again(database: str, reopen: Callable[[], Matches]) -> None:
    matches = reopen()
    version = matches.get(MATCH).version
    swap(database, MATCH, 3, 4)

    with pytest.raises(Tampered, match="entry 3 was changed"):
        matches.entries(MATCH)
    with pytest.raises(Tampered, match="entry 3 was changed"):
        matches.entries(MATCH, 2, 1)
    assert [entry.version for entry in matches.entries(MATCH, 4)] == list(range(5, version + 1))


def test_a_past_position_is_not_folded_from_remaining_entries(database: str, reopen: Callable[[], Matches]) -> None:
    matches = reopen()
    version = matches.get(MATCH).version
    delete(database, MATCH, version - 1)

    with pytest.raises(Tampered, match=f"entry {version - 1} is missing"):
        matches.at(MATCH, version - 1)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda database: cut(database, STREAM, 2), "entry 3 is missing"),
        (lambda database: cut(database, STREAM, 0), "its entries are missing"),
        (lambda database: swap(database, STREAM, 2, 3), "entry 2 was changed"),
        (lambda database: write(database, STREAM, 2, b"{}"), "entry 2 is missing"),
    ],
)
def test_a_stream_of_records_that_was_changed_is_refused(
    database: str, reopen: Callable[[], Matches], damage: Callable[[str], None], why: str
) -> None:
    events = reopen().read_log_items(0, 1_000)
    damage(database)
    matches = reopen()
    with pytest.raises(Tampered, match=why):
        matches.streams.get(DIARY, STREAM)
    with pytest.raises(Tampered, match=why):
        matches.transact(lambda batch: batch.record(DIARY, STREAM, DiaryOpened("eve")), at=START)
    (diary,) = (event for _, event in events if (event.originator_id, event.version) == (STREAM, 1))
    with pytest.raises(Tampered, match=why):
        matches.verify_stream(diary)

    assert trail(matches) is not None


@pytest.mark.parametrize("length", [0, 2])
def test_a_truncated_trail_is_not_continued(database: str, reopen: Callable[[], Matches], length: int) -> None:
    """Only the latest record of the trail is read."""
    cut(database, AUDIT_STREAM, length)
    matches = reopen()
    for _ in range(2):
        with pytest.raises(Tampered, match=f"{AUDIT_STREAM} differs from what this server signed"):
            matches.transact(partial(read, 9), at=START)


def test_a_concurrent_append_is_not_mistaken_for_truncation(
    database: str, reopen: Callable[[], Matches], tree: Tree
) -> None:
    """The tree may be ahead of the rows just read; then the store is read again."""
    local = reopen()

    class Racing(Tree):
        has_raced = False

        def read_leaves(self, *args):  # type: ignore[no-untyped-def]
            if not self.has_raced:
                self.has_raced = True
                local.transact(partial(read, 9), at=START)
                tree.take_up(local)
            return tree.read_leaves(*args)

    racing = Racing()
    with closing(open_store(store_env(database), titles=ALL_TITLES, entropy=entropy(), guard=racing)) as remote:
        assert remote.streams.get(AUDIT, AUDIT_STREAM).version == 5
    assert racing.has_raced


def test_the_id_of_a_tampered_stream_cannot_be_reused(reopen: Callable[[], Matches], tree: Tree) -> None:
    matches = reopen()
    with pytest.raises(NoSuchMatch):
        matches.get(STREAM)
    with pytest.raises(NoSuchStream):
        matches.streams.get(DIARY, MATCH)
    assert tree.told == []


def test_an_original_invalid_fact_is_no_tampering(database: str, tree: Tree) -> None:
    with closing(open_store(store_env(database), titles=ALL_TITLES, entropy=entropy())) as matches:
        (record,) = matches.streams.records(STREAM, 3)
        body = msgspec.Raw(b'{"type":"diary.burnt"}')
        matches.save(msgspec.structs.replace(record, originator_version=5, previous=record_digest(record), body=body))
        entry, body = matches.entries(MATCH)[-1], msgspec.Raw(b'{"type":"burnt"}')
        version = entry.version + 1
        matches.save(msgspec.structs.replace(entry, originator_version=version, previous=digest(entry), body=body))
    with closing(open_store(store_env(database), titles=ALL_TITLES, entropy=entropy())) as matches:
        with pytest.raises(LogFault, match="the body is not a fact of a diary:"):
            matches.streams.get(DIARY, STREAM)
        with pytest.raises(LogFault, match=f"entry {version}"):
            matches.get(MATCH)


def test_a_chain_that_is_broken_is_refused_without_any_tree(database: str, tree: Tree) -> None:
    swap(database, MATCH, 3, 4)
    swap(database, STREAM, 2, 3)
    matches = open_store(store_env(database), titles=ALL_TITLES, entropy=entropy())
    reads: tuple[Callable[[], object], ...] = (
        lambda: matches.get(MATCH),
        lambda: matches.get(FORK),
        lambda: matches.streams.get(DIARY, STREAM),
    )
    for ask in reads:
        with pytest.raises(Tampered, match="does not follow"):
            ask()
    assert matches.get(OTHER).id == OTHER
    matches.close()


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (lambda database: cut(database, MATCH, 0), Tampered),
        (lambda database: delete(database, MATCH, 1), Tampered),
    ],
)
def test_a_parent_that_lost_its_beginning_is_refused_without_any_tree(
    database: str, tree: Tree, damage: Callable[[str], None], error: type[MatchError]
) -> None:
    damage(database)
    matches = open_store(store_env(database), titles=ALL_TITLES, entropy=entropy())
    with pytest.raises(error):
        matches.get(FORK)
    matches.close()


def test_unreadable_rows_are_skipped(database: str, reopen: Callable[[], Matches]) -> None:
    whole = reopen().read_log_items(0, 1_000)
    for version in (2, 3, 4):
        write(database, MATCH, version, b"\xff")
    matches = reopen()
    entries, after = [], 0
    while page := matches.read_log_items(after, 1):
        entries += page
        after = page[-1][0]

    assert [position for position, _ in entries] == [
        position for position, event in whole if not (event.originator_id == MATCH and event.version in (2, 3, 4))
    ]
    # At the end of the log too.
    write(database, AUDIT_STREAM, 4, b"")
    assert reopen().read_log_items(after - 1, 10) == []


def test_the_log_is_read_row_by_row(database: str, reopen: Callable[[], Matches]) -> None:
    matches = reopen()
    stored, whole = StoredLog(matches), matches.read_log_items(0, 1_000)
    own = matches.entries(FORK)[-1]

    assert list(stored.between(0)) == whole
    assert list(stored.between(whole[2][0], whole[5][0])) == whole[3:6]
    assert stored.first(FORK) == stored.find(FORK, own.version) == own
    assert stored.find(FORK, own.version + 1) is stored.first(uuid(99)) is None
    write(database, MATCH, 1, b"nonsense")
    assert stored.find(MATCH, 1) is None


def test_the_set_of_verified_streams_is_bounded() -> None:
    sound = VerifiedStreams(2)
    for number in (1, 2, 3):
        sound.add(uuid(number))

    assert [uuid(number) in sound for number in (1, 2, 3)] == [False, False, True]


def test_a_leaf_without_an_event_is_tampering(reopen: Callable[[], Matches], tree: Tree) -> None:
    tree.leaves[uuid(99)] = {1: SaltedLeaf(bytes(16), bytes(32))}

    with pytest.raises(Tampered, match="its entries are missing"):
        reopen().get(uuid(99))
