"""Records what lessons begin in, and the golden lines through their tutorials: `python -m tests.lessons.record`.

The logs stand in the package, beside the scripts: they are recorded once, and never again while a script names them.
With `--lines` only the golden lines are recorded, which follow the scripts.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from domain.kernel.rules import HOUSE, Seat
from domain.lessons.positions import find_actions
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.facts import SERVICE, Table
from domain.matches.log.file import write_log
from domain.matches.play.in_memory import Play, bot_action, play_on, seed_luck, table_of_bots
from domain.titles import TITLES
from tests.lessons.playing import LINES, learn, practice_play, transcript, tutorials
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
"""Title and name of a log: seats, seed, who plays beside the first seat, and how that one begins."""


def act(play: Play, seat: int, choose: Any = None) -> None:
    """One action of a seat: the bot's, or what is given."""
    if seat == HOUSE:
        play.act(HOUSE, SERVICE, legal_actions(play.match, HOUSE)[0])
        return
    actor = play.match.seats[seat].actor
    assert actor is not None
    play.act(Seat(seat), actor, bot_action(play.match, Seat(seat), CHOOSE[actor]) if choose is None else choose)


def record_log(name: str) -> None:
    """The whole match, of bots; the first seat begins as the lessons need it."""
    title, _, file = name.partition("/")
    seats, seed, other, picks = LOGS[name]
    actors = (GREEDY.actor, *(BOTS[other].actor,) * (seats - 1))
    play = table_of_bots(TITLES[title], actors, {}, seed_luck(seed), Table(public=False))
    for pick in picks:
        while seats_to_act(play.match)[0] != 0:
            act(play, seats_to_act(play.match)[0])
        (action,) = find_actions(legal_actions(play.match, 0), (pick,))
        act(play, 0, action)
    print(name, "stands at", play.match.version)
    (PACKAGE / title / "lessons").mkdir(exist_ok=True)
    write_log(PACKAGE / title / "lessons" / f"{file}.jsonl", play_on(play, CHOOSE).entries)


def main() -> None:
    if "--lines" not in sys.argv:
        for name in LOGS:
            record_log(name)
    for lesson in tutorials():
        play = practice_play(lesson)
        told = list(learn(play, lesson))
        write_log(LINES / f"{lesson.title}-{lesson.name}.jsonl", play.entries)
        (LINES / f"{lesson.title}-{lesson.name}.txt").write_text(transcript(told))


if __name__ == "__main__":
    main()
