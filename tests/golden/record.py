"""Record the golden logs of titles: `python -m tests.golden.record el_grande`, without a name for all titles.

`record format-3` records the logs of format 3. `record el_grande/empowerment el_grande/5-random-61` records only
these. `record --stale` records missing logs, and logs whose actions the rules now reject or decide differently.

Logs here have format 2; `format-1/` and `format-3/` hold the others, and those in `retired/` can only be displayed.
Logs are only recorded again for a change of the log format. A change that alters an audit raises the version of the
rules, and the logs of the earlier version stay.

Seeded matches are played until every action, effect and helper of a title has occurred. A small set that covers them
all is written, with a further match for every kind of fact that plain play does not cause.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from domain.kernel.chance import SeededChance
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.consequences import open_line
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.log_files import log_of, read_log, write_log
from domain.matches.play import commands
from domain.matches.play.in_memory import Choose, InMemoryMatch, fork_log, play_to_end, seeded_origins, table_of_bots
from domain.matches.seats import opening
from domain.matches.verification.verify import verify
from domain.titles import TITLES
from domain.titles.la_granja.actions import PlaceStall, PlayCard, RemoveStall, TakeBackMarker, UseHelper
from domain.titles.la_granja.agenda import HelperChoice, HelperOffer
from tests.golden.corners import CORNERS, find_corner_match, play_corrections, play_empowerment
from tests.golden.coverage import SCENES as GATHERING_SCENES
from tests.golden.coverage import TITLE_THINGS, things_of
from tests.golden.rulings import SCENES as RULED_SCENES
from tests.golden.rulings import SIGNED_SCENES, THIRD_FORMAT_SCENES
from workers.bots import BOTS

HERE: Final = Path(__file__).parent
CANDIDATES: Final = 400
RANDOM: Final = BOTS["random"]
GREEDY: Final = BOTS["greedy"]


def eager(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    """Play at random, but rarely choose the first action, which closes a step."""
    return RANDOM.choose(rules, view, legal[1:] or legal, seed)


def hoarder(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    """Lay fields and use every marker so that they run out (LG-0.9); then take markers back or give up."""
    if any(isinstance(each, TakeBackMarker) for each in legal):
        return legal[0] if seed[0] % 2 else RANDOM.choose(rules, view, legal, seed)
    state, seat = rules.imagine(view, SeededChance(seed)), view.seat
    worth: list[tuple[int, int]] = []
    for index, action in enumerate(legal):
        after = state
        for effect in rules.decide(state, seat, action, SeededChance(seed)):
            after = rules.evolve(after, effect)
        farm = after.farms[seat]
        worth.append((3 * farm.silver + 15 * len(farm.fields) - 10 * farm.markers, index))
    return legal[max(worth)[1]]


STYLES: Final[dict[str, Choose]] = {
    "random": RANDOM.choose,
    "eager": eager,
    "greedy": GREEDY.choose,
    "hoarder": hoarder,
}


TITLE_STYLES: Final[Mapping[str, tuple[str, ...]]] = {
    "el_grande": ("eager", "random", "eager", "eager", "greedy"),
    "la_granja": ("eager", "hoarder", "random", "eager", "hoarder", "greedy"),
}
TITLE_OPTIONS: Final[Mapping[str, tuple[dict[str, str], ...]]] = {
    "el_grande": (
        {"cards": "2006", "short": "yes"},
        {"cards": "2023", "veterans": "all", "shift_of_power": "yes", "start_seat": "1"},
        {"cards": "2006", "new_regency": "yes", "castillo": "open", "start_seat": "2"},
        {"cards": "2006", "merged_stacks": "yes", "start_seat": "0"},
        {"cards": "2023", "veterans": "all", "new_regency": "yes", "short": "yes", "start_seat": "3"},
        {"cards": "2006", "shift_of_power": "yes", "short": "yes", "start_seat": "4"},
        {"cards": "2023", "new_regency": "yes", "shift_of_power": "yes"},
    ),
    "la_granja": ({}, {"edition": "original"}, {"edition": "yucata"}, {}, {"edition": "bga"}),
}
"""The options of golden matches, used in rotation."""
SCENE_OPTIONS: Final[Mapping[str, dict[str, str]]] = {"el_grande": {"cards": "2006", "short": "yes"}, "la_granja": {}}


def candidate(title: str, number: int) -> tuple[str, tuple[Any, ...]]:
    """Return a seeded match and its name; the number determines style, options and number of seats."""
    styles, choices = TITLE_STYLES[title], TITLE_OPTIONS[title]
    style, chosen = styles[number % len(styles)], choices[number % len(choices)]
    options = TITLES[title].rules.options(chosen)
    seats = options.seats_min + number % (options.seats_max - options.seats_min + 1)
    name = f"{title}-{seats}-{style}-{number}"
    play = table_of_bots(TITLES[title], (RANDOM.actor,) * seats, chosen, seeded_origins(name.encode()))
    return name, play_to_end(play, {RANDOM.actor: STYLES[style]}).entries


def candidates(title: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield seeded matches of every style, choice of options and number of seats, by name."""
    return (candidate(title, number) for number in range(CANDIDATES))


