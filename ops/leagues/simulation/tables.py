"""Tables of a simulated league, as their players play them through the API."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

import msgspec

from ops.leagues.simulation.people import Player
from ops.leagues.simulation.service import SimulatedService

WITH_ACTIONS: Final = MappingProxyType({"Prefer": "return=representation"})
ACTIONS_PER_SEAT: Final = 20
"""The actions of a seat in a day, after which the players of a table continue on the next one."""
TAKEN_OVER: Final = frozenset({403, 409})
"""The status of an action of a player whose seat a bot has taken."""


class LegalActions(msgspec.Struct, rename="camel"):
    """The legal actions of the caller's seat."""

    version: int
    actions: list[Any]


class PlayedMatch(msgspec.Struct, rename="camel"):
    """The parts of a match that a player needs to continue it."""

    status: str
    version: int
    to_act: list[int]
    scores: list[int]
    ranking: list[int] | None = None
    legal_actions: LegalActions | None = None


MATCH: Final = msgspec.json.Decoder(PlayedMatch)
LEGAL: Final = msgspec.json.Decoder(LegalActions)


class SimulatedTable:
    """A table of a round; `seats` are its people by seat, without bots."""

    def __init__(self, match_id: str, seats: Mapping[int, Player], seed: str) -> None:
        self.match_id = match_id
        self.seats = seats
        self.is_over = False
        self.actions_taken = 0
        self._path = f"/matches/{match_id}"
        self._random = Random(f"{seed}/{match_id}")

    def get_ready(self, service: SimulatedService, player: Player) -> None:
        """Confirm a player's seat if the player is available."""
        if player.is_available(service.clock()):
            service.send("POST", f"{self._path}/ready", player.token, {})

    def read(self, service: SimulatedService) -> PlayedMatch:
        """Return the match as spectators see it."""
        return MATCH.decode(service.send("GET", self._path, "").body)

    def play(self, service: SimulatedService) -> None:
        """Play on for a day: until a player who is away or slow must act, or the match is over.

        A slow player takes a single action.
        """
        match, legal = self.read(service), None
        actions_left = dict.fromkeys(self.seats, ACTIONS_PER_SEAT)
        actions_left |= {seat: 1 for seat, player in self.seats.items() if player.is_slow}
        seat = None
        while match.status == "running" and (acting := self._next_seat(service, match, actions_left)) is not None:
            if legal is None or acting != seat or not legal.actions:
                seat, legal = acting, self._read_legal_actions(service, acting)
            if not legal.actions:
                break
            actions_left[acting] -= 1
            answer = self._act(service, acting, legal)
            if answer is None:
                break
            match, legal = answer, answer.legal_actions
        self.is_over = match.status in {"ended", "void"}

    def _next_seat(self, service: SimulatedService, match: PlayedMatch, left: Mapping[int, int]) -> int | None:
        """Return the first seat to act whose player is available and has actions left today."""
        at = service.clock()
        for seat in match.to_act:
            if left.get(seat, 0) > 0 and self.seats[seat].is_available(at):
                return seat
        return None

    def _read_legal_actions(self, service: SimulatedService, seat: int) -> LegalActions:
        answer = service.send("GET", f"{self._path}/legal-actions", self.seats[seat].token)
        return LEGAL.decode(answer.body) if answer.status == 200 else LegalActions(0, [])

    def _act(self, service: SimulatedService, seat: int, legal: LegalActions) -> PlayedMatch | None:
        """Take a random action; return the match after it, or None if a bot has taken the seat over."""
        action = self._random.choice(legal.actions)["action"]
        content = {"expectedVersion": legal.version, "action": action}
        answer = service.send("POST", f"{self._path}/actions", self.seats[seat].token, content, WITH_ACTIONS)
        if answer.status in TAKEN_OVER:
            return None
        assert answer.status == 201, answer.body
        self.actions_taken += 1
        return MATCH.decode(answer.body)
