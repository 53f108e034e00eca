"""Rule changes that affect audits need a new version; earlier versions stay playable or are retired (DESIGN §3).

Tested with the toy title: version 1; version 2, which scores every pearl; and a title that has retired version 1.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log, import_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.chance import Chance
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules, AnyTitle, Title, Titles, title_at
from domain.matches.aggregate import legal_actions, seats_to_act, view
from domain.matches.errors import RulesRetired
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL, redact
from domain.matches.log.log_files import LogFile, log_of
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.matches.verification.verify import verify
from domain.studies.rules import Position, Wish, line_of
from tests.domain.matches import toy
from tests.domain.matches.match_helpers import (
    BOT,
    BOTS,
    START,
    TOY,
    act_once,
    forge_entry,
    next_action,
    play_out,
    start_match,
    uuid,
    version_of,
)
from tests.seeding import entropy

SEED: Final = seeded_origins(b"\x07")


def decide_two(state: toy.State, seat: Seat, action: toy.Action, chance: Chance) -> tuple[toy.Effect, ...]:
    """Version 2: every remaining pearl is a point."""
    return (toy.Counted(state.pearls),) if action == toy.CountUp() else toy.decide(state, seat, action, chance)


def rules_of(number: int, **changed: Any) -> AnyRules:
    """Return the toy's rules under a version number, with changes."""
    return cast("AnyRules", SimpleNamespace(**{**vars(toy), "RULES_VERSION": number, **changed}))


ONE: Final = rules_of(1)
TWO: Final = rules_of(2, decide=decide_two)
BEFORE: Final[AnyTitle] = Title(rules=ONE, codec=TOY.codec, printed_name="Toy", words=TOY.words)
KEEPING: Final[AnyTitle] = Title(rules=TWO, earlier={1: ONE}, codec=TOY.codec, printed_name="Toy", words=TOY.words)
RETIRING: Final[AnyTitle] = Title(rules=TWO, codec=TOY.codec, printed_name="Toy", words=TOY.words)


def titles(title: AnyTitle) -> Titles:
    return {"toy": title}


def log_under(title: AnyTitle) -> LogFile:
    return log_of(play_to_end(table_of_bots(title, (BOT,) * 3, {}, SEED), BOTS).entries)


OLD: Final = log_under(BEFORE)
NEW: Final = log_under(KEEPING)


def test_a_new_match_uses_the_latest_version() -> None:
    assert NEW.entries[-1].body != OLD.entries[-1].body
    assert verify(NEW, titles=titles(KEEPING)).is_good


def test_a_match_of_an_earlier_version_is_verified_by_that_version() -> None:
    report = verify(OLD, titles=titles(KEEPING))

    assert report.is_good, report.fault
    assert report.unchecked == ()
    assert report.actions_checked > 10


def test_a_rule_change_without_a_new_version_is_found() -> None:
    """The same change under the old number: the old log no longer matches the rules."""
    changed = Title(rules=rules_of(1, decide=decide_two), codec=TOY.codec, printed_name="Toy", words=TOY.words)

    report = verify(OLD, titles=titles(changed))

    assert report.fault is not None
    assert report.fault.kind == "legality"


def test_only_the_version_of_the_log_is_needed() -> None:
    assert title_at(KEEPING, 2) is KEEPING
    assert title_at(KEEPING, 1).rules is ONE
    assert title_at(RETIRING, 1) is RETIRING


def test_a_version_that_is_not_known_yet_is_a_fault() -> None:
    report = verify(NEW, titles=titles(BEFORE))

    assert report.fault is not None
    assert "rules version 2, which is unknown here" in report.fault.why


def test_a_log_of_a_retired_version_is_shown_and_what_cannot_be_examined_is_said() -> None:
    report = verify(OLD, titles=titles(RETIRING))

    assert report.is_good, report.fault
    assert report.status == "ended"
    assert report.scores == verify(OLD, titles=titles(BEFORE)).scores
    assert report.actions_checked == 0
    assert report.draws_checked > 5
    assert report.unchecked == ("legality: version 1 of the rules is no longer supported",)


