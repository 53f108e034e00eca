"""Rules of `docs/specifications/facts.md` that a damaged log, or the service itself, could break unnoticed."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.kernel.chance import Draw
from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.consequences import open_line
from domain.matches.errors import BadSignature, ForkRefused, NotAllowed, RulingRefused, UnknownActor
from domain.matches.facts import SERVICE, Clock, MatchForked, Table, Voided
from domain.matches.forks import forking
from domain.matches.log.entries import ALL, Entry, Reader
from domain.matches.log.log_files import LogFile, log_of, read_log
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.redaction.redacted_logs import is_possible
from domain.matches.rulings.measures import LineResumed, MatchVoided, SeatWarned
from domain.matches.rulings.ruling import check_ruling
from domain.matches.seats import opening
from domain.matches.seats.luck_shares import commit_share
from domain.matches.signatures.signing import require_signed
from domain.matches.verification.verify import verify
from domain.signatures.acts import Signed, act_text
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    TOY,
    apply_ruling,
    build_ruling,
    commit,
    forge_entry,
    rechain,
    sit,
    start_match,
    uuid,
    version_of,
)
from tests.signing import NO_PAST, Pen

GOLDEN: Final = Path(__file__).parents[3] / "golden"
M: Final = uuid(1)
PEOPLE: Final = ("anna", "bea", "carl")
WAITING: Final = Table(clock=Clock("per_move", 60), event="cup", wait_seconds=600)


def fault_after(name: str, kind: str, change: Callable[[Any], Any], reader: Reader = ALL) -> tuple[int, str]:
    """Return the entry and the reason for which a golden log with a changed entry is refused."""
    log: LogFile = log_of(read_log(GOLDEN / f"{name}.jsonl").entries, reader)
    version = version_of(log, kind)
    forged = log_of(forge_entry(log, version, change).entries, reader)
    fault = verify(forged).fault
    assert fault is not None
    assert fault.entry == version
    return version, fault.why


def with_event(body: dict[str, Any]) -> None:
    table = body["table"]
    later = {name: table.pop(name) for name in list(table)[5:] if name != "pauseOnDispute"}
    table.update(event="cup", **later)


def test_a_redacted_log_shows_that_a_person_opened_a_table_of_an_event() -> None:
    assert "only the service can" in fault_after("el_grande-own-luck", "match_opened", with_event, None)[1]


def test_no_clock_of_a_line_is_negative() -> None:
    _, why = fault_after("el_grande-resumed", "match_forked", lambda body: body.update(clocks=[-1, 1, 1]))

    assert "at least 0" in why


@pytest.mark.parametrize("change", [{"awaits": []}, {"seats": ["dora", "bea", "carl"]}])
def test_a_line_after_a_ruling_keeps_its_players_and_waits_for_them_in_a_redacted_log(change: dict[str, Any]) -> None:
    _, why = fault_after("el_grande-resumed", "match_forked", lambda body: body.update(change), None)

    assert "does not continue match" in why or "body is not the canonical" in why


def test_the_bot_after_a_time_out_has_a_valid_name() -> None:
    _, why = fault_after("el_grande-out-of-time-bot", "timed_out", lambda body: body.update(bot="bot:greedy@2b"))

    assert "neither a person's id nor bot:NAME@VERSION" in why


@pytest.mark.parametrize("name", ["bot:greedy@1a", "bot:greedy@", "bot:Greedy@1", "-anna", "an na"])
def test_the_names_of_actors_are_limited(name: str) -> None:
    with pytest.raises(UnknownActor):
        opening.check_player(name)


def event_table(matches: Matches) -> Match:
    """Open an event table where Anna has committed, Bea has not, and Carl is missing."""
    matches.open(M, title="toy", seats=3, by=SERVICE, at=START, table=WAITING)
    for seat, player in enumerate(("anna", "bea")):
        matches.transact(partial(seat_player, seat=seat, player=player), at=START)
    return commit(matches, M, 0, "anna", 1)


def seat_player(batch: Any, *, seat: int, player: str) -> Match:
    return batch.append(M, lambda match: opening.take_seat(match, seat, player, share_by="awaited"))  # type: ignore[no-any-return]


def test_the_service_only_supplies_shares_that_are_awaited(sqlite: Matches) -> None:
    match = event_table(sqlite)
    with pytest.raises(NotAllowed, match="its share is not awaited"):
        commit_share(match, 0, SERVICE)
    with pytest.raises(NotAllowed, match="cannot open the share of seat 1"):
        opening.ready(match, 1, SERVICE)
    assert commit_share(match, 1, SERVICE).share_by == "service"


def test_a_table_that_is_not_full_waits_for_no_one(sqlite: Matches) -> None:
    match = event_table(sqlite)
    with pytest.raises(NotAllowed, match="the table is not full"):
        opening.require_waited(match, 1, START + timedelta(days=9))
    seats = (*match.seats[:1], replace(match.seats[1], share_by="service"), match.seats[2])
    opening.require_waited(replace(match, seats=seats), 1, START)


def test_the_start_lists_the_seats_of_bot_accounts_in_a_redacted_log() -> None:
    _, why = fault_after("el_grande-own-luck", "match_started", lambda body: body.update(programs=[0]), None)

    assert "its lists of bot, provisional and guest seats are wrong" in why


def test_the_service_signs_only_where_the_opening_names_its_key(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    pen, fact = Pen("the house"), Voided(SERVICE, "because")
    text = act_text(match.id, match.version, match.head_digest, b'{"type":"voided","by":"service","reason":"because"}')
    signed = Signed(pen.key, pen.sign(text))
    assert require_signed(replace(match, house=pen.key), replace(fact, signed=signed), NO_PAST)
    with pytest.raises(BadSignature, match="another kind of entry or match"):
        require_signed(match, replace(fact, signed=signed), NO_PAST)
    with pytest.raises(BadSignature, match="names the digest"):
        require_signed(replace(match, house=pen.key), replace(fact, signed=replace(signed, head=match.head)), NO_PAST)


def test_a_bot_has_no_share_in_the_first_format_either() -> None:
    origins = seeded_origins(b"first format")
    fact = opening.open_match(TOY, seats=2, options={}, table=Table(), by="anna", seed=origins.seed, format=1)
    match, entries = open_line(TOY, fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(match, entries, origins)
    with pytest.raises(NotAllowed, match="cannot have a share of luck"):
        opening.take_seat(play.match, 0, BOT, "ab" * 32)


def test_a_fork_of_the_first_format_awaits_no_shares(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    with pytest.raises(ForkRefused, match="a fork of log format 1 takes no shares of luck"):
        forking.check_awaited(match, ("anna", "bea"), (0,), "fresh", 1)


def test_only_a_fork_after_a_ruling_has_clocks(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    fact = MatchForked(str(M), match.version, "same", "anna", ("anna", None, None))
    forking.check_replacement(match, fact)
    with pytest.raises(ForkRefused, match="one per seat"):
        forking.check_replacement(match, replace(fact, clocks=(1, 1, 1)))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ruling": " "}, "names itself and its dispute"),
        ({"dispute": ""}, "names itself and its dispute"),
        ({"appeal_of": "first", "dispute": "another"}, "no ruling first to appeal"),
        ({"measures": (LineResumed(5, str(uuid(2)).upper().replace("0", "A")),)}, "is not the id of a line"),
    ],
)
def test_a_ruling_names_ids_and_appeals_within_its_dispute(sqlite: Matches, change: Any, why: str) -> None:
    start_match(sqlite, M, PEOPLE)
    match = apply_ruling(sqlite, M, build_ruling("first", SeatWarned(0)))
    check_ruling(match, build_ruling("second", appeal_of="first"))

    with pytest.raises(RulingRefused, match=why):
        check_ruling(match, replace(build_ruling("second"), **change))


def test_rulings_that_a_new_line_repeats_do_not_decide_it(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    owing = replace(match, docket=replace(match.docket, ruling="resumed"))
    check_ruling(owing, build_ruling("first", SeatWarned(0)))
    with pytest.raises(RulingRefused, match="no other may decide it first"):
        check_ruling(owing, build_ruling("first", MatchVoided()))


HIDDEN: Final[Hidden[Any]] = Hidden((1,), (0,))
SECRET: Final[Hidden[Any]] = Hidden((1, 2), ())


@pytest.mark.parametrize(
    ("draw", "is_valid"),
    [
        (Draw("a", "draw", 2, 1, hidden_pool=SECRET, hidden_outcome=HIDDEN), True),
        (Draw("a", "draw", 2, 1, hidden_outcome=HIDDEN), False),
        (Draw("a", "draw", 2, 1, pool=(1, 2), hidden_outcome=HIDDEN), False),
        (Draw("a", "draw", 2, 1, pool=(1, 2), hidden_pool=SECRET, hidden_outcome=HIDDEN), False),
        (Draw("a", "draw", 2, 1, outcome=(1,), hidden_pool=SECRET, hidden_outcome=HIDDEN), False),
        (Draw("a", "draw", 2, 1, hidden_pool=SECRET), False),
        (Draw("a", "draw", 2, 1), False),
        (Draw("a", "roll", 2, 1, hidden_outcome=HIDDEN, hidden_pool=SECRET), False),
        (Draw("a", "roll", 2, 1, outcome=(1,)), True),
    ],
)
def test_a_draw_is_open_or_hidden_as_a_whole(draw: Draw, is_valid: bool) -> None:
    assert is_possible(draw) == is_valid


@pytest.mark.parametrize("change", [{"by": SERVICE}, {"standing": "bot"}])
def test_a_bot_gets_ready_itself_in_a_redacted_log(change: dict[str, Any]) -> None:
    _, why = fault_after("el_grande-2-eager-0", "seat_ready", lambda body: body.update(change), None)

    assert "gets ready first" in why


@pytest.mark.parametrize("reader", [ALL, None])
def test_the_service_frees_all_late_seats_of_a_closed_table(sqlite: Matches, reader: Reader) -> None:
    sqlite.open(M, title="toy", seats=3, by="anna", at=START)
    for seat, player in enumerate(PEOPLE):
        sit(sqlite, M, seat, player, seat)
    late = START + timedelta(days=2)
    for seat in (0, 1, 2):
        sqlite.transact(partial(free_seat, seat=seat), at=late)
    log = log_of(sqlite.entries(M), reader)
    assert verify(log, titles=ALL_TITLES).fault is None
    version = version_of(log, "seat_left")

    for remaining in (log.entries[:version], (*log.entries[:version], *log.entries[version + 1 :])):
        moved = [replace(entry, originator_version=number) for number, entry in enumerate(remaining, 1)]
        fault = verify(log_of(rechain(moved), reader), titles=ALL_TITLES).fault
        assert fault is not None
        assert (fault.entry, "must free the late seat 1" in fault.why) == (version + 1, True)


def free_seat(batch: Any, *, seat: int) -> Match:
    return batch.append(M, lambda match: opening.free_seat(match, seat, SERVICE, batch.at))  # type: ignore[no-any-return]


def renumber(entries: list[Entry], reader: Reader) -> LogFile:
    """Return the log of these entries with new versions and digests."""
    return log_of(rechain([replace(entry, originator_version=at) for at, entry in enumerate(entries, 1)]), reader)


def test_a_redacted_line_waits_for_all_seats() -> None:
    log = read_log(GOLDEN / "el_grande-forked-own-luck.jsonl")
    version = version_of(log, "resumed")
    entries = list(log.entries)
    entries[version - 2 : version] = (
        replace(entries[version - 1], timestamp=entries[version - 2].timestamp),
        entries[version - 2],
    )
    fault = verify(renumber(entries, None)).fault

    assert fault is not None
    assert (fault.entry, "when all seats are ready" in fault.why) == (version - 1, True), fault


def test_a_redacted_match_does_not_end_in_a_pause() -> None:
    log = read_log(GOLDEN / "el_grande-2-eager-0.jsonl")
    end = log.entries[-1]
    pause = replace(end, body=msgspec.Raw(b'{"type":"paused","by":"service"}'))
    fault = verify(renumber([*log.entries[:-1], pause, end], None)).fault

    assert fault is not None
    assert (fault.entry, "is paused and cannot end here" in fault.why) == (end.version + 1, True), fault
