"""The HTTP client of workers: a few requests to the service, by private socket or web hosts, with the service token."""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from typing import Final, Protocol

import msgspec

from domain.analyses.report import VERSION, Piece
from domain.hints import Advice, HintTask, Kind
from domain.kernel.values import Value
from workers.failover_http import FailoverClient, tls_context
from workers.settings import WorkerSettings
from workers.unix_http import Response, UnixClient

ANSWER_SECONDS_MAX: Final = 1.5
"""Timeout in seconds; shorter than the job's, so that a silent service fails the job with a clear reason."""
TOURNAMENT_ANSWER_SECONDS_MAX: Final = 30.0
"""Timeout of requests about tournaments, which are rare and may be slow (standings of a thousand players)."""
TOO_LATE: Final = frozenset({404, 409})
"""Another process was faster, or the match is over or deleted: nothing is left to do."""


class ServiceRefused(Exception):
    """An unexpected refusal of a request by the service; the message has its reason."""


class MatchDuty(Value, frozen=True):
    """The next decision that the service must take in a match; none if `seat` is None."""

    match_id: str
    title: str
    version: int
    head: str
    seat: int | None
    by: str | None = None
    actions: tuple[msgspec.Raw, ...] = ()
    view: msgspec.Raw = msgspec.Raw(b"null")
    seed: str | None = None


class TableLeft(Value, frozen=True):
    """A table at which bots play on: its address within the event, its match, and whether their time is over."""

    address: str
    match: str
    is_late: bool


class TournamentDuty(Value, frozen=True):
    """The next step of a tournament, or an empty `step`.

    `problem` is set if a round is to be paired; bots play on at the tables `with_bots`.
    """

    event_id: str
    version: int
    step: str
    round: int = 0
    tables: int = 0
    way: str = ""
    problem: msgspec.Raw = msgspec.Raw(b"null")
    with_bots: tuple[TableLeft, ...] = ()


class LeagueTable(Value, frozen=True):
    """A table of a league; all numbers count from 1."""

    group: int
    round: int
    table: int


class LeagueDuty(Value, frozen=True):
    """The next step of a league, or an empty `step`; `tables` are the next to open, not always all."""

    league_id: str
    version: int
    step: str
    tables: tuple[LeagueTable, ...] = ()
    with_bots: tuple[TableLeft, ...] = ()


class MatchService(Protocol):
    """The part of the service's interface that jobs of matches use."""

    def read_duty(self, match_id: str) -> MatchDuty | None:
        """Return the service's duty in this match, or None if the match does not exist."""
        ...

    def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> MatchDuty | None:
        """Take an action as the service; return its next duty, or None if the action was too late."""
        ...

    def time_out(self, match_id: str, version: int, seat: int) -> bool:
        """Report that the seat's clock ran out; return whether the report took effect."""
        ...

    def pass_deadline(self, match_id: str, version: int) -> bool:
        """Report that a waiting match reached its deadline; return False if the report was too late."""
        ...


class OrganisingService(Protocol):
    """The part of the service's interface that jobs of tournaments, leagues and circuits use."""

    def read_tournament_duty(self, event_id: str) -> TournamentDuty | None:
        """Return the next step of a tournament, or None if it does not exist."""
        ...

    def post_to_tournament(self, path: str, payload: object) -> bool:
        """Post to a tournament; return False if the request was too late."""
        ...

    def read_league_duty(self, league_id: str) -> LeagueDuty | None:
        """Return the next step of a league, or None if it does not exist."""
        ...

    def post_to_league(self, path: str, payload: object) -> bool:
        """Post to a league; return False if the request was too late."""
        ...

    def post_to_circuit(self, path: str, payload: object) -> bool:
        """Post to a circuit; return False if the request was too late."""
        ...

    def read_log(self, match_id: str) -> bytes | None:
        """Return the complete log of an ended match, or None if it no longer exists."""
        ...


class RankingSteps(Protocol):
    """The part of the service's interface that jobs of ranking lists use."""

    def take_ranking_step(self, list_id: str, payload: object) -> bool:
        """Take a step of a ranking list; return False if the request was too early or too late."""
        ...


