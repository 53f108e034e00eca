"""Verification of redacted logs finds every forgery that needs no secret, except for a closed list with reasons."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.kernel.values import replace
from domain.matches.log.entries import ALL, Entry, digest
from domain.matches.log.log_files import LogFile, log_of, read_log
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    START,
    act_once,
    commit,
    forge_entry,
    rechain,
    resume_match,
    sit,
    start_match,
    uuid,
    version_of,
)
from tests.seeding import one_in

GOLDEN: Final = Path(__file__).parents[3] / "golden"
LOGS: Final = sorted([*GOLDEN.glob("*.jsonl"), *(GOLDEN / "format-1").glob("*.jsonl")])
PLAYED_BY_BOTS: Final = [path for path in LOGS if re.search(r"-\d-", path.stem)]
"""Complete matches; one is verified for every field, the others for special features."""
EXAMINED: Final = sorted({*LOGS} - {*PLAYED_BY_BOTS} | {*one_in(5, PLAYED_BY_BOTS, "honest logs")})
FORGED: Final = ("el_grande-own-luck", "el_grande-interrupted", "el_grande-ruled", "la_granja-own-luck")
PLACES_MAX: Final = 12
"""Fields per entry that are changed, one at a time; the first and the last of many."""

PASS: Final = {
    "the table is another one": (
        *("match_opened by", "match_opened rulesVersion", "match_opened options", "match_opened table"),
        *("match_opened data", "match_opened seats", "match_opened format"),
    ),
    "another commitment to what is closed": (
        *("match_opened seed", "table_reopened seed", "action_taken hiddenAction", "seat_taken commitment"),
        *("share_committed commitment", "action_taken draws hidden", "match_started draws hidden"),
        *("action_taken effects", "match_started effects"),
    ),
    "another luck: the seed is closed": ("action_taken draws", "match_started draws"),
    "another action: what is legal may depend on what is closed": ("action_taken action",),
    "another ruling: who was entitled stands elsewhere": (
        "ruling_given",
        "paused dispute",
        "paused by",
        "resumed charged",
    ),
    "somebody else, who might": (
        *("seat_replaced actor", "pause_asked seat", "seat_taken by", "seat_taken standsInFor", "seat_taken shareBy"),
        *("seat_ready standing", "match_started provisional", "match_started guests", "match_forked by"),
        *("voided reason", "timed_out bot", "match_forked seats"),
    ),
}
"""Why a change of this field is not found."""


@pytest.mark.parametrize("path", EXAMINED, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("reader", [None, 0])
def test_an_honest_log_is_good_for_every_reader(path: Path, reader: int | None) -> None:
    report = verify(log_of(read_log(path).entries, reader))

    assert report.fault is None


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all leaf fields of a body."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))
    else:
        yield path


def other(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("0" if value[0] != "0" else "1") + value[1:] if len(value) == 64 else f"x{value}"
    return "service"


def change_field(log: LogFile, entry: Entry, path: tuple[str | int, ...]) -> LogFile:
    """Return the log with one field changed and all digests recomputed."""
    body = msgspec.json.decode(entry.body)
    inner = body
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = other(inner[path[-1]])
    entries = list(log.entries)
    entries[entry.version - 1] = replace(entry, body=msgspec.Raw(msgspec.json.encode(body)))
    return redact_log(log_of(rechain(entries)))


def forgeries(log: LogFile) -> Iterator[tuple[str, LogFile]]:
    """Yield logs with one changed field, in the first entry and every seventeenth after it."""
    for entry in one_in(3, (*log.entries[:24], *log.entries[24::17]), f"forgeries of {log.header.match}"):
        body = msgspec.json.decode(entry.body)
        found = [path for path in places(body) if path != ("type",)]
        chosen = found if len(found) <= PLACES_MAX else [*found[: PLACES_MAX // 2], *found[-PLACES_MAX // 2 :]]
        for path in chosen:
            yield (
                " ".join((body["type"], *(step for step in path if isinstance(step, str)))),
                change_field(log, entry, path),
            )


@pytest.mark.parametrize("name", FORGED)
def test_every_changed_field_is_found_except_for_a_closed_list(name: str) -> None:
    log = log_of(read_log(GOLDEN / f"{name}.jsonl").entries, None)
    allowed = tuple(start for starts in PASS.values() for start in starts)
    tried = found = 0

    for where, forgery in forgeries(log):
        tried += 1
        if verify(forgery).fault is not None:
            found += 1
        else:
            assert where.startswith(allowed), where

    assert tried > 50
    assert found > tried // 3


@pytest.mark.parametrize(
    ("kind", "field", "value", "why"),
    [
        ("seat_ready", "by", "service", "the service cannot open the share of seat"),
        ("seat_ready", "share", "00" * 32, "do not open its commitment"),
        ("table_closed", "by", "anna", "may not close or reopen a table"),
        ("table_reopened", "by", "anna", "may not close or reopen a table"),
        ("action_taken", "by", "service", "does not play for seat"),
        ("action_taken", "seat", 2, "may not act|no action to take"),
        ("seat_left", "by", "zoe", "may not leave seat"),
    ],
)
def test_forbidden_facts_are_found_without_secrets(kind: str, field: str, value: Any, why: str) -> None:
    log = log_of(read_log(GOLDEN / "el_grande-own-luck.jsonl").entries, None)
    number = next(
        number
        for number, entry in enumerate(log.entries, 1)
        if f'"type":"{kind}"' in bytes(entry.body).decode()[:40] and field in msgspec.json.decode(entry.body)
    )

    report = verify(redact_log(forge_entry(log, number, lambda body: body.update({field: value}))))

    assert report.fault is not None
    assert report.fault.entry == number


def update_with(change: dict[str, Any]) -> Callable[[Any], None]:
    return lambda body: body.update(change)


def redact_log(log: LogFile) -> LogFile:
    """`forged` writes a header for a complete log."""
    return replace(log, header=replace(log.header, redacted_for="spectator"))


@pytest.mark.parametrize(
    "change",
    [
        {"count": 10**12},
        {"kind": "roll", "pool": None, "count": 2041, "outcome": [1] * 2041},
        {"count": -1},
        {"poolSize": 0},
        {"kind": "guess"},
        {"outcome": []},
    ],
)
def test_a_draw_that_cannot_be_is_found(change: dict[str, Any]) -> None:
    log = log_of(read_log(GOLDEN / "la_granja-own-luck.jsonl").entries, None)
    version = version_of(log, "match_started")
    index = next(
        index
        for index, draw in enumerate(msgspec.json.decode(log.entries[version - 1].body)["draws"])
        if "outcome" in draw
    )

    report = verify(redact_log(forge_entry(log, version, lambda body: body["draws"][index].update(change))))

    assert report.fault is not None
    assert (report.fault.entry, report.fault.kind) == (version, "chance")


def test_a_fork_that_names_another_entry_is_found() -> None:
    log = log_of(read_log(GOLDEN / "el_grande-forked-own-luck.jsonl").entries, None)
    version = version_of(log, "match_forked")
    for change in ({"at": 3}, {"awaits": [1]}, {"awaits": [0, 0]}, {"luck": "same"}, {"format": 1}):
        report = verify(redact_log(forge_entry(log, version, update_with(change))))
        assert report.fault is not None, change
        assert report.fault.entry == version


def test_a_missing_consequence_is_found() -> None:
    log = log_of(read_log(GOLDEN / "el_grande-own-luck.jsonl").entries, None)
    for kind in ("table_closed", "table_reopened", "match_started"):
        version = version_of(log, kind)
        remaining = [entry for entry in log.entries if entry.version != version]
        moved = [replace(entry, originator_version=number) for number, entry in enumerate(remaining, 1)]
        report = verify(redact_log(log_of(rechain(moved))))
        assert report.fault is not None
        assert report.fault.entry == version


def spectators(name: str) -> LogFile:
    return log_of(read_log(GOLDEN / f"{name}.jsonl").entries, None)


@pytest.mark.parametrize(
    ("name", "kind", "change"),
    [
        ("el_grande-interrupted", "timed_out", {"policy": "resign"}),
        ("el_grande-interrupted", "timed_out", {"by": "anna"}),
        ("el_grande-interrupted", "timed_out", {"bot": "bot:random@1"}),
        ("el_grande-interrupted", "paused", {"by": "anna"}),
        ("el_grande-out-of-time-bot", "seat_replaced", {"actor": "anna"}),
        ("el_grande-out-of-time-resign", "resigned", {"seat": 1}),
        ("el_grande-forked", "match_forked", {"luck": "same"}),
        ("el_grande-forked-own-luck", "resumed", {"by": "anna"}),
        ("el_grande-own-luck", "share_committed", {"shareBy": "service"}),
        ("la_granja-own-luck", "seat_left", {"type": "table_closed", "by": "service", "seat": None, "unready": None}),
    ],
)
def test_a_fact_without_a_cause_is_found(name: str, kind: str, change: dict[str, Any]) -> None:
    log = spectators(name)
    version = version_of(log, kind, -1)

    def forge(body: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in {**body, **change}.items() if value is not None or key == "bot"}

    report = verify(redact_log(forge_entry(log, version, forge)))

    assert report.fault is not None
    assert report.fault.entry == version


def test_a_pool_that_is_left_out_is_found() -> None:
    log = spectators("la_granja-own-luck")
    found = (
        (entry.version, index)
        for entry in log.entries
        for index, draw in enumerate(msgspec.json.decode(entry.body).get("draws", ()))
        if draw["kind"] == "draw" and "outcome" in draw
    )
    version, index = next(found)

    report = verify(redact_log(forge_entry(log, version, lambda body: body["draws"][index].pop("pool") and None)))

    assert report.fault is not None
    assert (report.fault.entry, report.fault.kind) == (version, "chance")


def test_a_table_that_dissolves_says_why(sqlite: Matches) -> None:
    sqlite.open(uuid(1), title="toy", seats=2, by="anna", at=START)
    sit(sqlite, uuid(1), 0, "anna", 0)
    for number, player in enumerate(("bea", "carl", "dora"), 1):
        sit(sqlite, uuid(1), 1, player, number)
        if number > 1:
            commit(sqlite, uuid(1), 0, "anna", number)
        sqlite.leave_seat(uuid(1), 1, player, at=START)
    log = export_log(sqlite, uuid(1), ALL)
    redacted = redact_log(log_of(log.entries, None))
    assert verify(redacted, titles=ALL_TITLES).fault is None

    forgery = redact_log(forge_entry(redacted, len(log.entries), lambda body: body.update(reason="because")))

    report = verify(forgery, titles=ALL_TITLES)
    assert report.fault is not None
    assert "its reason must be:" in report.fault.why


def test_a_line_that_ends_while_it_waits_is_read_without_its_secrets(sqlite: Matches) -> None:
    before = act_once(sqlite, start_match(sqlite, uuid(1), ("anna", "bea")))
    resume_match(sqlite, uuid(1), before.version - 1, uuid(2))
    sqlite.resign(uuid(2), 0, "anna", at=START)
    entries = sqlite.entries(uuid(2))

    assert verify(log_of(entries, None), titles=ALL_TITLES).fault is None
    short = redact_log(log_of(entries[:-1], None))
    extra = Entry(
        originator_id=uuid(2),
        originator_version=len(entries),
        timestamp=START,
        previous=digest(entries[-2]),
        body=msgspec.Raw(b'{"type":"resumed","by":"service"}'),
    )
    report = verify(redact_log(log_of((*short.entries, extra))), titles=ALL_TITLES)
    assert report.fault is not None
    assert "MatchEnded must follow here" in report.fault.why


def test_a_commitment_of_a_seat_that_leaves_its_share_to_the_service_is_found() -> None:
    log = spectators("el_grande-own-luck")
    version = version_of(log, "seat_taken")

    report = verify(redact_log(forge_entry(log, version, lambda body: body.update(shareBy="service"))))

    assert report.fault is not None
    assert (report.fault.entry, report.fault.kind) == (version, "legality")


def set_audience(body: Any, audience: list[int]) -> None:
    """Change the audience of the first dealt card."""
    outcome = next(draw["hiddenOutcome"] for draw in body["draws"] if "hiddenOutcome" in draw)
    outcome["audience"] = audience


@pytest.mark.parametrize(
    ("name", "kind", "change", "why"),
    [
        ("la_granja-own-luck", "match_started", lambda body: body["draws"][0].update(count=2**60), "whole number"),
        ("la_granja-own-luck", "match_started", lambda body: body["draws"][0].update(count=1e30), "whole number"),
        ("la_granja-own-luck", "match_started", lambda body: body["draws"][0].update(label=""), "has no label"),
        ("la_granja-own-luck", "match_started", update_with({"guests": [0]}), "provisional and guest seats are wrong"),
        ("la_granja-own-luck", "match_started", lambda body: set_audience(body, [0, 0]), "cannot be visible"),
        ("la_granja-own-luck", "match_started", lambda body: set_audience(body, [9]), "cannot be visible"),
        (
            "el_grande-forked-own-luck",
            "match_forked",
            update_with({"clocks": [1, 2, 3]}),
            "only a ruling can set the clocks of a line, one per seat",
        ),
        ("el_grande-own-luck", "match_opened", lambda body: body["seed"].update(audience=[0]), "cannot be visible"),
        ("el_grande-own-luck", "match_opened", update_with({"by": ""}), "is neither a person's id nor"),
        ("el_grande-ruled", "ruling_given", update_with({"by": "bot:random@1"}), "is a bot and cannot give rulings"),
        ("el_grande-resumed", "ruling_given", update_with({"measures": []}), "does not resume match"),
        ("format-1/el_grande-ruled", "seat_taken", update_with({"commitment": "00" * 32}), "it commits both"),
    ],
)
def test_forgeries_that_need_no_secret_are_found(name: str, kind: str, change: Callable[[Any], None], why: str) -> None:
    log = spectators(name)
    version = version_of(log, kind)
    fault = verify(redact_log(forge_entry(log, version, change))).fault

    assert fault is not None
    assert (fault.entry, why in fault.why) == (version, True), fault


def test_a_seat_that_has_resigned_is_played_by_the_service() -> None:
    log = spectators("el_grande-resigned")
    resigned = version_of(log, "resigned")
    gone = msgspec.json.decode(log.entries[resigned - 1].body)
    version = next(
        entry.version
        for entry in log.entries[resigned:]
        if (body := msgspec.json.decode(entry.body)).get("seat") == gone["seat"] and body["type"] == "action_taken"
    )
    fault = verify(redact_log(forge_entry(log, version, update_with({"by": gone["by"]})))).fault

    assert fault is not None
    assert (fault.entry, "which has resigned" in fault.why) == (version, True), fault


def test_a_time_out_that_is_skipped_is_followed_by_the_action_of_the_service() -> None:
    log = spectators("el_grande-interrupted")
    version = version_of(log, "timed_out") + 1
    remaining = [entry for entry in log.entries if entry.version != version]
    moved = [replace(entry, originator_version=number) for number, entry in enumerate(remaining, 1)]
    fault = verify(redact_log(log_of(rechain(moved)))).fault

    assert fault is not None
    assert (fault.entry, "the service must play for seat" in fault.why) == (version, True), fault


def test_no_clock_of_a_line_is_larger_than_any_reader_can_hold() -> None:
    log = log_of(read_log(GOLDEN / "el_grande-resumed.jsonl").entries, ALL)
    version = version_of(log, "match_forked")
    fault = verify(forge_entry(log, version, lambda body: body.update(clocks=[2**60, 1, 1]))).fault

    assert fault is not None
    assert (fault.entry, "a clock has at most" in fault.why) == (version, True), fault


def test_a_match_ends_once() -> None:
    log = spectators("el_grande-own-luck")
    again = replace(log.entries[-1], originator_version=log.entries[-1].version + 1)
    fault = verify(redact_log(log_of(rechain((*log.entries, again))))).fault

    assert fault is not None
    assert (fault.entry, "is ended and cannot end here" in fault.why) == (again.version, True), fault
