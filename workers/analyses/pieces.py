"""A piece of an analysis as a job: fetches the log, looks at a range of entries, hands in what it found."""

from typing import Protocol
from uuid import UUID

from domain.analyses.report import STANDARD, Piece, budget_of
from domain.matches.log.file import parse_log
from workers.analyses.matches import analyse_piece
from workers.bots.evaluation import load_evaluations
from workers.matches.bot_turn import PLAYERS, Players


class AnalysisService(Protocol):
    """The service as this job knows it."""

    def read_log(self, match_id: str) -> bytes | None:
        """The log of an ended match, whole; `None` when it is gone."""
        ...

    def hand_in(self, match_id: str, head: str, first: int, piece: Piece) -> bool:
        """What was found among the entries from `first` on; whether it was still wanted."""
        ...


def analyse(
    service: AnalysisService,
    match_id: str,
    first: int,
    last: int,
    tries: int = STANDARD.tries,
    players: Players = PLAYERS,
) -> bool:
    """Safe to run twice: the same entries and budget give the same, and the first result stays."""
    content = service.read_log(match_id)
    if content is None:
        return False
    log = parse_log(content)
    evaluations = load_evaluations(players.titles)
    piece = analyse_piece(players.titles, evaluations, log.entries, first, last, budget_of(tries))
    return service.hand_in(match_id, log.header.head, first, piece)


def job_id_of(match_id: UUID, first: int, attempt: int) -> str:
    return f"analysis-{match_id}-{first}-{attempt}"
