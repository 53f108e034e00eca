"""Both verifiers count ratings alike, from docs/specifications/ratings.md."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest

from api.transparency.verifier_pages import MODULES
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.log.log_files import parse_log
from domain.matches.rulings.outcome import Outcome, StarterRounds, outcome_of
from domain.matches.verification.verify import examine_log
from domain.proofs.event import verify_event
from domain.proofs.event_file import ClaimedResults, RatingsMoved
from domain.proofs.recount import check_ratings, rated_results
from domain.ratings.facts import begin_fair_play
from domain.ratings.ladder import Ladder, Pool, Rated, RatedResult
from domain.ratings.models import BASE, model_of
from domain.ratings.rules import RatingRules
from domain.standings.contest import Stage
from domain.tournaments import commands, registration
from tests.domain.matches.match_helpers import START, play_out
from tests.domain.proofs.tournament_proofs import (
    CUP,
    PEOPLE,
    PLAN,
    appoint_officials,
    change_cup,
    close_cup_round,
    cup_file,
    cup_in,
    house_in,
    open_next_round,
    tables_of,
)
from tests.seeding import SEED, example_count, one_in
from tests.transparency.damaged import PLAYED
from tests.transparency.logs import encode
from tests.transparency.second import NODE, SecondVerifier

SCRIPT: Final = Path(__file__).with_name("ratings.mjs")
BOT: Final = "bot:random@1"
PLAYERS: Final = ("ann", "ben", "cleo", "dan", "eve", "fay", BOT)
EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00Z")
RULES: Final = RatingRules(START + timedelta(days=20), START + timedelta(days=40))
SEASONS: Final = example_count(12)


def ask(questions: Iterable[Any]) -> list[Any]:
    """Return the answers of the second verifier."""
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in questions)
    output = subprocess.run([NODE, SCRIPT, MODULES.as_uri()], input=lines, capture_output=True, check=True).stdout
    return [msgspec.json.decode(line) for line in output.splitlines()]


def microseconds(at: datetime | None) -> int | None:
    return None if at is None else (at - EPOCH) // timedelta(microseconds=1)


def starter_fields(starter: StarterRounds) -> dict[str, Any]:
    return {
        "actor": starter.actor,
        "standing": starter.standing,
        "rounds": starter.rounds,
        "isSubstituted": starter.substituted,
        "neverCame": starter.never_came,
        "hasLeft": starter.left != "",
    }


def outcome_fields(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as the second verifier has it."""
    return {
        "match": str(outcome.match_id),
        "title": outcome.title,
        "format": outcome.format,
        "status": outcome.status,
        "startTime": microseconds(outcome.started_at),
        "endTime": microseconds(outcome.ended_at),
        "isPublic": outcome.public,
        "isClocked": outcome.clocked,
        "isRated": outcome.rated and not outcome.forked and not outcome.is_taken_over,
        "isRuled": outcome.ruled,
        "isSettled": outcome.settled_by_service,
        "resigned": sorted(outcome.resigned),
        "players": list(outcome.players),
        "ranking": None if outcome.ranking is None else list(outcome.ranking),
        "places": None if outcome.adjusted_places is None else list(outcome.adjusted_places),
        "knowsRounds": True,
        "starters": [starter_fields(each) for each in outcome.began],
    }


def test_both_find_the_same_outcome_of_a_log() -> None:
    """Compare rounds, players who left, standings, times and places after rulings."""
    paths = one_in(16, PLAYED, "outcomes")
    answers = ask({"log": base64.b64encode(path.read_bytes()).decode()} for path in paths)
    for path, answer in zip(paths, answers, strict=True):
        examined = examine_log(parse_log(path.read_bytes()))
        match = examined.match
        assert match is not None
        root = parse_log(path.read_bytes()).entries[0].originator_id
        expected = outcome_fields(outcome_of(match, root, match.id, examined.times))
        if match.is_over and not match.is_fork:
            assert {"startTime": None} | answer == expected, path


