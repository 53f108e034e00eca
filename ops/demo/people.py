"""People of the demonstration: accounts nobody can sign in to, each with a token for what makes the world."""

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
from ops.door import ServiceAddress, ask
from projections.platform.settings import Settings
from workers.bots import BOTS

LIVED: Final = timedelta(days=2)
"""The matches of accounts younger than a day are not rated."""
CHOOSES: Final = "greedy"
SEED_BYTES: Final = 32


class Player:
    """Somebody who asks the service for things. What is created under a key is created once."""

    def __init__(self, door: ServiceAddress, name: str, person_id: str = "", token: str = "") -> None:
        self.name, self.id = name, person_id
        self.door = ServiceAddress(door.socket, token) if token else door

    def ask(self, method: str, path: str, wanted: object = None, key: str = "") -> Any:
        body = None if wanted is None else msgspec.json.encode(wanted)
        answer = ask(self.door, method, f"/api{path}", body, key=key)
        return json.loads(answer) if answer else None

    def post(self, path: str, wanted: object, key: str = "") -> Any:
        return self.ask("POST", path, wanted, key)

    def match(self, match_id: str, version: int) -> Any:
        """The match as it is after this entry, or a later one: what is read elsewhere may lag behind."""
        return self.ask("GET", f"/matches/{match_id}?atLeast={version}")


def move_in(settings: Settings, door: ServiceAddress, names: tuple[str, ...]) -> dict[str, Player]:
    """Accounts of these names."""
    at = datetime.now(UTC)
    with open_people(settings) as people:
        return {name: settled(people, door, name, at) for name in names}


def settled(people: People, door: ServiceAddress, name: str, at: datetime) -> Player:
    person = people.create(name, secrets.token_urlsafe(SEED_BYTES), at - LIVED)
    return Player(door, name, person.id, people.access.issue_token(person, "demonstration", at)[1])


def take_turns(title: str, match_id: str, seated: Mapping[int, Player], random: Random, turns_max: int) -> int:
    """They choose as a bot does, so often at the most, for as long as it is their turn; the last entry then."""
    rules, codec = TITLES[title].rules, TITLES[title].codec
    version = 1
    for _ in range(turns_max):
        player, legal = find_turn(match_id, seated)
        version = legal["version"]
        if player is None:
            break
        view = msgspec.convert(player.match(match_id, version)["view"], codec.view)
        actions = tuple(msgspec.convert(each["action"], codec.action) for each in legal["actions"])
        action = BOTS[CHOOSES].choose(rules, view, actions, random.randbytes(SEED_BYTES))
        wanted = {"expectedVersion": version, "action": action}
        version = player.post(f"/matches/{match_id}/actions", wanted)["version"]
    return int(version)


def find_turn(match_id: str, seated: Mapping[int, Player]) -> tuple[Player | None, Any]:
    """The first who has something to choose, and what; nobody where nobody has."""
    legal = None
    for _, player in sorted(seated.items()):
        legal = player.ask("GET", f"/matches/{match_id}/legal-actions")
        if legal["actions"]:
            return player, legal
    return None, legal
