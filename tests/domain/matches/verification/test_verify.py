"""`verify` finds forged entries even with valid digests, and names the entry (DESIGN §7)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.values import replace
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import LogFile, log_of, write_log
from domain.matches.play.in_memory import fork_log, play_to_end, seeded_origins, table_of_bots
from domain.matches.verification.verify import VerifyReport, verify, verify_file
from domain.titles import TITLES
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    BOTS,
    forge_entry,
    rechain,
    replace_secret,
    toy_log,
    version_of,
)

LOG = toy_log()
GRANJA = log_of(play_to_end(table_of_bots(TITLES["la_granja"], (BOT, BOT), {}, seeded_origins(b"\x2a")), BOTS).entries)


def check(log: LogFile) -> VerifyReport:
    return verify(log, titles=ALL_TITLES)


def body(log: LogFile, version: int) -> Any:
    return msgspec.json.decode(log.entries[version - 1].body)


def find_fault(log: LogFile) -> tuple[int | None, str]:
    report = check(log)
    assert report.fault is not None
    assert not report.is_good
    return report.fault.entry, report.fault.kind


@pytest.mark.parametrize("log", [LOG, GRANJA])
def test_a_true_log_passes_with_everything_checked(log: LogFile) -> None:
    report = check(log)

    assert report.is_good, report.fault
    assert report.unchecked == ()
    assert report.status == "ended"
    assert report.draws_checked > 5
    assert report.actions_checked > 20
    assert report.scores == tuple(body(log, len(log.entries))["scores"])


def set_in(*path: Any, to: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        assert value[path[-1]] != to
        value[path[-1]] = to

    return change


def drop_last(name: str) -> Callable[[Any], None]:
    return lambda value: value[name].pop() and None


FORGERIES: list[tuple[str, int, Callable[[Any], Any], str]] = [
    ("match_opened", 0, set_in("rulesVersion", to=9), "legality"),
    ("match_opened", 0, set_in("data", to="00"), "components"),
    ("match_opened", 0, set_in("options", to={}), "legality"),
    ("match_opened", 0, set_in("options", to={"rounds": "77"}), "legality"),
    ("match_opened", 0, set_in("seats", to=400_000_000), "legality"),
    ("seat_taken", 0, set_in("shareBy", to="awaited"), "legality"),
    ("seat_taken", 1, set_in("by", to="service"), "legality"),
    ("seat_ready", 0, set_in("by", to="service"), "legality"),
    ("match_started", 0, set_in("effects", 0, "pips", to=[6, 6, 6]), "legality"),
    ("match_started", 0, set_in("draws", 0, "outcome", to=[6, 6, 6]), "chance"),
    ("match_started", 0, drop_last("draws"), "commitment"),
    ("match_started", 0, lambda body: body["effects"].append(body["effects"][1]), "commitment"),
    ("action_taken", 3, set_in("effects", 0, "seat", to=7), "legality"),
    ("action_taken", 2, set_in("seat", to=0), "legality"),
    ("action_taken", 2, set_in("by", to="service"), "legality"),
    ("action_taken", 2, set_in("type", to="taken_back"), "body"),
    ("action_taken", 2, set_in("effects", 1, "winner", to=9), "legality"),
    ("match_ended", 0, set_in("scores", to=[99, 0, 0]), "scores"),
    ("match_ended", 0, set_in("ranking", to=[9, 9, 9]), "scores"),
    ("match_ended", 0, set_in("type", to="voided"), "body"),
]


@pytest.mark.parametrize(("kind", "nth", "change", "fault"), FORGERIES)
def test_a_forged_fact_with_all_later_digests_anew_is_found(
    kind: str, nth: int, change: Callable[[Any], Any], fault: str
) -> None:
    version = version_of(LOG, kind, nth)

    assert find_fault(forge_entry(LOG, version, change)) == (version, fault)


def test_another_seed_with_a_fresh_commitment_is_found_by_its_salt() -> None:
    assert find_fault(replace_secret(LOG, 1, 0, "00" * 32)) == (1, "commitment")


def test_a_changed_card_with_a_fresh_commitment_is_found_by_chance() -> None:
    started = version_of(LOG, "match_started")

    assert find_fault(replace_secret(LOG, started, 0, [1, 2, 3])) == (started, "legality")
    outcome = [i for i, opening in enumerate(LOG.entries[started - 1].secrets) if bytes(opening.value).count(b",") == 2]
    assert find_fault(replace_secret(LOG, started, outcome[-1], [1, 2, 3])) == (started, "chance")


def test_a_changed_secret_action_with_a_fresh_commitment_is_found() -> None:
    version = version_of(LOG, "action_taken")
    index = next(i for i, o in enumerate(LOG.entries[version - 1].secrets) if b"toy.play" in bytes(o.value))

    assert find_fault(replace_secret(LOG, version, index, {"type": "toy.play", "card": 39})) == (version, "legality")


def test_an_opening_that_does_not_open_or_is_missing_is_found() -> None:
    started = version_of(LOG, "match_started")
    entries = list(LOG.entries)
    entry = entries[started - 1]
    false = replace(entry.secrets[0], value=msgspec.Raw(b"[9,9,9]"))
    upper = replace(entry.secrets[0], salt=entry.secrets[0].salt.upper())
    swapped = (entry.secrets[1], entry.secrets[0], *entry.secrets[2:])
    for secrets in ((false, *entry.secrets[1:]), (upper, *entry.secrets[1:]), entry.secrets[1:], swapped):
        entries[started - 1] = replace(entry, secrets=secrets)
        assert find_fault(log_of(entries)) == (started, "commitment")


def test_an_opening_for_nothing_in_the_body_is_found() -> None:
    open_one = next(entry.version for entry in LOG.entries if not entry.secrets)
    for version in (version_of(LOG, "match_started"), open_one):
        stray = (*LOG.entries[version - 1].secrets, *LOG.entries[0].secrets)
        entries = list(LOG.entries)
        entries[version - 1] = replace(LOG.entries[version - 1], secrets=stray)
        assert find_fault(log_of(entries)) == (version, "commitment")


def test_an_entry_left_out_or_put_in_is_found_although_the_digests_fit() -> None:
    version = version_of(LOG, "action_taken", 4)
    renumbered = [
        replace(entry, originator_version=number)
        for number, entry in enumerate((*LOG.entries[: version - 1], *LOG.entries[version:]), start=1)
    ]

    assert find_fault(log_of(rechain(renumbered))) == (version, "commitment")
    assert find_fault(log_of(LOG.entries[:-1])) == (len(LOG.entries), "legality")


def test_an_entry_of_another_match_is_found() -> None:
    version = version_of(LOG, "action_taken", 2)
    entries = list(LOG.entries)
    entries[version - 1] = replace(entries[version - 1], originator_id=toy_log(b"x").header.match)

    assert find_fault(log_of(rechain(entries))) == (version, "chain")


def test_a_match_is_opened_first_and_once() -> None:
    second = replace(LOG.entries[0], originator_version=2)

    assert find_fault(log_of(rechain((LOG.entries[0], second, *LOG.entries[2:])))) == (2, "legality")
    headless = replace(LOG.entries[1], originator_version=1)
    assert find_fault(replace(LOG, entries=(headless,))) == (1, "body")


def test_a_body_that_says_the_same_in_other_bytes_is_found() -> None:
    version = version_of(LOG, "action_taken", 1)
    entries = list(LOG.entries)
    entry = entries[version - 1]
    entries[version - 1] = replace(entry, body=msgspec.Raw(bytes(entry.body).replace(b",", b", ", 1)))

    assert find_fault(log_of(rechain(entries))) == (version, "body")


def test_a_title_unknown_here_is_named() -> None:
    report = verify(LOG, titles=TITLES)

    assert report.fault is not None
    assert "'toy'" in report.fault.why
    assert isinstance(report.fault.entry, int)


def put_in_place(log: LogFile, version: int, other: int) -> LogFile:
    """Return the log with one entry's body and secrets replaced by another's."""
    entries = list(log.entries)
    replacement = entries[other - 1]
    entries[version - 1] = replace(entries[version - 1], body=replacement.body, secrets=replacement.secrets)
    return log_of(rechain(entries))


@pytest.mark.parametrize(
    ("kind", "other", "expected"),
    [
        ("action_taken", "match_ended", "MatchEnded cannot happen here"),
        ("match_ended", "seat_taken", "MatchEnded must follow here, not SeatTaken"),
        ("action_taken", "match_started", "MatchStarted cannot happen here"),
    ],
)
def test_a_fact_in_the_wrong_place_is_found(kind: str, other: str, expected: str) -> None:
    version = version_of(LOG, kind)
    report = check(put_in_place(LOG, version, version_of(LOG, other)))

    assert report.fault is not None
    assert (report.fault.entry, report.fault.why) == (version, expected)


def test_an_effect_left_out_is_found() -> None:
    version = version_of(LOG, "action_taken", 2)
    report = check(forge_entry(LOG, version, drop_last("effects")))

    assert report.fault is not None
    assert "there should be 2 effects, but there are 1" in report.fault.why


def test_a_head_from_elsewhere_ties_the_log_to_it() -> None:
    assert verify(LOG, titles=ALL_TITLES, head=LOG.header.head).is_good
    other = verify(LOG, titles=ALL_TITLES, head="00" * 32)
    assert other.fault is not None
    assert other.fault.kind == "header"


@pytest.mark.parametrize("reader", [None, 0, 1, 2])
def test_a_redacted_log_says_what_it_does_not_let_anybody_check(reader: int | None) -> None:
    report = check(log_of(LOG.entries, reader))

    assert report.is_good, report.fault
    assert report.redacted_for == ("spectator" if reader is None else f"seat/{reader}")
    assert [line.split(":")[0] for line in report.unchecked[:2]] == ["chance", "legality"]
    assert (report.draws_checked, report.actions_checked) == (0, 0)
    assert report.scores is not None


@pytest.mark.parametrize(
    ("kind", "change", "fault"),
    [
        ("match_ended", set_in("scores", to=[99, 0, 0]), "scores"),
        ("match_ended", set_in("ranking", to=[1, 1, 1]), "scores"),
        ("match_opened", set_in("seats", to=400_000_000), "legality"),
        ("action_taken", set_in("effects", 0, "seat", to=7), "legality"),
        ("match_started", set_in("type", to="match_opened"), "body"),
    ],
)
def test_what_even_a_redacted_log_cannot_hide_is_found(kind: str, change: Callable[[Any], Any], fault: str) -> None:
    version = version_of(LOG, kind)
    forgery = log_of(forge_entry(LOG, version, change).entries, None)

    assert find_fault(forgery) == (version, fault)


@pytest.mark.parametrize(
    ("title", "effect", "path"),
    [
        ("la_granja", "match_begun", ("cells",)),
        ("la_granja", "match_begun", ("seats",)),
        ("la_granja", "cards_drawn", ("count",)),
        ("el_grande", "board_laid", ("setting", "seats")),
    ],
)
def test_a_number_no_match_needs_room_for_is_found(title: str, effect: str, path: tuple[str, ...]) -> None:
    """A huge number in a log that cannot be audited must not exhaust memory."""
    log = log_of(table_of_bots(TITLES[title], (BOT, BOT), {}, seeded_origins(b"\x2a")).entries)
    version = version_of(log, "match_started")
    kinds = [each["type"] for each in body(log, version)["effects"]]
    change = set_in("effects", kinds.index(f"{title}.{effect}"), *path, to=10**12)

    report = verify(log_of(forge_entry(log, version, change).entries, None))

    assert report.fault is not None
    assert (report.fault.entry, report.fault.kind) == (version, "legality")
    assert "1000000000000 is not a number from 0 to" in report.fault.why


def test_luck_drawn_twice_under_one_label_is_found_even_in_a_redacted_log() -> None:
    version = version_of(GRANJA, "match_started")
    draws = body(GRANJA, version)["draws"]
    assert len(draws) > 1
    change = set_in("draws", 1, "label", to=draws[0]["label"])

    report = verify(log_of(forge_entry(GRANJA, version, change).entries, None))

    assert report.fault is not None
    assert (report.fault.entry, report.fault.kind) == (version, "chance")
    assert draws[0]["label"] in report.fault.why


def test_a_log_that_holds_more_than_its_reader_may_see_is_found() -> None:
    started = version_of(LOG, "match_started")
    spectators = log_of(LOG.entries, None)
    entries = (*spectators.entries[: started - 1], LOG.entries[started - 1], *spectators.entries[started:])

    assert find_fault(replace(spectators, entries=entries)) == (started, "commitment")


def test_a_fork_verifies_alone_and_names_what_only_its_parent_could_show() -> None:
    log = fork_of(LOG, 15, "same")
    report = check(log)

    assert report.is_good, report.fault
    assert report.unchecked[0].startswith(
        "whether the parent had ended when the match was forked: its end is not in the log"
    )
    assert check(fork_of(LOG, 15, "fresh")).unchecked == ()


def fork_of(log: LogFile, version: int, luck: Any) -> LogFile:
    fork = fork_log(
        log,
        at_version=version,
        luck=luck,
        by="anna",
        origins=seeded_origins(b"fork"),
        titles=ALL_TITLES,
        seats=(BOT,) * 3,
    )
    return log_of(play_to_end(fork, BOTS).entries)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (set_in("at", to=14), "legality"),
        (set_in("parent", to="00000000-0000-0000-0000-000000000009"), "legality"),
        (set_in("luck", to="better"), "body"),
        (set_in("seats", to=["anna", "anna", None]), "legality"),
        (set_in("seats", to=["anna"]), "legality"),
        (set_in("luck", to="fresh"), "legality"),
    ],
)
def test_a_forged_fork_is_found(change: Callable[[Any], Any], kind: str) -> None:
    assert find_fault(forge_entry(fork_of(LOG, 15, "same"), 16, change)) == (16, kind)


def test_a_match_that_forks_itself_to_draw_again_is_found() -> None:
    """With its own id or an ancestor's id, a fork would pass as the match itself."""
    own = replace(seeded_origins(b"other luck"), match_id=LOG.header.match)
    middle = fork_of(LOG, 15, "fresh")

    again = fork_log(LOG, at_version=15, luck="fresh", by="anna", origins=own, titles=ALL_TITLES)
    under_grandparent = fork_log(middle, at_version=18, luck="fresh", by="anna", origins=own, titles=ALL_TITLES)

    assert find_fault(log_of(again.entries)) == (16, "chain")
    assert find_fault(log_of(under_grandparent.entries)) == (19, "chain")


