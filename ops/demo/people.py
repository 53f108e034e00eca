"""People of the demo: accounts without sign-in, each with a token for the creation of the world."""

import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

import msgspec

from api.accounts.people import People
from domain.titles import TITLES
from ops.accounts import open_people
from ops.service_client import ServiceAddress, fetch
from projections.platform.settings import Settings
from workers.bots import BOTS

ACCOUNT_AGE: Final = timedelta(days=2)
"""Age of the accounts; matches of accounts younger than a day are not rated."""
BOT: Final = "greedy"
SEED_BYTES: Final = 32


class Player:
    """A client of a person; requests with the same key create an object once."""

    def __init__(self, service: ServiceAddress, name: str, person_id: str = "", token: str = "") -> None:
        self.name, self.id = name, person_id
        self.door = ServiceAddress(service.socket, token) if token else service

    def request(self, method: str, path: str, content: object = None, key: str = "") -> Any:
        """Send a request to the API and return the decoded response, None if empty.

        Requests with the same `key` create an object once. Raises `Finding` if it is refused.
        """
        body = None if content is None else msgspec.json.encode(content)
        response = fetch(self.door, method, f"/api{path}", body, key=key)
        return json.loads(response) if response else None

    def post(self, path: str, content: object, key: str = "") -> Any:
        """Send a POST request."""
        return self.request("POST", path, content, key)

    def match(self, match_id: str, version: int) -> Any:
        """Return the match at this version or later, since read models may lag."""
        return self.request("GET", f"/matches/{match_id}?atLeast={version}")


def create_players(settings: Settings, service: ServiceAddress, names: tuple[str, ...]) -> dict[str, Player]:
    """Create accounts with these names, two days old, and return a client of each by name.

    Raises `NameTaken` for an existing name.
    """
    at = datetime.now(UTC)
    with open_people(settings) as people:
        return {name: create_player(people, service, name, at) for name in names}


def create_player(people: People, service: ServiceAddress, name: str, at: datetime) -> Player:
    """Create an account and its token."""
    person = people.create(name, secrets.token_urlsafe(SEED_BYTES), at - ACCOUNT_AGE)
    return Player(service, name, person.id, people.access.issue_token(person, "demonstration", at)[1])


def take_turns(title: str, match_id: str, seated: Mapping[int, Player], random: Random, turns_max: int) -> int:
    """Choose like a bot while it is these players' turn, `turns_max` times at most; return the latest known version."""
    rules, codec = TITLES[title].rules, TITLES[title].codec
    version = 1
    for _ in range(turns_max):
        player, legal = find_turn(match_id, seated)
        version = legal["version"]
        if player is None:
            break
        view = msgspec.convert(player.match(match_id, version)["view"], codec.view)
        actions = tuple(msgspec.convert(each["action"], codec.action) for each in legal["actions"])
        action = BOTS[BOT].choose(rules, view, actions, random.randbytes(SEED_BYTES))
        content = {"expectedVersion": version, "action": action}
        version = player.post(f"/matches/{match_id}/actions", content)["version"]
    return int(version)


def find_turn(match_id: str, seated: Mapping[int, Player]) -> tuple[Player | None, Any]:
    """Return the first player by seat with legal actions, or None, and the latest response about legal actions."""
    legal = None
    for _, player in sorted(seated.items()):
        legal = player.request("GET", f"/matches/{match_id}/legal-actions")
        if legal["actions"]:
            return player, legal
    return None, legal