def random_outcome(rng: Random, number: int, at: datetime) -> Outcome:
    """Return the outcome of a match of a few people, with everything that affects its rating."""
    size = rng.randint(2, 5)
    # A bot may have several seats, but never leaves.
    people = [BOT if rng.random() < 0.1 else person for person in rng.sample(PLAYERS, size)]
    draws = [rng.randint(0, 4) for _ in people]
    places = tuple(1 + sum(other < own for other in draws) for own in draws)
    able = [seat for seat, actor in enumerate(people) if actor != BOT]
    resigned = tuple(rng.sample(able, min(len(able), rng.choice([0, 0, 1, size - 1]))))
    standings = ("", "", "", "", "provisional", rng.choice(["guest", "bot", "provisional"]))
    began = tuple(
        StarterRounds(
            actor,
            rng.choice(standings),  # type: ignore[arg-type]
            rng.choice([0, 1, 2, 3, 4, 5, 6]),
            rng.random() < 0.1,
            rng.random() < 0.1,
            "" if actor == BOT else rng.choice(["", "", "timed_out", "resigned"]),
        )
        for actor in people
    )
    is_ruled = rng.random() < 0.2
    return Outcome(
        match_id=UUID(int=number * 7919 % 100_003),
        line_id=UUID(int=number),
        title=rng.choice(["el_grande", "la_granja"]),
        options={},
        players=tuple(people),
        began=began,
        clocked=rng.random() < 0.95,
        rated=rng.random() < 0.95,
        imported=False,
        forked=rng.random() < 0.02,
        public=rng.random() < 0.95,
        event="",
        status="ended" if rng.random() < 0.97 else "void",
        scores=tuple(draws),
        ranking=places,
        penalties=(0,) * size,
        resigned=resigned,
        started_at=at - timedelta(hours=rng.randint(0, 30)),
        ended_at=at,
        ruled=is_ruled,
        format=rng.choice([2, 3, 3, 3]),
        settled_by_service=is_ruled and rng.random() < 0.5,
        is_taken_over=rng.random() < 0.05,
        gave_up=tuple(rng.sample(range(size), rng.choice([0, 0, 1]))) + resigned[:1],
    )


def random_season(rng: Random) -> tuple[list[Outcome], list[RatingsMoved]]:
    """Return the outcomes of a season with pauses of days or months, and the ratings that the service states."""
    at, outcomes = START, list[Outcome]()
    for number in range(1, rng.randint(2, 40)):
        at += rng.choice([timedelta(0), timedelta(hours=5), timedelta(days=3, microseconds=7), timedelta(days=75)])
        outcomes.append(random_outcome(rng, number, at))
    rng.shuffle(outcomes)
    return outcomes, [stated for _, stated in rate_all(outcomes)]


def rate_all(outcomes: list[Outcome]) -> list[tuple[RatedResult, RatingsMoved]]:
    """Return each rated result with its stated ratings."""
    ladders, moved = dict[Pool, Ladder](), list[tuple[RatedResult, RatingsMoved]]()
    for result in rated_results(outcomes, RULES):
        ladder = ladders.setdefault(result.pool, Ladder(model_of(BASE)))
        stored = dict(ladder.rated)
        changes = ladder.rate_result(result)
        met = {change.after.player: tuple(each for each in change.met if each.matches) for change in changes}
        before = [
            replace(stored[player], met=met.get(player, ()))
            for player in dict.fromkeys(result.players)
            if player in stored
        ]
        after = tuple(change.after for change in changes)
        moved.append((result, RatingsMoved(result.match_id, tuple(before), after)))
    return moved


def claims_of(moved: list[RatingsMoved]) -> Any:
    claims = ClaimedResults(
        standings=(), fair_since=RULES.fair_since, revised_since=RULES.revised_since, ratings=tuple(moved)
    )
    return msgspec.to_builtins(claims) | {"fairSince": RULES.fair_since, "revisedSince": RULES.revised_since}


