"""Reading by stream gives the same positions as reading the log in order."""

from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.guard import stream_of
from domain.eventstore.mapper import NOTE_TOPIC, ZIPPED_ENTRY_TOPIC
from domain.matches.aggregate import Match
from domain.roles.audit import AUDIT_STREAM
from domain.roles.commands import note_import
from tests.domain.matches.match_helpers import START, play_out, start_match, uuid

PLAYERS = ("anna", "bea")


def several(matches: Matches) -> Match:
    """Create two matches, a fork of one, and a stream of records; return the fork."""
    one, other = start_match(matches, uuid(1), PLAYERS), start_match(matches, uuid(2), PLAYERS)
    play_out(matches, other)
    over = play_out(matches, one)
    note_import(matches, over.id, over.head, by="anna", at=START)
    return fork_match(matches, over.id, at_version=over.version - 3, new_id=uuid(3), luck="same", by="anna", at=START)


def test_streams_are_ordered_by_their_first_rows(matches: Matches) -> None:
    fork = several(matches)
    upto = matches.last_position()

    places = matches.list_streams(upto)

    assert [place.first for place in places] == sorted(place.first for place in places)
    topics = {place.id: place.topic for place in places}
    assert topics[uuid(1)] == ZIPPED_ENTRY_TOPIC
    # The id of the fork is claimed before its first entry.
    assert topics[fork.id] == NOTE_TOPIC
    assert {place.id: place.rows for place in places}[uuid(2)] == matches.get(uuid(2)).version


def test_a_stream_has_the_positions_of_the_log(matches: Matches) -> None:
    fork = several(matches)
    everything, upto = matches.read_log_items(0, 10_000), matches.last_position()

    for stream in (uuid(1), uuid(2), fork.id, AUDIT_STREAM):
        expected = [(position, event) for position, event in everything if stream_of(event) == stream]
        assert matches.read_stream(stream, upto) == expected
        assert matches.first(stream) == expected[0][1]
        early = expected[len(expected) // 2][0]
        assert matches.read_stream(stream, early) == [numbered for numbered in expected if numbered[0] <= early]


def test_later_rows_are_excluded(matches: Matches) -> None:
    start_match(matches, uuid(1), PLAYERS)
    upto = matches.last_position()
    start_match(matches, uuid(2), PLAYERS)

    assert [place.id for place in matches.list_streams(upto)] == [uuid(1)]
    assert matches.first(UUID(int=99)) is None
