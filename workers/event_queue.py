"""The queue that gets the due steps of tournaments, leagues, circuits and ranking lists."""

from typing import Protocol
from uuid import UUID


class OrganisingQueue(Protocol):
    """The queue for steps of tournaments, leagues and circuits."""

    def tournament_step(self, event_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a tournament and return the job id."""
        ...

    def league_step(self, league_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a league and return the job id."""
        ...

    def circuit_step(self, circuit_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a circuit and return the job id."""
        ...

    def ranking_step(self, list_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a ranking list and return the job id."""
        ...