def question(outcomes: list[Outcome], moved: list[RatingsMoved]) -> Any:
    return {"outcomes": [outcome_fields(each) for each in outcomes], "said": claims_of(moved)}


def count_ratings(outcomes: list[Outcome], moved: list[RatingsMoved]) -> int | str:
    """Return the number of ratings that the first verifier counts, or the reason of its fault."""
    try:
        return check_ratings(outcomes, RULES, moved)
    except LogFault as fault:
        return fault.why


def change_rated(rated: Rated, name: str, by: float) -> Rated:
    if name in ("mean", "deviation"):
        value = getattr(rated.skill, name)
        return replace(rated, skill=replace(rated.skill, **{name: value + by * max(1.0, abs(value))}))
    return replace(rated, **{name: getattr(rated, name) + int(by)})


def with_change(moved: list[RatingsMoved], rng: Random, change: tuple[str, float]) -> list[RatingsMoved]:
    """Return the ratings with one number after the last match changed."""
    last = moved[-1]
    at = rng.randrange(len(last.after))
    after = tuple(change_rated(each, *change) if index == at else each for index, each in enumerate(last.after))
    return [*moved[:-1], replace(last, after=after)]


FALSE: Final = (("mean", 2e-9), ("mean", -2e-9), ("deviation", 2e-9), ("matches", 1), ("wins", 1), ("wins", -1))
FALSE_TOO: Final = (("last_period", 1), ("best", 2), ("best", -2), ("matches", -1))
CLOSE: Final = (("mean", 5e-10), ("deviation", -5e-10), ("best", 0))


def test_both_count_the_ratings_of_random_seasons_alike() -> None:
    """Each number is also changed in its last place that counts, and in the next one."""
    seasons, questions, expected = list[Any](), list[Any](), list[int | str]()
    for number in range(SEASONS):
        rng = Random(f"{SEED}/season/{number}")
        outcomes, moved = random_season(rng)
        variants = [moved]
        if moved:
            variants += [with_change(moved, rng, change) for change in (*FALSE, *FALSE_TOO, *CLOSE)]
            variants += [moved[1:], [replace(moved[0], before=moved[0].after), *moved[1:]]]
        for variant in variants:
            seasons.append(len(variants))
            questions.append(question(outcomes, variant))
            expected.append(count_ratings(outcomes, variant))
    answers = ask(questions)

    assert sum(isinstance(each, str) for each in expected) > SEASONS
    assert sum(isinstance(each, int) and each > 0 for each in expected) > SEASONS
    for asked, answer, due in zip(questions, answers, expected, strict=True):
        assert (answer if isinstance(answer, int) else "false") == (due if isinstance(due, int) else "false"), (
            answer,
            due,
            asked["said"]["ratings"][-1:],
        )


