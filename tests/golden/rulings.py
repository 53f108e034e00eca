"""Golden matches with arbiters: `python -m tests.golden.rulings el_grande` records those of a title alone."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from domain.kernel.rules import HOUSE
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.apply import fold
from domain.matches.consequences import fork_line
from domain.matches.facts import SERVICE, Clock, RulingGiven, Table
from domain.matches.forks import forking
from domain.matches.log.file import write_log
from domain.matches.play import playing
from domain.matches.play.in_memory import Play, play_on, seed_luck, table_of_bots
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import LineResumed, Measure, PointsTaken, ResultSet, SeatWarned, TimeTaken
from domain.titles import TITLES
from workers.bots import BOTS

RANDOM: Final = BOTS["random"]
OPTIONS: Final = {"el_grande": {"cards": "2006", "short": "yes"}, "la_granja": {}}


def table(title: str, seed: str) -> Play:
    asked = Table(clock=Clock("increment", 600, 10), pause_on_dispute=True, event="the open of Esporles", rated=True)
    return table_of_bots(TITLES[title], (RANDOM.actor,) * 3, OPTIONS[title], seed_luck(seed.encode()), asked)


def some(play: Play, count: int) -> None:
    """That many more actions."""
    for _ in range(count):
        seat = seats_to_act(play.match)[0]
        legal = legal_actions(play.match, seat)
        by = SERVICE if seat == HOUSE else RANDOM.actor
        play.act(seat, by, legal[play.match.version % len(legal)])


def given(number: int, at: int, *measures: Measure, appeal_of: str = "", upheld: bool = False) -> RulingGiven:
    return RulingGiven(
        ruling=f"ruling-{number}",
        dispute="dispute-1",
        by="arbiter" if not appeal_of else "head",
        at=at,
        rule="4.2",
        reasons="The seat acted after its time had run out.",
        measures=measures,
        appeal_of=appeal_of,
        upheld=upheld,
        authority="service",
    )


def ruled(title: str) -> Play:
    """Held for a dispute, a warning and penalties; later a result is set, upheld on appeal, and points are taken."""
    play = table(title, "ruled")
    some(play, 30)
    play.do(partial(playing.pause, by=SERVICE, dispute="dispute-1"))
    first = given(1, 12, SeatWarned(1), PointsTaken(1, 3), TimeTaken(1, 60))
    play.do(lambda match: ruling.rule(match, first))
    some(play, 10)
    set_ = given(2, 40, ResultSet((9, 5, 5), (1, 2, 2)))
    play.do(lambda match: ruling.rule(match, set_))
    play.do(lambda match: ruling.rule(match, given(3, 40, appeal_of="ruling-2", upheld=True)))
    play.do(lambda match: ruling.rule(match, given(4, 40, PointsTaken(2, 1))))
    return play


def resumed(title: str) -> Play:
    """The line that took the place of another after a ruling; played on to the end."""
    parent = table(title, "resumed")
    some(parent, 60)
    origins = seed_luck(b"resumed line")
    prefix = tuple(parent.entries[:45])
    base = fold(TITLES, prefix)
    fact = forking.replacement(base, ruling="ruling-1", clocks=(100_000, 200_000, 300_000), seed=origins.seed)
    match, entries = fork_line(base, fact, origins.match_id, origins.now(), origins.step)
    play = Play(match, (*prefix, *entries), origins)
    again = given(1, 50, LineResumed(45, str(origins.match_id)), SeatWarned(0))
    play.do(lambda match: ruling.rule(match, again))
    play_on(play, {RANDOM.actor: RANDOM.choose})
    return play


SCENES: Final[dict[str, Callable[[str], Play]]] = {"ruled": ruled, "resumed": resumed}


def main(titles: list[str]) -> None:
    for title in titles:
        for name, scene in SCENES.items():
            write_log(Path(__file__).parent / f"{title}-{name}.jsonl", scene(title).entries)


if __name__ == "__main__":
    main(sys.argv[1:])
