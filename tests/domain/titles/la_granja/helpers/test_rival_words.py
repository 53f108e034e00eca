"""Description of the Rival Trader's choice, in a golden match because random play does not reach it."""

from pathlib import Path

from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.matches.apply import fold
from domain.matches.facts import ActionTaken
from domain.matches.log.log_files import read_log
from domain.matches.titles import read_fact
from domain.titles import TITLES, la_granja
from domain.titles.la_granja.actions import RemoveStall

LOG = Path(__file__).parents[4] / "golden" / "la_granja-rival-traders.jsonl"


def test_removing_a_rival_s_stall_names_its_owner_and_space() -> None:
    """LG-10.5: an offer that can be declined must be understandable."""
    entries = read_log(LOG).entries
    facts = [read_fact(TITLES["la_granja"], entry) for entry in entries]
    at, seat, action = next(
        (index, Seat(fact.seat), fact.action)
        for index, fact in enumerate(facts)
        if isinstance(fact, ActionTaken) and isinstance(fact.action, RemoveStall)
    )
    before = fold(TITLES, entries[:at])

    sentence = say(la_granja.describe(la_granja.view(before.state, seat), action))

    assert sentence.startswith("Remove the marker of Player ")