def rated_cup(folder: Path, title: str, *stages: Stage) -> Matches:
    """Play a rated tournament to its end."""
    matches = house_in(folder)
    begin_fair_play(matches, at=START)
    appoint_officials(matches)
    options = {"short": "yes"} if title == "el_grande" else {}
    commands.open_tournament(matches, CUP, replace(PLAN, title=title, options=options, stages=stages), "opal", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    while cup_in(matches).status != "ended":
        number = len(cup_in(matches).rounds) + 1
        open_next_round(matches, number)
        for match in tables_of(matches, number):
            play_out(matches, matches.get(match))
        close_cup_round(matches, number)
    return matches


@pytest.fixture(scope="module")
def rated_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return b"".join(cup_file(rated_cup(tmp_path_factory.mktemp("rated"), "el_grande", Stage("swiss", 1))))


def test_both_count_the_ratings_of_a_tournament(second_verifier: SecondVerifier, rated_file: bytes) -> None:
    report, second = verify_event(rated_file), second_verifier.examine(rated_file)

    assert (report.fault, second.fault) == (None, None)
    assert report.ratings_checked == 4
    assert {"id": "ratings", "values": {"count": 4}} in second.checked
    assert "ratings_before" in second.unchecked_ids


SYSTEMS: Final[tuple[tuple[Stage, ...], ...]] = (
    (Stage("swiss", 2),),
    (Stage("round_robin"),),
    (Stage("elimination"),),
    (Stage("heats", 1), Stage("final", 1, cut=2)),
)


@pytest.mark.walk
@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
@pytest.mark.parametrize("stages", SYSTEMS, ids=lambda stages: stages[0].kind)
def test_both_accept_a_rated_tournament_of_every_system(
    second_verifier: SecondVerifier, tmp_path: Path, title: str, stages: tuple[Stage, ...]
) -> None:
    content = b"".join(cup_file(rated_cup(tmp_path, title, *stages)))
    report, second = verify_event(content), second_verifier.examine(content)

    assert (report.fault, second.fault) == (None, None)
    assert report.ratings_checked > 3
    assert {"id": "ratings", "values": {"count": report.ratings_checked}} in second.checked


Rewrite = Callable[[dict[str, Any]], Any]


def rewrite_claims(content: bytes, rewrite: Rewrite) -> bytes:
    """Return the file with another line of standings and ratings."""
    line = next(line for line in content.split(b"\n") if line.startswith(b'{"standings":'))
    claims = msgspec.json.decode(line)
    other = rewrite(claims)
    return content.replace(line, other if isinstance(other, bytes) else encode(claims))


def in_claims(*path: str | int, to: Callable[[Any], Any]) -> Rewrite:
    """Return a change of one value in the line."""

    def rewrite(claims: dict[str, Any]) -> None:
        value: Any = claims
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to(value[path[-1]])

    return rewrite


AFTER: Final = ("ratings", 1, "after", 0)
REWRITTEN: Final[dict[str, Rewrite]] = {
    "a tie-break": in_claims("standings", 2, "tieBreaks", 1, to=lambda value: value - 1),
    "a mean": in_claims(*AFTER, "skill", "mean", to=lambda value: value * (1 + 2e-9)),
    "a deviation": in_claims(*AFTER, "skill", "deviation", to=lambda value: value * (1 - 2e-9)),
    "a whole mean": in_claims(*AFTER, "skill", "mean", to=int),
    "a mean out of bounds": in_claims(*AFTER, "skill", "mean", to=lambda _: 1e6),
    "a negative number of matches": in_claims(*AFTER, "matches", to=lambda _: -1),
    "a number without bounds": in_claims(*AFTER, "best", to=lambda _: 2**53),
    "a number of wins": in_claims(*AFTER, "wins", to=lambda value: value + 1),
    "a month": in_claims(*AFTER, "lastPeriod", to=lambda value: value + 1),
    "the best points": in_claims(*AFTER, "best", to=lambda value: value + 2),
    "a player": in_claims(*AFTER, "player", to=lambda _: "zoe"),
    "a match": in_claims("ratings", 1, "match", to=lambda _: str(CUP)),
    "a match too few": in_claims("ratings", to=lambda value: value[1:]),
    "the date of the rules": in_claims("fairSince", to=lambda _: None),
    "a local date": in_claims("revisedSince", to=lambda value: value.removesuffix("Z")),
    "another place on earth": in_claims("revisedSince", to=lambda value: value.replace("Z", "+01:00")),
    "another writing of a number": lambda claims: encode(claims).replace(b'"deviation":', b'"deviation":0', 1),
    "an unknown field": in_claims(*AFTER, to=lambda value: value | {"x": 1}),
}


@pytest.mark.parametrize("name", REWRITTEN)
def test_both_refuse_changed_standings_and_ratings(
    second_verifier: SecondVerifier, rated_file: bytes, name: str
) -> None:
    content = rewrite_claims(rated_file, REWRITTEN[name])
    report, second = verify_event(content), second_verifier.examine(content)

    assert content != rated_file
    assert report.fault is not None
    assert second.fault is not None
    assert "cannot be examined" not in second.fault.why
