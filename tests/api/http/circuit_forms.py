"""The forms of circuits with their fields, for the walk over all forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EVENT_PATH: Final = "/events/00000000-0000-0000-0000-000000000000"
CIRCUITS: Final = "/circuits/{circuit_id:uuid}"
TERM: Final = {"terms.0.kind": "size", "terms.0.factor": "1", "terms.0.places": "1"}
COUNTED: Final = {"best": "2", "perTitle": "1", "participantsMin": "2", "resultsMin": "1", "tieBreaks": "wins"}
FINAL: Final = {"qualify": "2", "answerDays": "7"}
CIRCUIT: Final = {
    "name": "Tour",
    "text": "So",
    "table.0.size": "1",
    "table.0.points": "3 1",
    **TERM,
    **COUNTED,
    **FINAL,
}
CIRCUIT_FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    "/circuits": CIRCUIT,
    f"{CIRCUITS}/plan": {**CIRCUIT, "reason": "So"},
    f"{CIRCUITS}/desk/contests": {"contest": EVENT_PATH, "address": "none", "weight": "100"},
    f"{CIRCUITS}/desk/withdrawal": {"contest": EVENT_PATH, "reason": "So"},
    f"{CIRCUITS}/desk/final": {"contest": EVENT_PATH, "address": "none"},
    f"{CIRCUITS}/desk/standings": {"reason": "So"},
    f"{CIRCUITS}/desk/invitations": {},
}
