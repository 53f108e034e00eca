"""The caches of lines and notes, which do not affect results."""

from collections.abc import Callable

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import note_export
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import SERVICE
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, start_match, uuid
from tests.seeding import entropy


def test_a_match_is_cached_with_all_its_ancestors(sqlite: Matches) -> None:
    """A later command then needs no fold. Unknown ids are ignored."""
    match = start_match(sqlite, uuid(1), (BOT, BOT))
    sqlite.void(match.id, SERVICE, at=START)
    fork_match(sqlite, match.id, at_version=match.version, new_id=uuid(2), luck="fresh", by="anna", at=START)
    sqlite.lines.clear_caches()

    sqlite.lines.load(uuid(2))
    of_the_fork_alone = sqlite.lines.is_cached(uuid(2))
    for match_id in (uuid(2), uuid(3)):
        sqlite.lines.warm(match_id)
        sqlite.lines.warm(match_id)

    assert not of_the_fork_alone
    assert [sqlite.lines.is_cached(uuid(number)) for number in (1, 2, 3)] == [True, True, False]


def test_notes_of_another_process_are_seen(reopen_store: Callable[[], Matches]) -> None:
    local, remote = reopen_store(), reopen_store()
    match = start_match(local, uuid(1), (BOT, BOT))
    local.void(match.id, SERVICE, at=START)
    for number, by in enumerate((local, remote, local), start=2):
        fork_match(by, match.id, at_version=match.version, new_id=uuid(number), luck="fresh", by="anna", at=START)

    assert local.lines.notes(match.id) == remote.lines.notes(match.id)
    assert [note.originator_version for note in local.lines.notes(match.id)] == [1, 2, 3]


def test_evicted_notes_are_read_again(database: str) -> None:
    matches = open_store(store_env(database), titles=ALL_TITLES, matches_kept=1, entropy=entropy())
    for number in (1, 2):
        match = start_match(matches, uuid(number), (BOT, BOT))
        matches.void(match.id, SERVICE, at=START)
        fork_match(
            matches, match.id, at_version=match.version, new_id=uuid(10 + number), luck="fresh", by="anna", at=START
        )

    assert [len(matches.lines.notes(uuid(number))) for number in (1, 2, 1)] == [1, 1, 1]
    matches.close()


def test_the_last_position_is_of_an_entry_however_many_notes_follow_it(matches: Matches) -> None:
    before = matches.last_position()
    match = start_match(matches, uuid(1), (BOT, BOT))
    last = matches.read_log_items(0, match.version + 1)[-1][0]
    for _ in range(70):
        note_export(matches, match.id, by=SERVICE, at=START)

    assert before == 0
    assert matches.last_position() == last
