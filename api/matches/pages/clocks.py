"""The clocks offered in forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from domain.matches.facts import Clock

ClockName = Literal["none", "action-60", "match-600-20", "match-1500-30", "match-3600-60", "turn-86400", "turn-259200"]


CLOCKS: Final[Mapping[ClockName, Clock]] = {
    "none": Clock(),
    "action-60": Clock("per_move", 60),
    "match-600-20": Clock("increment", 600, 20),
    "match-1500-30": Clock("increment", 1500, 30),
    "match-3600-60": Clock("increment", 3600, 60),
    "turn-86400": Clock("correspondence", 86_400),
    "turn-259200": Clock("correspondence", 259_200),
}
"""The clocks offered in forms; the API accepts any clock."""
