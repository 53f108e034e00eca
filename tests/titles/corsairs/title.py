"""Corsairs as a title."""

from typing import Final

from domain.kernel.messages import N_, Message
from domain.kernel.title import Habits, Title, checkbox
from tests.titles import corsairs

CORSAIRS: Final[Title[corsairs.State, corsairs.Action, corsairs.Effect, corsairs.View]] = Title(
    rules=corsairs,
    codec=corsairs.CODEC,
    printed_name="Corsairs",
    words=Message("The strongest ship takes the prize, the most careful admiral the treasure."),
    choices=(checkbox("rounds", "5", "3", Message("A short cruise")),),
    habits=Habits(
        choices={"corsairs.send_ship": lambda action: ("ship", str(action["strength"]), 1)},
        headings={"ship": N_("Ships sent")},
    ),
)
