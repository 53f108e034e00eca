"""A worker that stops before it hands in a piece of an analysis, so that it can be killed there; loaded by a process of
its own, and therefore small."""

from multiprocessing.connection import Connection

from domain.analyses.report import Piece
from workers.analyses.pieces import analyse


class Waiting:
    """The service as the worker knows it: the log is handed out, and what was found is never taken."""

    def __init__(self, pipe: Connection, log: bytes) -> None:
        self._pipe, self._log = pipe, log

    def read_log(self, _match_id: str) -> bytes:
        self._pipe.send("at work")
        return self._log

    def hand_in(self, _match_id: str, _head: str, _first: int, _piece: Piece) -> bool:
        self._pipe.recv()
        return False


def work_slowly(pipe: Connection, log: bytes, match_id: str, first: int, last: int, tries: int) -> None:
    """What a worker does, in a process of its own; it says when it is at work."""
    analyse(Waiting(pipe, log), match_id, first, last, tries)
