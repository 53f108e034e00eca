"""What is kept in memory of lines and of what is noted beside them, and that nobody has to know."""

from collections.abc import Callable

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import SERVICE
from tests.domain.matches.world import ALL_TITLES, BOT, START, started, uuid
from tests.seeding import entropy


def test_a_match_is_known_with_all_lines_it_comes_from(quick: Matches) -> None:
    """So that a command about it folds nothing; an id of which there is no match is no harm."""
    match = started(quick, uuid(1), (BOT, BOT))
    quick.void(match.id, SERVICE, at=START)
    fork_match(quick, match.id, at_version=match.version, new_id=uuid(2), luck="fresh", by="anna", at=START)
    quick.lines.forget()

    quick.lines.load(uuid(2))
    of_the_fork_alone = quick.lines.knows(uuid(2))
    for match_id in (uuid(2), uuid(3)):
        quick.lines.warm(match_id)
        quick.lines.warm(match_id)

    assert not of_the_fork_alone
    assert [quick.lines.knows(uuid(number)) for number in (1, 2, 3)] == [True, True, False]


def test_what_another_process_notes_is_seen(opened: Callable[[], Matches]) -> None:
    here, there = opened(), opened()
    match = started(here, uuid(1), (BOT, BOT))
    here.void(match.id, SERVICE, at=START)
    for number, by in enumerate((here, there, here), start=2):
        fork_match(by, match.id, at_version=match.version, new_id=uuid(number), luck="fresh", by="anna", at=START)

    assert here.lines.notes(match.id) == there.lines.notes(match.id)
    assert [note.originator_version for note in here.lines.notes(match.id)] == [1, 2, 3]


def test_notes_are_read_again_where_only_those_of_few_matches_are_kept(place: str) -> None:
    matches = open_store(store_env(place), titles=ALL_TITLES, matches_kept=1, entropy=entropy())
    for number in (1, 2):
        match = started(matches, uuid(number), (BOT, BOT))
        matches.void(match.id, SERVICE, at=START)
        fork_match(
            matches, match.id, at_version=match.version, new_id=uuid(10 + number), luck="fresh", by="anna", at=START
        )

    assert [len(matches.lines.notes(uuid(number))) for number in (1, 2, 1)] == [1, 1, 1]
    matches.close()
