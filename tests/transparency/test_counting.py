"""Both verifiers count the standings of a tournament alike, each from a separate implementation."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any, Final, get_args
from uuid import UUID

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.proofs.event import read_event, verify_event
from domain.proofs.event_file import parse_event
from domain.standings.contest import TieBreak
from domain.standings.ranking import standings
from domain.tournaments import facts
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.test_event import version_of
from tests.domain.proofs.tournament_proofs import CUP, SIGNER, Notary, cup_file, forged_records, played_cup
from tests.seeding import IS_EXPLORING, SEED
from tests.transparency.logs import copy_value
from tests.transparency.second import SecondVerifier
from tests.transparency.whole import (
    EVENT,
    HOUSE_PEN,
    ORGANISER,
    PROBLEM,
    ROLES_STREAM,
    Cup,
    Stream,
    file_of,
    grant_body,
)

BOT: Final = "bot:random@1"
TIE_BREAKS: Final = get_args(TieBreak)
KINDS: Final = ("swiss", "round_robin", "elimination", "heats", "final")
MEASURES: Final = ("points", "points", "points", "victory_points", "wins", "margin")
ABSENT: Final[tuple[dict[str, str], ...]] = ({"bot": BOT, "reason": "r"}, {"bot": BOT}, {"reason": "r"}, {})
POINTS: Final = [{"size": 3, "points": [600, 200]}, {"size": 4, "points": [700, 300, 100, 50]}]


class RandomCup(Cup):
    """A random tournament; deterministic by seed."""

    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)
        self.roles, self.event = Stream(ROLES_STREAM), Stream(EVENT)
        self.matches, self.standings = [], list[dict[str, Any]]()
        self.names = [f"e{number}" for number in range(1, self.rng.randint(5, 9))]
        self.kinds = self.rng.choices(KINDS, k=self.rng.randint(1, 3))
        self.places: dict[str, bool] = {}
        self.stage = 0
        self.rule = self.rng.randint(1, 2)
        self.format = self.rng.randint(self.rule, 2)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def plan(self) -> dict[str, Any]:
        stages = [{"kind": kind, "rounds": 2} | ({"carry": False} if self.chance(0.3) else {}) for kind in self.kinds]
        measure = self.rng.choice(MEASURES)
        scoring: dict[str, Any] = {} if measure == "points" else {"measure": measure}
        scoring |= {"points": POINTS} if self.chance(0.4) else {}
        scoring |= {"bye": self.rng.randint(0, 359)} if self.chance(0.4) else {}
        scoring |= {"tieBreaks": self.rng.sample(TIE_BREAKS, self.rng.randint(0, 9))} if self.chance(0.7) else {}
        plan: dict[str, Any] = {"name": "Cup", "title": "el_grande", "stages": stages}
        plan |= ({"scoring": scoring} if scoring else {}) | ({"standings": 2} if self.rule > 1 else {})
        plan |= {"bot": BOT} if self.chance(0.5) else {}
        return plan | {"faceToFace": True}

    def play_all(self) -> RandomCup:
        self.roles.add(grant_body("olga", "organiser", scope=EVENT, keys=[ORGANISER.key]), HOUSE_PEN)
        self.say("tournament_opened", by="olga", plan=self.plan(), signs=False)
        for name in self.names:
            waiting = {"waiting": True} if self.chance(0.15) else {}
            seeded = {"seeding": self.rng.randint(1, 9)} if self.chance(0.5) else {}
            self.say("entry_made", by="olga", entry=name, name=name, **seeded, **waiting, signs=False)
            self.places[name] = not waiting
        for name in [each for each in self.names if not self.places[each] and self.chance(0.6)]:
            self.say("entry_promoted", entry=name, signs=False)
            self.places[name] = True
        for number in range(1, self.rng.randint(2, 6)):
            self.play_round(number)
        self.say("tournament_ended", by="service", signs=HOUSE_PEN)
        return self

    def play_round(self, number: int) -> None:
        if number > 1 and self.stage < len(self.kinds) - 1 and self.chance(0.5):
            self.stage += 1
        unseated = self.rng.sample([name for name in self.names if self.places[name]], k=sum(self.places.values()))
        tables: list[list[str]] = []
        while len(unseated) > 1 and (not tables or self.chance(0.8)):
            size = min(len(unseated), self.rng.randint(2, 4))
            tables.append(unseated[:size])
            unseated = unseated[size:]
        byes = [name for name in unseated if self.chance(0.8)]
        proposal: dict[str, Any] = {"levels": [], "reasons": [[] for _ in tables], "engine": "hand"}
        ids = [str(UUID(int=100 * number + index)) for index in range(len(tables))]
        request: dict[str, Any] = {
            "by": "olga",
            "round": number,
            "stage": self.stage,
            "problem": PROBLEM,
            "way": "tables",
        }
        self.say("pairing_asked", **request, signs=False)
        self.say(
            "pairing_proposed", round=number, tables=copy_value(tables), byes=copy_value(byes), **proposal, signs=False
        )
        self.say("round_published", by="olga", round=number, matches=ids, signs=False)
        if self.chance(0.5):
            self.say("round_opened", round=number, signs=False)
        if len(tables) > 1 and self.chance(0.3):
            self.reseat(number, tables, byes)
        is_closed = self.chance(0.8)
        for index, table in enumerate(tables, start=1):
            self.play_table(number, index, table, has_result=is_closed or self.chance(0.5))
        self.trouble()
        if is_closed:
            self.say("round_closed", by="olga", round=number)

    def reseat(self, number: int, tables: list[list[str]], byes: list[str]) -> None:
        """Swap a player of the first table with one of the last, or with a bye."""
        first, last = tables[0], byes if byes and self.chance(0.5) else tables[-1]
        first[0], last[-1] = last[-1], first[0]
        reseated = [
            {"table": index, "entries": tables[index - 1], "match": str(UUID(int=7000 + number)), "reasons": []}
            for index in ([1] if last is byes else [1, len(tables)])
        ]
        fields: dict[str, Any] = {
            "by": "olga",
            "round": number,
            "tables": reseated,
            "byes": byes,
            "levels": [],
            "reason": "r",
        }
        self.say("tables_reseated", **fields)

    def play_table(self, number: int, table: int, entries: list[str], *, has_result: bool) -> None:
        for name in [each for each in entries if self.chance(0.2)]:
            fields: dict[str, Any] = {"by": "olga", "round": number, "entry": name}
            self.say("no_show_noted", **(fields | self.rng.choice(ABSENT)))
            if self.chance(0.3):
                self.say("no_show_withdrawn", **fields, reason="r")
            elif self.chance(0.3):
                self.say("substitute_named", **fields, actor="zoe", signs=False)
        if self.chance(0.2):
            withdrawn_result: dict[str, Any] = {"by": "olga", "round": number, "table": table}
            self.say("result_entered", **withdrawn_result, scores=[9] * len(entries), places=[1] * len(entries))
            self.say("result_withdrawn", **withdrawn_result)
        for _ in range(self.rng.choice([1, 1, 2]) if has_result else 0):
            draws = [self.rng.randint(0, 3) for _ in entries]
            places = [1 + sum(other < own for other in draws) for own in draws]
            scores = [self.rng.randint(0, 99) for _ in entries]
            table_fields: dict[str, Any] = {"by": "olga", "round": number, "table": table}
            if self.chance(0.2):
                table_fields["by"] = "service"
                self.say("result_ruled", **table_fields, places=places, scores=scores, reason="over", signs=HOUSE_PEN)
            elif self.chance(0.3):
                self.say("result_ruled", **table_fields, places=places, scores=scores, reason="r")
            else:
                self.say("result_entered", **table_fields, scores=scores, places=places)

    def trouble(self) -> None:
        """Add a penalty, a withdrawal and a return."""
        name = self.rng.choice(self.names)
        if self.chance(0.2):
            self.say("checked_in", by="olga", entry=name, signs=False)
        if self.chance(0.4):
            self.say("penalty_given", by="olga", entry=name, sixtieths=self.rng.randint(1, 200), reason="r")
        if self.places[name] and sum(self.places.values()) > 3 and self.chance(0.4):
            self.say("entry_withdrawn", by="olga", entry=name, signs=False)
            self.places[name] = False
            if self.chance(0.5):
                self.say("entry_returned", by="olga", entry=name, signs=False)
                self.places[name] = True

    def counted_file(self) -> RandomCup:
        """Return the file with standings computed by the service."""
        state = read_event(parse_event(file_of(self.lines()))).state
        self.standings = msgspec.json.decode(msgspec.json.encode(standings(state, {})))
        return self


STANDINGS: Final = Path(__file__).parents[2] / "api" / "transparency" / "static" / "verifier" / "standings.js"
TURNS: Final = 600 if IS_EXPLORING else 40
COUNTED: Final = ("rank", "points", "played", "byes", "wins", "penalty", "stage")


@pytest.mark.parametrize("part", range(4))
def test_both_count_a_random_tournament_alike(second_verifier: SecondVerifier, part: int) -> None:
    for turn in range(TURNS // 4):
        tournament = RandomCup(f"{SEED}/{part}/{turn}").play_all().counted_file()
        content = file_of(tournament.lines())

        assert verify_event(content).fault is None, turn
        assert second_verifier.examine(content).fault is None, turn
        row = tournament.rng.choice(tournament.standings)
        numbers: list[tuple[Any, Any]] = [(row, name) for name in COUNTED]
        numbers += [(row["tieBreaks"], index) for index in range(len(row["tieBreaks"]))]
        values, name = tournament.rng.choice(numbers)
        values[name] += tournament.rng.choice([1, -1])
        changed = file_of(tournament.lines())
        assert verify_event(changed).fault is not None
        assert second_verifier.examine(changed).fault is not None, (turn, row, name)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    """Play a tournament in a service: a replaced line, a manual result, a penalty, ratings."""
    return played_cup(tmp_path_factory.mktemp("cup"))


@pytest.mark.parametrize("keyed", [True, False], ids=["keys", "no keys"])
def test_both_accept_the_tournament_of_a_service(second_verifier: SecondVerifier, tmp_path: Path, keyed: bool) -> None:
    content = b"".join(cup_file(played_cup(tmp_path, keyed=keyed)))
    report = second_verifier.examine(content, str(SIGNER.key))

    assert verify_event(content, titles=ALL_TITLES).fault is None
    assert report.fault is None, report.fault
    assert {"granted", "matches", "standings"} <= report.checked_ids
    assert ("ratings" in report.unchecked_ids) == keyed
    ruled_match = report.parts[0]["report"]
    assert ("entitled" in {each["id"] for each in ruled_match["checked"]}) == keyed


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
def test_both_reject_rewritten_records(second_verifier: SecondVerifier, cup: Matches, change: Change) -> None:
    kind, fields = change

    def rewrite(body: dict[str, Any]) -> None:
        body.update(fields)
        if "signed" in fields:
            del body["signed"]

    records = cup.streams.records(CUP)
    notary = Notary(cup, instead=forged_records(records, version_of(cup, kind), rewrite))
    content = b"".join(cup_file(cup, notary))

    assert verify_event(content, titles=ALL_TITLES).fault is not None
    fault = second_verifier.examine(content).fault
    assert fault is not None
    assert fault.part == {"name": "records"}


def test_the_second_verifier_knows_every_fact_of_a_tournament() -> None:
    """With an unknown fact it would not count the standings."""
    tags = [str(fact.__struct_config__.tag).removeprefix("tournament.") for fact in get_args(facts.Fact)]
    known = set(re.findall(r"\w+", STANDINGS.read_text()))

    assert [tag for tag in tags if tag not in known] == []
