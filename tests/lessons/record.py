"""Record the logs that lessons start from, and the golden lines through tutorials: `python -m tests.lessons.record`.

The logs are part of the package and must not be recorded again while a script refers to them. `--lines` records only
the golden lines, which follow the scripts.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.lessons.conditions import find_actions
from domain.lessons.guidance import Guidance, LastAction, bot_actions, guide
from domain.lessons.script import Lesson, lessons_of, load_log
from domain.matches.aggregate import Match, bot_seed, legal_actions, seats_to_act, view
from domain.matches.apply import fold
from domain.matches.facts import SERVICE, Table
from domain.matches.log.log_files import write_log
from domain.matches.play.in_memory import (
    InMemoryMatch,
    bot_action,
    fork_log,
    play_to_end,
    seeded_origins,
    table_of_bots,
)
from domain.titles import TITLES
from workers.bots import BOTS

PACKAGE: Final = Path(__file__).parents[2] / "domain" / "titles"
GREEDY: Final = BOTS["greedy"]
GENTLE: Final = BOTS["gentle"]
CHOOSE: Final = {kind.actor: kind.choose for kind in (GREEDY, GENTLE)}
LEARNER: Final = "anna"

Picks = Sequence[Mapping[str, Any]]


def lg(type: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"la_granja.{type}", **fields}


def eg(type: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"el_grande.{type}", **fields}


TO_THE_BARROW: Final[Picks] = (
    lg("play_card", card=48, side="field"),
    lg("play_card", card=28, side="barrow"),
    lg("pass"),
    lg("grow_crops"),
    lg("pass"),
    lg("buy_roof", tile="D11"),
    lg("use_roof"),
    lg("pass"),
    lg("take_die", pips=2),
    lg("take_option", option="crop_any"),
    lg("take_good", good="olive"),
    lg("pass"),
    lg("take_die", pips=1),
    lg("take_option", option="pig_1"),
    lg("pass"),
    lg("take_option", option="siesta_2"),
    lg("pass"),
    lg("choose_donkey", tile=2),
)
TO_THE_KING: Final[Picks] = (
    eg("play_power_card", power=10),
    eg("call_caballeros", count=1),
    eg("take_action_card", card="s5-majesty"),
)
LOGS: Final[Mapping[str, tuple[int, bytes, str, Picks]]] = {
    "la_granja/village": (2, b"lesson\x02", "gentle", TO_THE_BARROW),
    "la_granja/stalls": (2, b"stall\x07", "greedy", ()),
    "la_granja/road": (2, b"road\x03", "greedy", ()),
    "el_grande/kingdom": (3, b"lesson\x15", "gentle", TO_THE_KING),
    "el_grande/castle": (3, b"castle\x03", "greedy", ()),
}
"""By title and name of a log: seats, seed, bot of the other seats, and first actions of the first seat."""


def act(play: InMemoryMatch, seat: int, choose: Any = None) -> None:
    """Play one action of a seat: the given one, or the bot's."""
    if seat == SERVICE_SEAT:
        play.act(SERVICE_SEAT, SERVICE, legal_actions(play.match, SERVICE_SEAT)[0])
        return
    actor = play.match.seats[seat].actor
    assert actor is not None
    play.act(Seat(seat), actor, bot_action(play.match, Seat(seat), CHOOSE[actor]) if choose is None else choose)


def record_log(name: str) -> None:
    """Play a whole match of bots, with prescribed first actions for the first seat, and store its log."""
    title, _, file = name.partition("/")
    seats, seed, other, picks = LOGS[name]
    actors = (GREEDY.actor, *(BOTS[other].actor,) * (seats - 1))
    play = table_of_bots(TITLES[title], actors, {}, seeded_origins(seed), Table(public=False))
    for pick in picks:
        while seats_to_act(play.match)[0] != 0:
            act(play, seats_to_act(play.match)[0])
        (action,) = find_actions(legal_actions(play.match, 0), (pick,))
        act(play, 0, action)
    print(name, "stands at", play.match.version)
    (PACKAGE / title / "lessons").mkdir(exist_ok=True)
    write_log(PACKAGE / title / "lessons" / f"{file}.jsonl", play_to_end(play, CHOOSE).entries)


def main() -> None:
    if "--lines" not in sys.argv:
        for name in LOGS:
            record_log(name)
    for lesson in tutorials():
        play = practice_play(lesson)
        told = list(learn(play, lesson))
        write_log(LINES / f"{lesson.title}-{lesson.name}.jsonl", play.entries)
        (LINES / f"{lesson.title}-{lesson.name}.txt").write_text(transcript(told))


LINES: Final = Path(__file__).parent / "lines"

Told = tuple[int, Guidance]
"""The version of a match at the learner's turn, and the guide's message."""
Choose = Callable[[Match, Guidance], Any]


def all_lessons() -> tuple[Lesson, ...]:
    return tuple(lesson for title in TITLES for lesson in lessons_of(title).values())


def tutorials() -> tuple[Lesson, ...]:
    return tuple(lesson for lesson in all_lessons() if lesson.script.kind == "tutorial")


def practice_play(lesson: Lesson) -> InMemoryMatch:
    """Start the practice match with a fixed seed."""
    script, log = lesson.script, load_log(lesson.title, lesson.script.log)
    seats = len(fold(TITLES, log.entries).seats)
    return fork_log(
        log,
        at_version=script.at,
        luck="same",
        by=LEARNER,
        origins=seeded_origins(lesson.practice.encode()),
        titles=TITLES,
        seats=tuple(LEARNER if seat == script.seat else GENTLE.actor for seat in range(seats)),
        practice=lesson.practice,
    )


def bots_play(play: InMemoryMatch, lesson: Lesson) -> None:
    """Play the bots' and the service's actions until the learner's turn or the lesson's end."""
    while not play.match.is_over:
        others = [seat for seat in seats_to_act(play.match) if seat != lesson.script.seat]
        if not others:
            return
        if others[0] == SERVICE_SEAT:
            play.act(SERVICE_SEAT, SERVICE, legal_actions(play.match, SERVICE_SEAT)[0])
            continue
        seat, match = Seat(others[0]), play.match
        seen, left = view(match, seat), bot_actions(lesson, match, seat)
        play.act(seat, GENTLE.actor, GENTLE.choose(match.definition.rules, seen, left, bot_seed(match, seat)))


def greedily(match: Match, guidance: Guidance) -> Any:
    """Return the first suggested choice, or the greedy bot's action if everything is allowed."""
    seat = Seat(guidance.lesson.script.seat)
    if guidance.choices:
        return guidance.choices[0]
    return GREEDY.choose(match.definition.rules, view(match, seat), legal_actions(match, seat), bot_seed(match, seat))


def learn(play: InMemoryMatch, lesson: Lesson, choose: Choose = greedily) -> Iterator[Told]:
    """Play the lesson and yield the guide's message at each of the learner's turns, then the final one."""
    seat, last = Seat(lesson.script.seat), None
    while True:
        bots_play(play, lesson)
        guidance = guide(lesson, play.match, last)
        yield play.match.version, guidance
        if guidance.is_over:
            return
        action = choose(play.match, guidance)
        last = LastAction(play.match, action)
        play.act(seat, LEARNER, action)


def transcript(told: Sequence[Told]) -> str:
    """Format a lesson's messages, one per line: version, line, answer."""
    return "".join(f"{version} {said.line or said.standing} {said.answer or '-'}\n" for version, said in told)


if __name__ == "__main__":
    main()
