"""What workers ask of the service: few requests over its private socket or at its doors, with the service token."""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from typing import Final, Protocol

import msgspec

from domain.analyses.report import VERSION, Piece
from domain.hints import Advice, HintTask, Kind
from domain.kernel.values import Value
from workers.door_http import DoorClients, client_context
from workers.private import Private
from workers.unix_http import Answer, UnixClient

ANSWER_SECONDS_MAX: Final = 1.5
"""Shorter than a job may take, so that a silent service fails the job with a clear reason."""
TOURNAMENT_ANSWER_SECONDS_MAX: Final = 30.0
"""Tournaments are asked for seldom, and some answers take their time: the standings of a thousand are in them."""
TOO_LATE: Final = frozenset({404, 409})
"""Somebody was faster, or the match is over or gone: nothing is owed any more."""


class ServiceRefused(Exception):
    """The service refused what it should have accepted; the answer says why."""


class Owed(Value, frozen=True):
    """The next decision the service itself owes in a match; without a seat, none."""

    match_id: str
    title: str
    version: int
    head: str
    seat: int | None
    by: str | None = None
    actions: tuple[msgspec.Raw, ...] = ()
    view: msgspec.Raw = msgspec.Raw(b"null")
    seed: str | None = None


class TournamentOwed(Value, frozen=True):
    """What a tournament waits for; the empty word: nothing. `problem` is there when a round is to be paired."""

    event_id: str
    version: int
    step: str
    round: int = 0
    tables: int = 0
    way: str = ""
    problem: msgspec.Raw = msgspec.Raw(b"null")


class TableAt(Value, frozen=True):
    """A table of a league, all numbers from 1."""

    group: int
    round: int
    table: int


class LeagueOwed(Value, frozen=True):
    """What a league waits for; the empty word: nothing. `tables`: the next that are to be opened, not always all."""

    league_id: str
    version: int
    step: str
    tables: tuple[TableAt, ...] = ()


class MatchService(Protocol):
    """The service as the jobs of a match know it."""

    def read_duty(self, match_id: str) -> Owed | None:
        """What the service owes in this match; `None` when there is no such match."""
        ...

    def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> Owed | None:
        """Takes the action as the service; what it owes next, or `None` when the action came too late."""
        ...

    def time_out(self, match_id: str, version: int, seat: int) -> bool:
        """Says that the seat's clock ran out; whether this request was the one that counted."""
        ...

    def pass_deadline(self, match_id: str, version: int) -> bool:
        """Says that the match has waited long enough; whether it did not come too late."""
        ...


class OrganisingService(Protocol):
    """The service as the jobs of tournaments and leagues know it."""

    def read_tournament_duty(self, event_id: str) -> TournamentOwed | None:
        """What a tournament waits for; `None` when there is no such tournament."""
        ...

    def post_to_tournament(self, path: str, wanted: object) -> bool:
        """Tells a tournament something; whether it was taken, and did not come too late."""
        ...

    def read_league_duty(self, league_id: str) -> LeagueOwed | None:
        """What a league waits for; `None` when there is no such league."""
        ...

    def post_to_league(self, path: str, wanted: object) -> bool:
        """The same as `post_to_tournament`, for a league."""
        ...


class Asks(Protocol):
    """A way to the service."""

    def request(self, method: str, path: str, body: bytes | None = None) -> Answer: ...

    def close(self) -> None: ...


def ways_to(private: Private) -> tuple[Asks, Asks]:
    """One for the jobs of matches, and one for those of tournaments: by the doors of the web hosts where the settings
    name them, else by the private socket."""
    waits = (ANSWER_SECONDS_MAX, TOURNAMENT_ANSWER_SECONDS_MAX)
    if private.services:
        context = client_context(private)
        quick, patient = (DoorClients(private.services, private.token, seconds, context) for seconds in waits)
        return quick, patient
    assert private.socket is not None
    return UnixClient(private.socket, private.token, waits[0]), UnixClient(private.socket, private.token, waits[1])