def cover(title: str) -> dict[str, tuple[Any, ...]]:
    """Return a small set of matches that covers everything of the title and every number of seats."""
    wanted = TITLE_THINGS[title]()
    found: dict[str, tuple[set[str], tuple[Any, ...]]] = {}
    seen: set[str] = set()
    for name, entries in candidates(title):
        things = things_of(title, entries) & wanted
        if things - seen:
            found[name] = (things, entries)
            seen |= things
        if seen == wanted:
            break
    if seen != wanted:
        sys.stderr.write(f"{title}: never seen: {sorted(wanted - seen)}\n")
    chosen: dict[str, tuple[Any, ...]] = {}
    left = set(seen)
    while left:
        name = max(found, key=lambda each: (len(found[each][0] & left), -len(found[each][1])))
        chosen[name] = found[name][1]
        left -= found[name][0]
    return chosen


def table(title: str, seed: str, seats: int = 3, **wanted: Any) -> InMemoryMatch:
    bots, chosen = (RANDOM.actor,) * seats, SCENE_OPTIONS[title]
    return table_of_bots(TITLES[title], bots, chosen, seeded_origins(seed.encode()), Table(**wanted))


def with_a_change_of_mind(title: str, seed: str, **wanted: Any) -> InMemoryMatch:
    """Return a match of three in which a seat was taken, left and taken again before the start."""
    origins = seeded_origins(seed.encode())
    asked, chosen = Table(**wanted), SCENE_OPTIONS[title]
    fact = opening.open_match(TITLES[title], seats=3, options=chosen, table=asked, by="opener", seed=origins.seed)
    match, entries = open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(match, entries, origins)
    play.append(partial(opening.take_seat, seat=0, by="somebody"))
    play.append(partial(opening.leave_seat, seat=0, by="somebody"))
    for seat in range(3):
        play.append(partial(opening.take_seat, seat=seat, by=RANDOM.actor))
    return play


