"""Both verifiers count the standings of a tournament alike, each from the documents or rules it was written from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from domain.eventstore.application import Matches
from domain.proofs.event import verify_event
from domain.tournaments import facts
from tests.domain.matches.world import ALL_TITLES
from tests.domain.proofs.cups import CUP, SIGNER, Notary, cup_file, forged_records, played_cup
from tests.domain.proofs.test_event import version_of
from tests.seeding import IS_EXPLORING, SEED
from tests.transparency.rounds import RandomCup
from tests.transparency.second import SecondVerifier
from tests.transparency.whole import file_of

STANDINGS: Final = Path(__file__).parents[2] / "api" / "transparency" / "static" / "verifier" / "standings.js"
TURNS: Final = 600 if IS_EXPLORING else 40
COUNTED: Final = ("points", "played", "byes", "wins", "penalty", "stage")


@pytest.mark.parametrize("part", range(4))
def test_a_tournament_at_random_is_counted_alike(second: SecondVerifier, part: int) -> None:
    for turn in range(TURNS // 4):
        made = RandomCup(f"{SEED}/{part}/{turn}").played().counted()
        content = file_of(made.lines())

        assert verify_event(content).fault is None, turn
        assert second.examine(content).fault is None, turn
        row, name = made.rng.choice(made.standings), made.rng.choice(COUNTED)
        row[name] += 1
        changed = file_of(made.lines())
        assert verify_event(changed).fault is not None
        assert second.examine(changed).fault is not None, (turn, row, name)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    """A cup that a house has played: a line put in the place of another, a result by hand, a penalty, ratings."""
    return played_cup(tmp_path_factory.mktemp("cup"))


@pytest.mark.parametrize("keyed", [True, False], ids=["keys", "no keys"])
def test_the_cup_of_a_house_is_good_to_both(second: SecondVerifier, tmp_path: Path, keyed: bool) -> None:
    content = b"".join(cup_file(played_cup(tmp_path, keyed=keyed)))
    report = second.examine(content, str(SIGNER.key))

    assert verify_event(content, titles=ALL_TITLES).fault is None
    assert report.fault is None, report.fault
    assert {"granted", "matches", "standings"} <= report.checked_ids
    assert "tie_breaks" in report.unchecked_ids
    assert ("ratings" in report.unchecked_ids) == keyed
    ruled = report.parts[0]["report"]
    assert ("entitled" in {each["id"] for each in ruled["checked"]}) == keyed


Change = tuple[str, dict[str, Any]]
CHANGES: Final[list[Change]] = [
    ("result_ruled", {"scores": [3, 7], "places": [2, 1]}),
    ("penalty_given", {"sixtieths": 0}),
    ("penalty_given", {"by": "zoe"}),
    ("penalty_given", {"signed": None}),
    ("round_closed", {"by": "service"}),
    ("round_closed", {"round": 9}),
    ("entry_made", {"actor": "zoe"}),
    ("round_published", {"round": 9}),
    ("tournament_opened", {"type": "tournament.announced", "text": "", "plan": None}),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]}-{'-'.join(change[1])}")
def test_a_house_that_rewrites_its_records_is_found_by_both(
    second: SecondVerifier, cup: Matches, change: Change
) -> None:
    kind, fields = change

    def rewrite(body: dict[str, Any]) -> None:
        body.update(fields)
        if "signed" in fields:
            del body["signed"]

    records = cup.streams.records(CUP)
    notary = Notary(cup, instead=forged_records(records, version_of(cup, kind), rewrite))
    content = b"".join(cup_file(cup, notary))

    assert verify_event(content, titles=ALL_TITLES).fault is not None
    fault = second.examine(content).fault
    assert fault is not None
    assert fault.part == {"name": "records"}


def test_the_second_verifier_knows_every_fact_of_a_tournament() -> None:
    """With one it does not know it counts no standings."""
    tags = [str(fact.__struct_config__.tag).removeprefix("tournament.") for fact in get_args(facts.Fact)]
    known = set(re.findall(r"\w+", STANDINGS.read_text()))

    assert [tag for tag in tags if tag not in known] == []