class ServiceClient:
    """The service over kept connections; not for several threads."""

    def __init__(self, quick: Asks, patient: Asks) -> None:
        self._client = quick
        self._patient = patient

    @classmethod
    def by_socket(cls, path: Path, token: str, timeout: float = ANSWER_SECONDS_MAX) -> ServiceClient:
        """The service of this machine."""
        return cls(UnixClient(path, token, timeout), UnixClient(path, token, TOURNAMENT_ANSWER_SECONDS_MAX))

    def read_duty(self, match_id: str) -> Owed | None:
        answer = self._ask("GET", f"/api/matches/{match_id}/owed")
        return msgspec.json.decode(answer.body, type=Owed) if self._is_fine(answer) else None

    def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> Owed | None:
        wanted = {"expectedVersion": version, "seat": seat, "action": action}
        answer = self._ask("POST", f"/api/matches/{match_id}/owed", wanted)
        return msgspec.json.decode(answer.body, type=Owed) if self._is_fine(answer) else None

    def time_out(self, match_id: str, version: int, seat: int) -> bool:
        wanted = {"expectedVersion": version, "seat": seat}
        return self._is_fine(self._ask("POST", f"/api/matches/{match_id}/time-outs", wanted))

    def pass_deadline(self, match_id: str, version: int) -> bool:
        return self._is_fine(self._ask("POST", f"/api/matches/{match_id}/deadlines", {"expectedVersion": version}))

    def read_tournament_duty(self, event_id: str) -> TournamentOwed | None:
        answer = self._ask("GET", f"/api/tournaments/{event_id}/owed", on=self._patient)
        return msgspec.json.decode(answer.body, type=TournamentOwed) if self._is_fine(answer) else None

    def post_to_tournament(self, path: str, wanted: object) -> bool:
        return self._is_fine(self._ask("POST", f"/api/tournaments/{path}", wanted, self._patient))

    def read_league_duty(self, league_id: str) -> LeagueOwed | None:
        answer = self._ask("GET", f"/api/leagues/{league_id}/owed", on=self._patient)
        return msgspec.json.decode(answer.body, type=LeagueOwed) if self._is_fine(answer) else None

    def post_to_league(self, path: str, wanted: object) -> bool:
        return self._is_fine(self._ask("POST", f"/api/leagues/{path}", wanted, self._patient))

    def read_log(self, match_id: str) -> bytes | None:
        answer = self._ask("GET", f"/api/matches/{match_id}/log", on=self._patient)
        return answer.body if self._is_fine(answer) else None

    def hand_in(self, match_id: str, head: str, first: int, piece: Piece) -> bool:
        wanted = {"head": head, "first": first, "version": VERSION, "piece": msgspec.json.encode(piece).decode()}
        return self._is_fine(self._ask("POST", f"/api/matches/{match_id}/analysis/pieces", wanted, self._patient))

    def read_hint_task(self, match_id: str, version: int, kind: Kind) -> HintTask | None:
        answer = self._ask("GET", f"/api/matches/{match_id}/hints/{version}/{kind}", on=self._patient)
        return msgspec.json.decode(answer.body, type=HintTask) if self._is_fine(answer) else None

    def hand_in_hint(self, match_id: str, version: int, kind: Kind, advice: Advice) -> bool:
        path, wanted = (
            f"/api/matches/{match_id}/hints/{version}/{kind}",
            {"advice": msgspec.json.encode(advice).decode()},
        )
        return self._is_fine(self._ask("POST", path, wanted, self._patient))

    def close(self) -> None:
        self._client.close()
        self._patient.close()

    @staticmethod
    def _is_fine(answer: Answer) -> bool:
        if answer.status in TOO_LATE:
            return False
        if answer.is_refusal:
            raise ServiceRefused(f"the service answered {answer.status}: {answer.body.decode(errors='replace')}")
        return True

    def _ask(self, method: str, path: str, wanted: object = None, on: Asks | None = None) -> Answer:
        """One request. A kept connection may have been closed meanwhile, so a failed one is asked a second time:
        every request is safe to repeat, because it names the version it is meant for."""
        body = None if wanted is None else msgspec.json.encode(wanted)
        client = on or self._client
        try:
            return client.request(method, path, body)
        except (HTTPException, ConnectionError):
            return client.request(method, path, body)