class RequestSender(Protocol):
    """A client that sends requests to the service."""

    def request(self, method: str, path: str, body: bytes | None = None) -> Response:
        """Send a request and return its response."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


def build_clients(private: WorkerSettings) -> tuple[RequestSender, RequestSender]:
    """Create a client for jobs of matches and, with a longer time limit, one for jobs of tournaments.

    They use the web hosts named in the settings, else the private socket.
    """
    timeouts = (ANSWER_SECONDS_MAX, TOURNAMENT_ANSWER_SECONDS_MAX)
    if private.services:
        context = tls_context(private)
        quick, patient = (FailoverClient(private.services, private.token, seconds, context) for seconds in timeouts)
        return quick, patient
    assert private.socket is not None
    return UnixClient(private.socket, private.token, timeouts[0]), UnixClient(
        private.socket, private.token, timeouts[1]
    )


class ServiceClient:
    """A client of the service over persistent connections; not thread-safe."""

    def __init__(self, quick: RequestSender, patient: RequestSender) -> None:
        self._client = quick
        self._patient_client = patient

    @classmethod
    def by_socket(cls, path: Path, token: str, timeout: float = ANSWER_SECONDS_MAX) -> ServiceClient:
        """Create a client of the service on this machine."""
        return cls(UnixClient(path, token, timeout), UnixClient(path, token, TOURNAMENT_ANSWER_SECONDS_MAX))

    def read_duty(self, match_id: str) -> MatchDuty | None:
        """Return the service's duty in this match, or None if the match does not exist."""
        response = self._request("GET", f"/api/matches/{match_id}/owed")
        return msgspec.json.decode(response.body, type=MatchDuty) if self._is_accepted(response) else None

    def act(self, match_id: str, version: int, seat: int, action: msgspec.Raw) -> MatchDuty | None:
        """Take an action as the service; return the match's next duty, or None if the action was too late.

        Raise `ServiceRefused` for any other refusal.
        """
        payload = {"expectedVersion": version, "seat": seat, "action": action}
        response = self._request("POST", f"/api/matches/{match_id}/owed", payload)
        return msgspec.json.decode(response.body, type=MatchDuty) if self._is_accepted(response) else None

    def time_out(self, match_id: str, version: int, seat: int) -> bool:
        """Report that the seat's clock ran out; return whether the report took effect."""
        payload = {"expectedVersion": version, "seat": seat}
        return self._is_accepted(self._request("POST", f"/api/matches/{match_id}/time-outs", payload))

    def pass_deadline(self, match_id: str, version: int) -> bool:
        """Report that a waiting match reached its deadline; return False if the report was too late.

        Raise `ServiceRefused` for any other refusal.
        """
        return self._is_accepted(
            self._request("POST", f"/api/matches/{match_id}/deadlines", {"expectedVersion": version})
        )

    def read_tournament_duty(self, event_id: str) -> TournamentDuty | None:
        """Return the next step of a tournament, or None if it does not exist."""
        response = self._request("GET", f"/api/tournaments/{event_id}/owed", sender=self._patient_client)
        return msgspec.json.decode(response.body, type=TournamentDuty) if self._is_accepted(response) else None

    def post_to_tournament(self, path: str, payload: object) -> bool:
        """Post to a tournament; return False if the request was too late."""
        return self._is_accepted(self._request("POST", f"/api/tournaments/{path}", payload, self._patient_client))

    def read_league_duty(self, league_id: str) -> LeagueDuty | None:
        """Return the next step of a league, or None if it does not exist."""
        response = self._request("GET", f"/api/leagues/{league_id}/owed", sender=self._patient_client)
        return msgspec.json.decode(response.body, type=LeagueDuty) if self._is_accepted(response) else None

    def post_to_league(self, path: str, payload: object) -> bool:
        """Post to a league; return False if the request was too late."""
        return self._is_accepted(self._request("POST", f"/api/leagues/{path}", payload, self._patient_client))

    def take_ranking_step(self, list_id: str, payload: object) -> bool:
        """Take a step of a ranking list; return False if the request was too early or too late."""
        return self._is_accepted(self._request("POST", f"/api/rankings/steps/{list_id}", payload, self._patient_client))

    def post_to_circuit(self, path: str, payload: object) -> bool:
        """Post to a circuit; return False if the request was too late."""
        return self._is_accepted(self._request("POST", f"/api/circuits/{path}", payload, self._patient_client))

    def apply_holidays(self) -> int:
        """Bring holidays to the tables that do not have them yet; return the number of changed tables."""
        response = self._request("POST", "/api/holidays/due", sender=self._patient_client)
        return int(msgspec.json.decode(response.body)["tables"]) if self._is_accepted(response) else 0

    def read_log(self, match_id: str) -> bytes | None:
        """Return the complete log of an ended match, or None if it no longer exists."""
        response = self._request("GET", f"/api/matches/{match_id}/log", sender=self._patient_client)
        return response.body if self._is_accepted(response) else None

    def hand_in(self, match_id: str, head: str, first: int, piece: Piece) -> bool:
        """Submit a piece of an analysis; return False if it is no longer wanted.

        Raise `ServiceRefused` for any other refusal.
        """
        payload = {"head": head, "first": first, "version": VERSION, "piece": msgspec.json.encode(piece).decode()}
        return self._is_accepted(
            self._request("POST", f"/api/matches/{match_id}/analysis/pieces", payload, self._patient_client)
        )

    def read_hint_task(self, match_id: str, version: int, kind: Kind) -> HintTask | None:
        """Return the position that a hint is wanted for, or None if it is no longer wanted."""
        response = self._request("GET", f"/api/matches/{match_id}/hints/{version}/{kind}", sender=self._patient_client)
        return msgspec.json.decode(response.body, type=HintTask) if self._is_accepted(response) else None

    def hand_in_hint(self, match_id: str, version: int, kind: Kind, advice: Advice) -> bool:
        """Submit a hint; return False if it is no longer wanted. Raise `ServiceRefused` for any other refusal."""
        path, payload = (
            f"/api/matches/{match_id}/hints/{version}/{kind}",
            {"advice": msgspec.json.encode(advice).decode()},
        )
        return self._is_accepted(self._request("POST", path, payload, self._patient_client))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
        self._patient_client.close()

    @staticmethod
    def _is_accepted(response: Response) -> bool:
        """Return False for a response that the request was too late; raise `ServiceRefused` for any other refusal."""
        if response.status in TOO_LATE:
            return False
        if response.is_refusal:
            raise ServiceRefused(
                f"the service responded with {response.status}: {response.body.decode(errors='replace')}"
            )
        return True

    def _request(self, method: str, path: str, payload: object = None, sender: RequestSender | None = None) -> Response:
        """Send a request, once more if the connection was closed.

        Requests are safe to repeat, because each names the version it applies to.
        """
        body = None if payload is None else msgspec.json.encode(payload)
        client = sender or self._client
        try:
            return client.request(method, path, body)
        except (HTTPException, ConnectionError):
            return client.request(method, path, body)
