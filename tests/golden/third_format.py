"""Golden matches of the additions in log format 3, and contests recorded before `standings: 2`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from domain.kernel.rules import HOUSE
from domain.matches.aggregate import legal_actions, seats_to_act, take_back_versions
from domain.matches.consequences import open_line
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.play import announcing, playing
from domain.matches.play.absences import DAY
from domain.matches.play.in_memory import Play, play_on, seed_luck
from domain.matches.seats import opening
from domain.titles import TITLES
from tests.golden.coverage import OPTIONS
from workers.bots import BOTS

RANDOM: Final = BOTS["random"]
PEOPLE: Final = ("anna", "bea", "cleo")
ACTIONS: Final = 160
"""Of people, before bots play to the end."""


def table_of_people(title: str, seed: str, table: Table) -> Play:
    """Begin a match of three people, with a second after every entry."""
    origins = seed_luck(f"{title} {seed}".encode())
    fact = opening.open_match(TITLES[title], seats=3, options=OPTIONS[title], table=table, by="anna", seed=origins.seed)
    play = Play(*open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step), origins)
    for seat, person in enumerate(PEOPLE):
        play.do(partial(opening.take_seat, seat=seat, by=person))
    for seat, person in enumerate(PEOPLE):
        play.do(partial(opening.ready, seat=seat, by=person))
    return play


def acts(play: Play, rng: Random, wait: float = 1) -> None:
    """Let the next seat act at random, after `wait` seconds."""
    match = play.match
    seat = rng.choice(seats_to_act(match))
    legal = legal_actions(match, seat)
    by = SERVICE if seat == HOUSE else match.seats[seat].actor or ""
    action = rng.choice(legal[1:] or legal)
    play.do(partial(playing.act, seat=seat, by=by, action=action), at=match.timestamp + timedelta(seconds=wait))


def to_the_end(play: Play) -> Play:
    """Let bots take all seats and play to the end."""
    for seat, info in enumerate(play.match.seats):
        if info.is_person and not play.match.is_over:
            play.do(partial(playing.replace_seat, seat=seat, by=info.actor or "", actor=RANDOM.actor))
    play_on(play, {RANDOM.actor: RANDOM.choose})
    return play


def taken_back(title: str) -> Play:
    """Play with take-backs wherever they are allowed, also to the version of an earlier one; clocks always run."""
    play = table_of_people(title, "taken back", Table(clock=Clock("increment", 3_600, 5), take_backs=3))
    rng = Random(f"{title} taken back")
    while not play.match.is_over and play.match.version < ACTIONS:
        acts(play, rng, 3)
        own = play.match.turn.seat
        while own is not None and rng.random() < 0.5 and (versions := take_back_versions(play.match, own)):
            if play.match.turn.taken_back_count >= 3 or play.match.seats[own].actor is None:
                break
            by, at = play.match.seats[own].actor or "", play.match.timestamp + timedelta(seconds=40)
            play.do(partial(playing.take_back, seat=own, by=by, to_version=rng.choice(versions)), at=at)
            if rng.random() < 0.5:
                acts(play, rng)
    return to_the_end(play)


def absent(title: str) -> Play:
    """Play with absences: announced, ended early, cancelled, one by the service, and one before a time-out."""
    play = table_of_people(title, "absent", Table(clock=Clock("correspondence", 3 * DAY), time_out="skip"))
    rng = Random(f"{title} absent")
    for number in range(3):
        seat = next(each for each in seats_to_act(play.match) if each >= 0)
        person, now = play.match.seats[seat].actor or "", play.match.timestamp
        by, first = (SERVICE if number == 1 else person), int(now.timestamp()) + 1 + number * DAY
        play.do(
            partial(announcing.announce_absence, seat=seat, by=by, first=first, last=first + 5 * DAY, at=now), at=now
        )
        back = now + timedelta(days=(4, 0.5, 9)[number])
        if number < 2:
            play.do(partial(announcing.end_absence, seat=seat, by=person, at=back), at=back)
        else:
            play.do(partial(playing.time_out, seat=seat, by=SERVICE, at=back), at=back)
        for _ in range(20):
            acts(play, rng)
    play.do(partial(playing.replace_seat, seat=0, by=SERVICE, actor="dora"))
    play.do(partial(playing.replace_seat, seat=0, by=SERVICE, actor=RANDOM.actor, reason="erased"))
    return to_the_end(play)


SCENES: Final[dict[str, Callable[[str], Play]]] = {"taken-back": taken_back, "absent": absent}


FOLDER: Final = Path(__file__).with_name("contests")


def no_show_file() -> bytes:
    """Return the proof of a tournament in format 1 in which a bot won the final for an absent entrant."""
    return (FOLDER / "no-show-format-1.event").read_bytes()


def recorded(name: str) -> dict[str, Any]:
    """Return the values that were recorded with a contest."""
    found: dict[str, Any] = msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())
    return found
