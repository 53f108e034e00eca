"""Disputes about tables of a simulated league, and the rulings of its arbiter."""

from datetime import timedelta
from itertools import cycle
from typing import Any, Final

from ops.leagues.simulation.people import Player
from ops.leagues.simulation.service import SimulatedService
from ops.leagues.simulation.tables import TAKEN_OVER, PlayedMatch, SimulatedTable

RULED_AFTER: Final = timedelta(hours=20)
"""The time from a dispute to its ruling, shorter than the limit of a day."""
OUTCOMES: Final = ("dismissed", "points taken", "result set", "withdrawn", "voided")
"""The outcomes of disputes, in turn."""


class Disputes:
    """The disputes of a year; the arbiter is the only person who decides anything."""

    def __init__(self, service: SimulatedService, arbiter_token: str) -> None:
        self.raised = 0
        self.ruled = 0
        self.withdrawn = 0
        self.disputed = set[str]()
        """Ids of matches with an open dispute."""
        self._service = service
        self._token = arbiter_token
        self._outcomes = cycle(OUTCOMES)

    def open(self, player: Player, table: SimulatedTable) -> str | None:
        """Dispute the last entry of a table as its player; return the id of the dispute.

        Return None if a bot has taken the player's seat.
        """
        match = table.read(self._service)
        content = {"entry": match.version, "reason": "I think that the points were counted wrong."}
        answer = self._service.send("POST", f"/matches/{table.match_id}/disputes", player.token, content)
        if answer.status in TAKEN_OVER:
            return None
        assert answer.status == 201, answer.body
        self.raised += 1
        self.disputed.add(table.match_id)
        return str(answer.content["id"])

    def settle(self, dispute_id: str, player: Player, table: SimulatedTable) -> None:
        """Rule on a dispute as the arbiter, or withdraw it as its player."""
        outcome = next(self._outcomes)
        self.disputed.discard(table.match_id)
        if outcome == "withdrawn":
            self._service.ask("DELETE", f"/disputes/{dispute_id}", player.token)
            self.withdrawn += 1
            return
        measures = measures_of(outcome, table.read(self._service))
        ruling = {"rule": "EG-10", "reasons": f"After a check of the log: {outcome}.", "measures": measures}
        self._service.ask("POST", f"/disputes/{dispute_id}/rulings", self._token, ruling)
        self.ruled += 1


def measures_of(outcome: str, match: PlayedMatch) -> list[dict[str, Any]]:
    """Return the measures of a ruling about an ended match."""
    if outcome == "points taken":
        return [{"type": "points_taken", "seat": 0, "points": 3}]
    if outcome == "result set":
        scores = [*match.scores[1:], match.scores[0]]
        ranking = [1 + sum(other > score for other in scores) for score in scores]
        return [{"type": "result_set", "scores": scores, "ranking": ranking}]
    return [{"type": "match_voided"}] if outcome == "voided" else []