def rival(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    """Play well, but play the Rival Trader (58) whenever possible and place stalls for its effect."""
    for action in legal:
        is_laid = isinstance(action, PlayCard) and (action.card, action.side) == (58, "helper")
        if is_laid or isinstance(action, RemoveStall) or (isinstance(action, UseHelper) and action.card == 58):
            return action
    state = rules.imagine(view, SeededChance(seed))
    for action in legal:
        if isinstance(action, PlaceStall):
            after = state
            for effect in rules.decide(state, view.seat, action, SeededChance(seed)):
                after = rules.evolve(after, effect)
            if any(isinstance(task, HelperOffer | HelperChoice) for task in after.agenda):
                return action
    return GREEDY.choose(rules, view, legal, seed)


def rival_traders(title: str) -> InMemoryMatch:
    """Return the first match in which the Rival Trader removes a stall, which random play hardly reaches."""
    for number in range(CANDIDATES):
        play = table_of_bots(TITLES[title], (RANDOM.actor,) * 4, {}, seeded_origins(f"rival/{number}".encode()))
        play_to_end(play, {RANDOM.actor: rival})
        if f"action {RemoveStall.__name__}" in things_of(title, play.entries):
            return play
    raise AssertionError(f"no Rival Trader removes a stall in {CANDIDATES} matches")


def corner(_: str, name: str) -> InMemoryMatch:
    return find_corner_match(name)


def play_actions(play: InMemoryMatch, count: int) -> None:
    """Play `count` more actions."""
    for _ in range(count):
        seat = seats_to_act(play.match)[0]
        legal = legal_actions(play.match, seat)
        by = SERVICE if seat == SERVICE_SEAT else RANDOM.actor
        play.act(seat, by, legal[play.match.version % len(legal)])


def late(play: InMemoryMatch, bot: str | None = None) -> None:
    """Seat a person for the next seat to act and let its clock run out."""
    while (seat := seats_to_act(play.match)[0]) == SERVICE_SEAT:
        play_actions(play, 1)
    play.append(partial(commands.replace_seat, seat=seat, by=SERVICE, actor="somebody"))
    over = play.match.timestamp + timedelta(microseconds=play.match.clocks[seat].left)
    play.append(partial(commands.time_out, seat=seat, by=SERVICE, bot=bot, at=over), at=over)
    if play.match.seats[seat].actor == "somebody" and not play.match.seats[seat].resigned:
        play.append(partial(commands.replace_seat, seat=seat, by=SERVICE, actor=RANDOM.actor))


def play_resignations(title: str) -> InMemoryMatch:
    """Play until all seats but one have resigned."""
    play = table(title, "resigned")
    play_actions(play, 40)
    play.append(partial(commands.resign, seat=2, by=RANDOM.actor))
    play_actions(play, 20)
    play.append(partial(commands.resign, seat=0, by=RANDOM.actor))
    return play


def play_voided(title: str) -> InMemoryMatch:
    play = table(title, "voided", seats=2)
    play_actions(play, 10)
    play.append(partial(commands.void, by=SERVICE, reason="the table was opened by mistake"))
    return play


def play_interrupted(title: str) -> InMemoryMatch:
    """Play with a pause, take-backs, a bot as substitute and all three kinds of timeout, then to the end."""
    play = with_a_change_of_mind(title, "interrupted", clock=Clock("per_move", 60), time_out="skip")
    play_actions(play, 30)
    play.append(partial(commands.ask_pause, seat=1, by=RANDOM.actor))
    play.append(partial(commands.resume, by=SERVICE))
    while not (len(play.match.turn.marks) > 1 and seats_to_act(play.match)[0] == play.match.turn.seat):
        play_actions(play, 1)
    turn = play.match.turn
    assert turn.seat is not None
    play.append(partial(commands.take_back, seat=turn.seat, by=RANDOM.actor, to_version=turn.marks[0].version))
    late(play)
    play.append(partial(commands.replace_seat, seat=0, by=RANDOM.actor, actor=GREEDY.actor))
    play_to_end(play, {RANDOM.actor: RANDOM.choose, GREEDY.actor: GREEDY.choose})
    return play


def out_of_time(title: str, policy: str) -> InMemoryMatch:
    """Let a seat run out of time and apply the policy, then play to the end."""
    play = table(title, f"out of time, {policy}", clock=Clock("increment", 600, 10), time_out=policy)
    play_actions(play, 50)
    late(play, GREEDY.actor if policy == "bot" else None)
    play_to_end(play, {RANDOM.actor: RANDOM.choose, GREEDY.actor: GREEDY.choose})
    return play


def play_forked(title: str) -> InMemoryMatch:
    """Fork a match with fresh luck."""
    parent = table(title, "parent", seats=2)
    play_to_end(parent, {RANDOM.actor: RANDOM.choose})
    at_version, log = min(100, len(parent.entries) - 20), log_of(parent.entries)
    play = fork_log(
        log, at_version=at_version, luck="fresh", by=SERVICE, origins=seeded_origins(b"fork"), titles=TITLES
    )
    play_to_end(play, {RANDOM.actor: RANDOM.choose})
    return play


SCENES: Final[dict[str, Callable[[str], InMemoryMatch]]] = {
    "resigned": play_resignations,
    "voided": play_voided,
    "interrupted": play_interrupted,
    "out-of-time-bot": partial(out_of_time, policy="bot"),
    "out-of-time-resign": partial(out_of_time, policy="resign"),
    "forked": play_forked,
    **RULED_SCENES,
    **GATHERING_SCENES,
    **SIGNED_SCENES,
}
TITLE_SCENES: Final[Mapping[str, Mapping[str, Callable[[str], InMemoryMatch]]]] = {
    "el_grande": {**SCENES, "empowerment": play_empowerment, "corrected": play_corrections},
    "la_granja": {
        **SCENES,
        "rival-traders": rival_traders,
        **{name: partial(corner, name=name) for name in CORNERS},
    },
}
"""The scenes of each title.

`SCENES` play up to fifty actions first. A title with shorter matches needs separate scenes, among them a voided match,
one in which all but one resign, and a fork.
"""


THIRD_FORMAT: Final = ("interrupted", "out-of-time-bot", "ruled", "resumed", "forked", "voided", "signed", "own-luck")
"""The scenes that are also recorded in format 3, in addition to the scenes of its new facts."""


def record_third_format() -> None:
    """Record the logs of format 3 of every title."""
    for title in sorted(TITLE_THINGS):
        scenes = {name: TITLE_SCENES[title][name] for name in THIRD_FORMAT} | THIRD_FORMAT_SCENES
        for name, scene in scenes.items():
            write_log(HERE / "format-3" / f"{title}-{name}.jsonl", scene(title).entries)


def record_stale(title: str) -> None:
    """Record missing scenes, and again the matches whose logs do not verify."""
    for name in TITLE_SCENES[title]:
        if not (HERE / f"{title}-{name}.jsonl").exists():
            record_one(title, name)
            sys.stdout.write(f"recorded: {title}-{name}.jsonl\n")
    for path in HERE.glob(f"{title}-*.jsonl"):
        if verify(read_log(path)).fault is None:
            continue
        record_one(title, path.stem.removeprefix(f"{title}-"))
        sys.stdout.write(f"recorded again: {path.name}\n")


def record_one(title: str, name: str) -> None:
    """Record a single golden log; `name` is the file name without the title."""
    scene = TITLE_SCENES[title].get(name)
    entries = scene(title).entries if scene else candidate(title, int(name.rpartition("-")[2]))[1]
    write_log(HERE / f"{title}-{name}.jsonl", entries)


def main(names: list[str]) -> None:
    if names == ["format-3"]:
        record_third_format()
        return
    if "--stale" in names:
        for title in sorted({*names} & {*TITLE_THINGS} or TITLE_THINGS):
            record_stale(title)
        return
    for asked in names or sorted(TITLE_THINGS):
        title, _, wanted = asked.partition("/")
        if wanted:
            record_one(title, wanted)
            continue
        for old in HERE.glob(f"{title}-*.jsonl"):
            old.unlink()
        for name, entries in cover(title).items():
            write_log(HERE / f"{name}.jsonl", entries)
        for name, scene in TITLE_SCENES[title].items():
            write_log(HERE / f"{title}-{name}.jsonl", scene(title).entries)
    for path in sorted(HERE.glob("*.jsonl")):
        sys.stdout.write(f"{path.stat().st_size:>9,} {path.name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
