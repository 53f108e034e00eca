"""Lessons in memory: a practice match, its bots, and a learner who does what the guide says."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from domain.kernel.rules import HOUSE, Seat
from domain.lessons.guiding import Guidance, LastAction, guide, left_to_bot
from domain.lessons.script import Lesson, lessons_of, load_log
from domain.matches.aggregate import Match, bot_seed, legal_actions, seats_to_act, view
from domain.matches.apply import fold
from domain.matches.facts import SERVICE
from domain.matches.play.in_memory import Play, fork_log, seed_luck
from domain.titles import TITLES
from workers.bots import BOTS

LINES: Final = Path(__file__).parent / "lines"
LEARNER: Final = "anna"
GENTLE: Final = BOTS["gentle"]
GREEDY: Final = BOTS["greedy"]

Told = tuple[int, Guidance]
"""The version of a match at the learner's turn, and what the guide says there."""
Choose = Callable[[Match, Guidance], Any]


def all_lessons() -> tuple[Lesson, ...]:
    return tuple(lesson for title in TITLES for lesson in lessons_of(title).values())


def tutorials() -> tuple[Lesson, ...]:
    return tuple(lesson for lesson in all_lessons() if lesson.script.kind == "tutorial")


def practice_play(lesson: Lesson) -> Play:
    """The practice match as it begins, always the same."""
    script, log = lesson.script, load_log(lesson.title, lesson.script.log)
    seats = len(fold(TITLES, log.entries).seats)
    return fork_log(
        log,
        at_version=script.at,
        luck="same",
        by=LEARNER,
        origins=seed_luck(lesson.practice.encode()),
        titles=TITLES,
        seats=tuple(LEARNER if seat == script.seat else GENTLE.actor for seat in range(seats)),
        practice=lesson.practice,
    )


def bots_play(play: Play, lesson: Lesson) -> None:
    """What is not the learner's to do, until it is the learner's turn or the lesson is over."""
    while not play.match.is_over:
        others = [seat for seat in seats_to_act(play.match) if seat != lesson.script.seat]
        if not others:
            return
        if others[0] == HOUSE:
            play.act(HOUSE, SERVICE, legal_actions(play.match, HOUSE)[0])
            continue
        seat, match = Seat(others[0]), play.match
        seen, left = view(match, seat), left_to_bot(lesson, match, seat)
        play.act(seat, GENTLE.actor, GENTLE.choose(match.definition.rules, seen, left, bot_seed(match, seat)))


def greedily(match: Match, guidance: Guidance) -> Any:
    """The first of the choices; where everything may be chosen, what the greedy bot would."""
    seat = Seat(guidance.lesson.script.seat)
    if guidance.choices:
        return guidance.choices[0]
    return GREEDY.choose(match.definition.rules, view(match, seat), legal_actions(match, seat), bot_seed(match, seat))


def learn(play: Play, lesson: Lesson, choose: Choose = greedily) -> Iterator[Told]:
    """The learner's turns in order, until the lesson is over; what is said at its end comes last."""
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
    """What was said when, one line each: version, line, answer."""
    return "".join(f"{version} {said.line or said.standing} {said.answer or '-'}\n" for version, said in told)
