"""What the Rival Trader asks is said in words; the position is one of a golden match, because random play has none."""

from pathlib import Path

from domain import la_granja
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.la_granja.actions import RemoveStall
from domain.match.apply import fold
from domain.match.facts import ActionTaken
from domain.match.file import read_log
from domain.match.registry import GAMES

LOG = Path(__file__).parent.parent.parent / "golden" / "la_granja-rival-traders.jsonl"


def test_removing_a_rivals_stall_names_its_owner_and_its_place() -> None:
    """LG-10.5: what may be declined must be understood."""
    entries = read_log(LOG).entries
    facts = [GAMES["la_granja"].read(entry) for entry in entries]
    at, seat, action = next(
        (index, Seat(fact.seat), fact.action)
        for index, fact in enumerate(facts)
        if isinstance(fact, ActionTaken) and isinstance(fact.action, RemoveStall)
    )
    before = fold(GAMES, entries[:at])

    said = say(la_granja.describe(la_granja.view(before.state, seat), action))

    assert said.startswith("Remove the marker of Player ")
