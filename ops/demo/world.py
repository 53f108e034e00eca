"""The demo's world, created while the service is already running and played by bots.

python -m ops.demo.world FOLDER
"""

import os
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from ops.console import NEGATIVE, SUCCESS, Finding
from ops.demo.folder import DEMO_FAILED, DEMO_READY, DemoMark, write_mark
from ops.demo.people import Player, create_players, take_turns
from ops.service_client import find_address
from ops.stores import wait_until_followed
from ops.tournaments.simulate import plan_of, simulate
from projections.platform.settings import Settings

SEED: Final = 1999
"""The seed of the service's chance, of pairings and of all choices."""
NAMES: Final = ("Marta", "Vera", "Tomeu", "Arnau", "Olena")
CLOCK: Final = {"kind": "per_move", "seconds": 86_400}
TABLE: Final = {"public": True, "rated": True, "clock": CLOCK}
BEFORE_DISPUTE: Final = 14
TURNS_MAX: Final = 2_000


def make_world(settings: Settings) -> None:
    """Create people, roles, tournaments, a disputed match with a study, and a league, on the running service.

    Raises `Finding` if no service runs or an event fails.
    """
    address = find_address(settings.data)
    if address is None:
        raise Finding(f"no service is running on {settings.data}")
    people = create_players(settings, address, NAMES)
    marta, vera, tomeu, arnau, olena = (people[name] for name in NAMES)
    service = Player(address, "")
    for person, role in ((marta, "organiser"), (arnau, "arbiter"), (olena, "annotator")):
        service.post("/roles", {"person": person.id, "role": role})
    with ThreadPoolExecutor(1) as executor:
        # Workers play the tournaments of bots while this process plays for people.
        events = executor.submit(play_events, marta)
        annotate(olena, play_disputed(vera, tomeu, arnau))
        events.result()
    begin_league(marta, vera, tomeu)


def play_events(marta: Player) -> None:
    """Play a tournament of each title."""
    play_tournament(marta, "el_grande", "Autumn tournament", ("greedy", "random"), 4, 2)
    play_tournament(marta, "la_granja", "Harvest cup", ("greedy", "random"), 2, 1)


def play_disputed(vera: Player, tomeu: Player, arnau: Player) -> tuple[str, int]:
    """Play a match of two with a dispute, a ruling and a continuation to its end; return its id and last version.

    Raises `Finding` if it does not end.
    """
    seated, random = {0: vera, 1: tomeu}, Random(SEED)
    content = {"title": "el_grande", "seats": 2, "table": {**TABLE, "pauseOnDispute": True}}
    match_id: str = vera.post("/matches", content, "demonstration")["matchId"]
    for seat, player in seated.items():
        player.post(f"/matches/{match_id}/seats", {"seat": seat})
    for player in seated.values():
        player.post(f"/matches/{match_id}/ready", {})
    version = take_turns("el_grande", match_id, seated, random, BEFORE_DISPUTE)
    reason = "I meant the next region: the page had not shown the last action yet when I chose."
    dispute = vera.post(f"/matches/{match_id}/disputes", {"entry": version, "reason": reason})
    arnau.post(f"/disputes/{dispute['id']}/arbiter", {})
    ruling = {
        "rule": "Tournament rules: a completed action is final",
        "reasons": "The log shows that the position was visible when the action was chosen. The action stands; both"
        " players should check the board before they choose.",
        "measures": [{"type": "seat_warned", "seat": 0}],
    }
    arnau.post(f"/disputes/{dispute['id']}/rulings", ruling)
    last = take_turns("el_grande", match_id, seated, random, TURNS_MAX)
    if vera.match(match_id, last)["status"] != "ended":
        raise Finding(f"match {match_id} is stuck at entry {last}: no seat to act")
    return match_id, last


def annotate(olena: Player, match: tuple[str, int]) -> None:
    """Create a public study with comments and marks on the match, given by its id and last version."""
    match_id, last = match
    content = {"title": "A match between two careful openings", "visibility": "public"}
    study = olena.post(f"/matches/{match_id}/annotations", content)["id"]
    comments: dict[int, tuple[str, str]] = {
        last // 6: ("interesting", "The first caballeros go to the regions that still score **twice**."),
        last // 3: ("good", "A low power card now saves the high ones for the last rounds."),
        last // 2: ("doubtful", "This spreads the caballeros too thin: one short in every region."),
        last - last // 6: ("brilliant", "The last intrigue decides the match: compare the scores before and after."),
    }
    for entry, (glyph, text) in comments.items():
        olena.post(f"/studies/{study}/comments", {"entry": entry, "text": text})
        olena.post(f"/studies/{study}/marks", {"entry": entry, "glyphs": [glyph]})


def begin_league(marta: Player, vera: Player, tomeu: Player) -> None:
    """Start a league's season of two bots and two people, with its groups drawn and the first round open."""
    plan: dict[str, Any] = {"name": "Winter league", "title": "el_grande", "size": 2, "roundDays": 14}
    plan["divisions"] = [{"name": "First division", "groups": 1, "places": 4}]
    league = marta.post("/leagues", {"plan": plan}, "demonstration")["leagueId"]
    path = f"/leagues/{league}"
    marta.post(f"{path}/seasons", {"name": f"Season {datetime.now(UTC).year}"})
    for bot in ("bot:greedy@2", "bot:random@1"):
        marta.post(f"{path}/entries", {"player": bot})
    for player in (vera, tomeu):
        player.post(f"{path}/entries", {})
    marta.post(f"{path}/draw", {})
    marta.post(f"{path}/rounds", {})


def play_tournament(marta: Player, title: str, name: str, bots: tuple[str, ...], players: int, rounds: int) -> None:
    """Play a Swiss tournament of bots at tables of two; raise `Finding` if results are lost or doubled."""
    plan = plan_of(title, rounds, 2, {}, SEED, name) | {"table": TABLE}
    report = simulate(marta.door, plan, bots, players)
    if report.lost or report.doubled:
        raise Finding("; ".join((*report.lost, *report.doubled)))


def main(folder: str) -> int:
    """Create the world, wait until the read models have it, and mark the folder as complete.

    Returns `SUCCESS`, or `NEGATIVE` after any error; either is reported on stderr, because the process has no terminal.
    """
    settings = msgspec.structs.replace(Settings.from_environment(os.environ), data=Path(folder))
    try:
        make_world(settings)
        wait_until_followed(settings)
        write_mark(settings.data, DemoMark(is_whole=True))
    except Finding as fault:
        sys.stderr.write(f"{DEMO_FAILED}: {fault}\n")
        return NEGATIVE
    except Exception as fault:
        traceback.print_exc()
        sys.stderr.write(f"{DEMO_FAILED}: {type(fault).__name__}: {fault}\n")
        return NEGATIVE
    sys.stderr.write(f"{DEMO_READY}: events, a league, a study, a ruling and ratings.\n")
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