@pytest.mark.parametrize("by", ["", "a\u0000b", "bot:", "Anna Maria"])
def test_a_match_opened_by_nobody_who_could_is_found(by: str) -> None:
    assert find_fault(forge_entry(LOG, 1, set_in("by", to=by))) == (1, "legality")


def test_a_log_redacted_for_a_seat_the_match_does_not_have_is_found() -> None:
    assert find_fault(log_of(LOG.entries, 3)) == (None, "header")


def test_the_file_is_examined_with_what_cannot_even_be_read(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    write_log(path, LOG.entries, ALL)
    assert verify_file(path, titles=ALL_TITLES).is_good

    path.write_bytes(path.read_bytes()[:-5])
    report = verify_file(path, titles=ALL_TITLES)
    assert report.fault is not None
    assert report.fault.entry == len(LOG.entries)
    missing = verify_file(tmp_path / "nothing.jsonl", titles=ALL_TITLES)
    assert missing.fault is not None
    assert "cannot read" in missing.fault.why


def test_a_fault_is_a_sentence_with_the_bad_value() -> None:
    report = check(forge_entry(LOG, 2, set_in("seat", to=55)))

    assert report.fault is not None
    assert "no seat 55" in report.fault.why


def test_a_log_says_which_deck_it_needs() -> None:
    """DESIGN §3: a log names the exact cards it was played with; without them nothing else is verified."""
    options = {"components": "standard", "deck": "feast@00ff", "edition": "deluxe"}
    elsewhere = forge_entry(GRANJA, 1, set_in("options", to=options))

    assert find_fault(elsewhere) == (1, "components")
    assert "the deck 'feast' whose digest begins with 00ff is needed" in str(check(elsewhere).fault)
