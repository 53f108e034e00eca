"""Matches under retired rules are found and voided with a notice."""

from pathlib import Path

from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.log.entries import ALL
from domain.matches.retired_rules import find_retired, void_retired
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import BOT, START, act_once, facts, play_out, start_match, uuid
from tests.domain.matches.test_rules_versions import BEFORE, KEEPING, RETIRING, titles
from tests.seeding import entropy


def test_what_goes_on_under_retired_rules_is_found_and_voided(tmp_path: Path) -> None:
    env = store_env(str(tmp_path / "matches.sqlite"))
    before = open_store(env, titles=titles(BEFORE), entropy=entropy())
    act_once(before, start_match(before, uuid(1), ("ann", "ben")))
    before.open(uuid(2), title="toy", seats=2, by="ann", at=START)
    play_out(before, start_match(before, uuid(3), (BOT, BOT)))
    before.close()
    keeping = open_store(env, titles=titles(KEEPING), entropy=entropy())
    assert list(find_retired(keeping)) == []
    keeping.close()

    matches, positions = open_store(env, titles=titles(RETIRING), entropy=entropy()), list[int]()
    start_match(matches, uuid(4), ("ann", "ben"))
    found = list(find_retired(matches, positions.append))

    assert [(match.id, match.status) for match in found] == [(uuid(1), "running"), (uuid(2), "open")]
    assert positions[-1] == matches.last_position()
    for match in found:
        assert void_retired(matches, match, at=START).status == "void"
        assert facts(matches, match.id)[-1].reason == (
            "The match uses version 1 of the rules, which is no longer supported. The current one is 2."
        )
        assert verify(export_log(matches, match.id, ALL, at=START), titles=titles(RETIRING)).is_good
    assert list(find_retired(matches)) == []
    matches.close()