def test_the_draws_of_a_retired_version_are_still_made_again() -> None:
    def cheat(body: Any) -> None:
        body["draws"][0]["outcome"] = [6, 6, 6]
        body["effects"][0]["pips"] = [6, 6, 6]

    report = verify(forge_entry(OLD, version_of(OLD, "match_started"), cheat), titles=titles(RETIRING))

    assert report.fault is not None
    assert report.fault.kind == "chance"


def test_a_redacted_log_of_a_retired_version_is_read() -> None:
    redacted = log_of(tuple(redact(entry, None) for entry in OLD.entries), None)

    report = verify(redacted, titles=titles(RETIRING))

    assert report.is_good, report.fault
    assert report.unchecked[0].startswith("legality: version 1 of the rules is no longer supported")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Callable[[AnyTitle], Matches]]:
    """Open one store by services with different rules, one after another."""
    all_opened: list[Matches] = []

    def open_with(title: AnyTitle) -> Matches:
        for matches in all_opened:
            matches.close()
        env = store_env(str(tmp_path / "matches.sqlite"))
        all_opened[:] = [open_store(env, titles=titles(title), entropy=entropy())]
        return all_opened[0]

    yield open_with
    for matches in all_opened:
        matches.close()


def test_a_running_match_goes_on_by_the_version_it_began_under(store: Callable[[AnyTitle], Matches]) -> None:
    before = store(BEFORE)
    act_once(before, start_match(before, uuid(1), (BOT, BOT)))

    ended = play_out(after := store(KEEPING), after.get(uuid(1)))

    log = export_log(after, ended.id, ALL, at=START)
    assert verify(log, titles=titles(KEEPING)).is_good
    assert verify(log, titles=titles(BEFORE)).is_good


def test_a_running_match_of_a_retired_version_stands_still_until_it_is_voided(
    store: Callable[[AnyTitle], Matches],
) -> None:
    before = store(BEFORE)
    running = act_once(before, start_match(before, uuid(1), ("ann", "ben")))
    seat, by, action = next_action(running)

    after = store(RETIRING)
    match = after.get(uuid(1))

    assert match.is_retired
    assert view(match, None) is not None
    assert seats_to_act(match) == ()
    assert legal_actions(match, seat) == ()
    with pytest.raises(RulesRetired, match="version 1 of the rules of toy"):
        after.act(match.id, seat, by, action, expected_version=match.version, at=START)
    with pytest.raises(RulesRetired):
        after.resign(match.id, 0, "ann", at=START)
    voided = after.void(match.id, SERVICE, reason="its rules are played no more", at=START)
    assert voided.status == "void"
    assert verify(export_log(after, match.id, ALL, at=START), titles=titles(RETIRING)).is_good


def test_a_table_of_a_retired_version_that_has_not_begun_is_not_begun(store: Callable[[AnyTitle], Matches]) -> None:
    store(BEFORE).open(uuid(1), title="toy", seats=2, by="ann", at=START)

    after = store(RETIRING)

    with pytest.raises(RulesRetired):
        after.take_seat(uuid(1), 0, "ann", at=START)


def test_an_ended_match_of_a_retired_version_is_shown_but_not_forked_played_on_or_brought_in(
    store: Callable[[AnyTitle], Matches],
) -> None:
    before = store(BEFORE)
    ended = play_out(before, start_match(before, uuid(1), (BOT, BOT)))
    log = export_log(before, ended.id, ALL, at=START)

    after = store(RETIRING)
    match = after.get(uuid(1))

    assert match.result == ended.result
    earlier = after.at(match.id, match.version - 4)
    with pytest.raises(RulesRetired):
        fork_match(after, match.id, at_version=earlier.version, new_id=uuid(2), luck="same", by="ann", at=START)
    with pytest.raises(RulesRetired):
        line_of(Position(earlier, earlier.state), [Wish(toy.Pass())])
    with pytest.raises(RulesRetired):
        import_log(after, log, by="olga", at=START)
