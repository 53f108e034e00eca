"""Visibility of hidden values: they open when every line that shares them has ended (DESIGN §3)."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import add_log, export_log, import_log
from domain.eventstore.mapper import Exported
from domain.kernel.values import replace
from domain.matches.errors import ImportRefused, LogFault, UnknownSeat
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL, Entry, list_audiences, redact
from domain.matches.log.imports import examine_log
from domain.matches.log.log_files import log_bytes, log_of, parse_log
from domain.matches.verification.verify import verify
from domain.roles.audit import AUDIT, AuditRead
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    act_once,
    forge_entry,
    play_out,
    start_match,
    toy_log,
    uuid,
    version_of,
)

M, F, G = uuid(1), uuid(2), uuid(3)
BOTS_3 = (BOT, BOT, BOT)


def is_open(matches: Matches, match_id: Any, version: int, reader: int | None = None) -> bool:
    """Return whether every hidden value of the entry is open to the reader."""
    (entry,) = matches.read(match_id, reader, version - 1, 1)
    return {opening.commitment for opening in entry.secrets} == set(list_audiences(entry))


def fork(matches: Matches, parent: Any, version: int, new: Any, luck: Any) -> None:
    fork_match(matches, parent, at_version=version, new_id=new, luck=luck, by="anna", at=START)


def test_while_a_match_runs_a_reader_holds_what_the_audience_allows(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)

    for reader in (None, 0, 1, 2):
        for entry in sqlite.read(M, reader):
            commitments = {opening.commitment for opening in entry.secrets}
            assert commitments == {known for known, seats in list_audiences(entry).items() if reader in seats}
    assert sqlite.lines.last_closed_version(M) == match.version
    assert not is_open(sqlite, M, 1)
    assert sqlite.read(M, ALL) == sqlite.entries(M)


def test_a_reader_never_receives_the_server_seed_or_other_hands(sqlite: Matches) -> None:
    match = act_once(sqlite, start_match(sqlite, M, BOTS_3))
    assert match.seed is not None
    other_hand = msgspec.json.encode(match.state.hands[1])

    for reader in (None, 0):
        content = log_bytes(export_log(sqlite, M, reader))
        assert match.seed.hex().encode() not in content
        assert other_hand not in content
        assert verify(parse_log(content), titles=ALL_TITLES).is_good


def test_a_secret_changed_on_disk_is_shown_to_no_reader(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)
    entry = next(entry for entry in sqlite.entries(M) if len(entry.secrets) > 1)
    first, *others = entry.secrets
    changed = replace(entry, secrets=(replace(first, commitment="0" * 64), *others))

    assert match.status == "running"
    for reader in (None, 0, 1, 2):
        openings = [opening for opening in redact(entry, reader).secrets if opening != first]
        assert list(redact(changed, reader).secrets) == openings


def test_all_values_open_when_the_line_has_ended(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, BOTS_3))

    assert sqlite.lines.last_closed_version(M) == 0
    assert all(is_open(sqlite, M, version) for version in range(1, match.version + 1))
    assert export_log(sqlite, M, None).header.redacted_for is None
    assert export_log(sqlite, M, None) == export_log(sqlite, M, ALL)


def test_all_values_open_when_the_match_is_void(sqlite: Matches) -> None:
    start_match(sqlite, M, BOTS_3)
    sqlite.void(M, SERVICE, at=START)

    assert is_open(sqlite, M, 1)


def test_a_prefix_stays_closed_while_a_fork_that_shares_it_is_running(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)
    shared = match.version
    fork(sqlite, M, shared, F, "fresh")
    deeper = act_once(sqlite, sqlite.get(F))
    fork(sqlite, F, deeper.version, G, "fresh")
    ended = play_out(sqlite, sqlite.get(M))

    assert sqlite.lines.last_closed_version(M) == shared
    assert not is_open(sqlite, M, 1)
    assert not is_open(sqlite, M, shared)
    assert is_open(sqlite, M, shared + 1)
    assert export_log(sqlite, M, None).header.redacted_for == "spectator"
    assert verify(export_log(sqlite, M, None), titles=ALL_TITLES).is_good
    play_out(sqlite, sqlite.get(F))
    assert sqlite.lines.last_closed_version(M) == shared, "a fork of the fork still shares it"
    assert sqlite.lines.last_closed_version(F) == deeper.version
    play_out(sqlite, sqlite.get(G))
    assert [sqlite.lines.last_closed_version(line) for line in (M, F, G)] == [0, 0, 0]
    assert is_open(sqlite, M, 1)
    assert ended.is_over


def test_a_finished_fork_does_not_open_its_running_parents_secrets(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)
    fork(sqlite, M, match.version, F, "fresh")
    over = play_out(sqlite, sqlite.get(F))

    assert sqlite.lines.last_closed_version(F) == over.version, "what the fork played with is what its parent hides"
    assert not is_open(sqlite, F, 1)
    assert not is_open(sqlite, F, match.version + 1)
    sqlite.void(M, SERVICE, at=START)
    assert is_open(sqlite, F, 1)
    assert is_open(sqlite, F, match.version + 1)
    assert over.is_over


def test_a_fork_does_not_close_values_that_were_open(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, BOTS_3))
    fork(sqlite, M, match.started_version or 0, F, "same")

    assert sqlite.lines.last_closed_version(M) == 0
    assert not is_open(sqlite, F, 1), "the running fork itself shows a seat no more than its own"


def test_taking_the_whole_log_of_a_running_match_is_recorded(sqlite: Matches) -> None:
    match = start_match(sqlite, M, BOTS_3)

    log = export_log(sqlite, M, ALL, by="olga", at=START)

    assert log.header.redacted_for is None
    assert verify(log, titles=ALL_TITLES).is_good
    assert [note.what for note in sqlite.lines.notes(M)] == [Exported(match.version, "olga")]
    with pytest.raises(AssertionError):
        export_log(sqlite, M, ALL)


@pytest.mark.parametrize("seat", [-1, 3, 10**30])
def test_a_log_is_not_exported_for_a_seat_the_match_does_not_have(sqlite: Matches, seat: int) -> None:
    start_match(sqlite, M, BOTS_3)

    with pytest.raises(UnknownSeat, match=str(seat)):
        export_log(sqlite, M, seat)


def test_an_imported_match_keeps_its_ids_and_is_marked(matches: Matches) -> None:
    log = toy_log()
    match = import_log(matches, log, by="anna", at=START)

    assert (match.id, match.head, match.status) == (log.header.match, log.header.head, "ended")
    assert matches.is_imported(match.id)
    assert matches.entries(match.id) == log.entries
    assert import_log(matches, log, by="bea", at=START).head == match.head
    assert len(matches.lines.notes(match.id)) == 1


def test_an_imported_running_match_can_be_played_on(sqlite: Matches) -> None:
    start_match(sqlite, M, BOTS_3)
    assert not sqlite.is_imported(M)
    log = export_log(sqlite, M, ALL, at=START)
    again = parse_log(log_bytes(log))
    assert import_log(sqlite, again, by="anna", at=START).head == log.header.head
    act_once(sqlite, sqlite.get(M))

    with pytest.raises(ImportRefused, match="already exists with the head"):
        import_log(sqlite, again, by="anna", at=START)


def test_a_running_match_of_bots_this_service_does_not_have_is_not_imported(sqlite: Matches, matches: Matches) -> None:
    """A running match would wait forever for the missing bot."""
    start_match(sqlite, M, BOTS_3)
    log = export_log(sqlite, M, ALL, at=START)
    with pytest.raises(ImportRefused, match=f"this service has no bot '{BOTS_3[0]}'"):
        import_log(matches, log, by="anna", at=START, plays=lambda _: False)

    sqlite.void(M, SERVICE, at=START)
    over = export_log(sqlite, M, ALL)
    assert import_log(matches, over, by="anna", at=START, plays=lambda _: False).is_over


def test_a_log_does_not_take_the_id_of_something_else(sqlite: Matches) -> None:
    log = toy_log()
    fact = AuditRead(by=SERVICE, role="operator", upto=1)
    sqlite.transact(lambda batch: batch.record(AUDIT, log.header.match, fact), at=START)

    with pytest.raises(ImportRefused, match="is already in use"):
        import_log(sqlite, log, by="anna", at=START)


def test_the_store_decides_between_concurrent_imports_of_one_id(sqlite: Matches, matches: Matches) -> None:
    """Both imports pass verification before either is stored."""
    first = start_match(sqlite, M, BOTS_3)
    logs = [export_log(sqlite, M, ALL, at=START), log_of(sqlite.entries(act_once(sqlite, first).id))]
    both = [examine_log(log, ALL_TITLES, at=START) for log in logs]

    assert [add_log(matches, both[0], by="anna", at=START) for _ in range(2)] == [True, False]
    with pytest.raises(ImportRefused, match="already exists with the head"):
        add_log(matches, both[1], by="bea", at=START)
    assert matches.get(M).head == first.head


def test_a_log_from_the_future_is_not_imported(sqlite: Matches) -> None:
    """Its timestamps cannot be verified, and moves would have to continue from them."""
    entries = toy_log().entries
    late = log_of((*entries[:-1], replace(entries[-1], timestamp=datetime(9999, 12, 31, tzinfo=UTC))))

    assert verify(late, titles=ALL_TITLES).is_good
    with pytest.raises(ImportRefused, match="9999-12-31"):
        import_log(sqlite, late, by="olga", at=START)


def test_a_false_redacted_or_conflicting_log_is_not_imported(sqlite: Matches) -> None:
    log = toy_log()
    with pytest.raises(ImportRefused, match="redacted for seat/1"):
        import_log(sqlite, log_of(log.entries, 1), by="anna", at=START)
    version = version_of(log, "match_ended")
    with pytest.raises(LogFault, match=f"entry {version}: scores number 0") as fault:
        import_log(sqlite, forge_entry(log, version, lambda body: body | {"scores": [9, 9, 9]}), by="anna", at=START)
    assert (fault.value.entry, fault.value.kind) == (version, "scores")
    with pytest.raises(LogFault, match="unknown game 'chess'; known:") as fault:
        import_log(sqlite, forge_entry(log, 1, lambda body: body | {"title": "chess"}), by="anna", at=START)
    assert (fault.value.entry, fault.value.kind) == (1, "body")
    assert sqlite.read_log_items(0, 10) == []


def test_a_fork_is_imported_with_or_without_its_parent(sqlite: Matches, matches: Matches) -> None:
    play_out(sqlite, start_match(sqlite, M, BOTS_3))
    fork(sqlite, M, 14, F, "fresh")
    play_out(sqlite, sqlite.get(F))
    fork(sqlite, F, 20, G, "same")
    play_out(sqlite, sqlite.get(G))

    alone = import_log(matches, export_log(sqlite, G, ALL), by="anna", at=START)
    assert export_log(matches, G, ALL) == export_log(sqlite, G, ALL)
    assert alone.head == sqlite.get(G).head
    assert not matches.lines.has(M)
    matches.lines.clear_caches()
    for version in range(1, alone.version + 1):
        assert matches.at(G, version).state == sqlite.at(G, version).state

    import_log(matches, export_log(sqlite, M, ALL), by="anna", at=START)
    import_log(matches, export_log(sqlite, F, ALL), by="anna", at=START)
    assert export_log(matches, F, ALL) == export_log(sqlite, F, ALL)
    heard = [event for _, event in matches.read_log_items(0, 10_000) if isinstance(event, Entry) and event.line_id == F]
    assert len(heard) == sqlite.get(F).version - 14


def test_an_imported_fork_alone_is_not_forked_within_its_parents_part(sqlite: Matches, matches: Matches) -> None:
    play_out(sqlite, start_match(sqlite, M, BOTS_3))
    fork(sqlite, M, 14, F, "same")
    play_out(sqlite, sqlite.get(F))
    import_log(matches, export_log(sqlite, F, ALL), by="anna", at=START)

    with pytest.raises(Exception, match="is not in this store"):
        fork(matches, F, 12, G, "fresh")
    fork(matches, F, 18, G, "fresh")
    assert matches.get(G).version == 19


def test_a_fork_of_another_match_with_the_parents_id_stands_alone(sqlite: Matches, matches: Matches) -> None:
    play_out(sqlite, start_match(sqlite, M, BOTS_3))
    fork(sqlite, M, 14, F, "same")
    play_out(sqlite, sqlite.get(F))
    start_match(matches, M, BOTS_3)

    import_log(matches, export_log(sqlite, F, ALL), by="anna", at=START)

    assert matches.entries(F)[0].originator_id == M
    assert matches.entries(F)[0] != matches.entries(M)[0]
    assert export_log(matches, F, ALL) == export_log(sqlite, F, ALL)
