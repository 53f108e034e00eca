"""The job that analyses a range of entries: loads the log, evaluates the range, submits the result."""

from typing import Protocol
from uuid import UUID

from domain.analyses.report import STANDARD, Piece, budget_of
from domain.matches.log.log_files import parse_log
from workers.analyses.matches import analyse_piece
from workers.bots.evaluation import load_evaluations
from workers.matches.bot_turn import PLAYERS, Players


class AnalysisService(Protocol):
    """The part of the service's interface that the job uses."""

    def read_log(self, match_id: str) -> bytes | None:
        """Return the complete log of an ended match, or None if it no longer exists."""
        ...

    def hand_in(self, match_id: str, head: str, first: int, piece: Piece) -> bool:
        """Submit the result of the entries from `first` on; return whether it was still wanted."""
        ...


def analyse(
    service: AnalysisService,
    match_id: str,
    first: int,
    last: int,
    tries: int = STANDARD.tries,
    players: Players = PLAYERS,
) -> bool:
    """Analyse a range of a log and submit the result; return False if the log is gone or the result unwanted.

    Idempotent: the same entries and budget give the same result, and the first submission stays.
    """
    content = service.read_log(match_id)
    if content is None:
        return False
    log = parse_log(content)
    evaluations = load_evaluations(players.titles)
    piece = analyse_piece(players.titles, evaluations, log.entries, first, last, budget_of(tries))
    return service.hand_in(match_id, log.header.head, first, piece)


def job_id_of(match_id: UUID, first: int, attempt: int) -> str:
    """Return the id of the job for an attempt at a piece."""
    return f"analysis-{match_id}-{first}-{attempt}"
