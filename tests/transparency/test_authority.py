"""Both verifiers refuse what no official has signed and no rule implies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.proofs.event import verify_event
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.hall_attacks import AFTER_THE_END, ATTACKS, AUTOMATIC, BEFORE_THE_END, LEAVING_OPEN, Change
from tests.domain.proofs.halls import forge, play_automatic, play_hall
from tests.domain.proofs.tournament_proofs import Notary, cup_file
from tests.seeding import one_in
from tests.transparency.second import SecondVerifier


def both(second_verifier: SecondVerifier, matches: Matches, notary: Notary | None = None) -> tuple[Any, Any]:
    """Return the faults that both verifiers find."""
    content = b"".join(cup_file(matches, notary))
    return verify_event(content, titles=ALL_TITLES).fault, second_verifier.examine(content).fault


@pytest.mark.parametrize("name", one_in(3, [name for name, _ in BEFORE_THE_END], "unsigned records"))
def test_both_refuse_an_unsigned_record(second_verifier: SecondVerifier, tmp_path: Path, name: str) -> None:
    matches = play_hall(tmp_path, scored=ATTACKS[name], is_closed=name not in LEAVING_OPEN)
    first, second = both(second_verifier, matches)

    assert first is not None
    assert second is not None
    assert second.part == {"name": "records"}


@pytest.mark.parametrize("name", [name for name, _ in AFTER_THE_END])
def test_both_refuse_an_unsigned_record_after_the_end(
    second_verifier: SecondVerifier, tmp_path: Path, name: str
) -> None:
    first, second = both(second_verifier, play_hall(tmp_path, ended=ATTACKS[name]))
    assert (first is None, second is None) == (False, False)


@pytest.fixture(scope="module")
def automatic(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return play_automatic(tmp_path_factory.mktemp("automatic"))


def test_both_accept_what_follows_from_rules(second_verifier: SecondVerifier, automatic: Matches) -> None:
    report = second_verifier.examine(b"".join(cup_file(automatic)))

    assert both(second_verifier, automatic) == (None, None)
    assert {"acts_rule", "entries"} <= report.checked_ids
    assert not {"acts_unsigned", "acts_own"} & report.unchecked_ids


@pytest.mark.parametrize(("kind", "change"), [each[:2] for each in AUTOMATIC])
def test_both_refuse_what_does_not_follow(
    second_verifier: SecondVerifier, automatic: Matches, kind: str, change: Change
) -> None:
    first, second = both(second_verifier, automatic, forge(automatic, kind, change))
    assert (first is None, second is None) == (False, False)
