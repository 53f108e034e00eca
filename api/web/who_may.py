"""Who may what: every operation of the API, who may use it, and more about it where that is not all.

The document of the API says it of each operation, and `docs/access.md` says it for readers; tests hold both against
this table, and walk all operations as everybody who has no part in what they are about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from api.accounts.access import Scope

WORDS: Final[Mapping[str, str]] = {
    "anybody": "also without signing in",
    "signed in": "a guest or an account; not somebody unknown (401)",
    "seat": "who sits at the table",
    "own": "whose thing it is",
    "official": "organisers and arbiters of this tournament or league, or of the service; operators",
    "service": "the service's own workers, by the private socket",
}
"""What the words of the table mean."""
ANYBODY: Final = "anybody"
WHO_MAY: Final[Mapping[str, tuple[str, str]]] = {
    "GET /api/health": ("anybody", ""),
    "GET /tlog/checkpoint": ("anybody", ""),
    "GET /tlog/tile/{level}/{path}": ("anybody", ""),
    "GET /api/transparency": ("anybody", ""),
    "GET /api/transparency/days": ("anybody", "private tables are counted too"),
    "GET /api/me": ("anybody", "says who asks"),
    "DELETE /api/me": ("signed in", "oneself"),
    "POST /api/me/password": ("signed in", "with the password there was"),
    "GET /api/me/sessions": ("signed in", "one's own"),
    "DELETE /api/me/sessions": ("signed in", "one's own"),
    "DELETE /api/me/sessions/{session_id}": ("own", ""),
    "GET /api/me/keys": ("signed in", "one's own"),
    "POST /api/me/keys": ("signed in", ""),
    "DELETE /api/me/keys/{key}": ("own", "its owner"),
    "GET /api/me/passkeys": ("signed in", "one's own"),
    "DELETE /api/me/passkeys/{passkey_id}": ("own", "not the last way in"),
    "GET /api/me/identities": ("signed in", "one's own"),
    "DELETE /api/me/identities/{identity_id}": ("own", "not the last way in"),
    "DELETE /api/accounts/{person_id}": ("service", "the console"),
    "POST /api/accounts": ("anybody", ""),
    "POST /api/tokens": ("anybody", "with name and password"),
    "GET /api/tokens": ("signed in", "one's own"),
    "DELETE /api/tokens/{token_id}": ("own", ""),
    "GET /api/matches": ("anybody", "public tables"),
    "POST /api/matches": ("signed in", ""),
    "GET /api/matches/{match_id}": ("anybody", ""),
    "GET /api/matches/{match_id}/at/{version}": (
        "anybody",
        "what a ruling replaced: its arbiters and those who sat there",
    ),
    "GET /api/matches/{match_id}/legal-actions": ("seat", ""),
    "POST /api/matches/{match_id}/actions": ("seat", ""),
    "GET /api/matches/{match_id}/entries": ("anybody", "as the reader may hold them"),
    "GET /api/matches/{match_id}/stream": ("anybody", "as the reader may hold them"),
    "POST /api/matches/{match_id}/seats": ("signed in", "a bot: who opened the table"),
    "DELETE /api/matches/{match_id}/seats/{seat}": ("seat", "or who opened the table, before the start"),
    "POST /api/matches/{match_id}/seats/{seat}/player": ("seat", "or, at an empty seat of a fork, whoever may look"),
    "POST /api/matches/{match_id}/share": ("seat", ""),
    "POST /api/matches/{match_id}/keys": ("seat", ""),
    "DELETE /api/matches/{match_id}/keys": ("seat", ""),
    "POST /api/matches/{match_id}/ready": ("seat", ""),
    "POST /api/matches/{match_id}/resignation": ("seat", ""),
    "POST /api/matches/{match_id}/take-backs": ("seat", ""),
    "POST /api/matches/{match_id}/pause": ("seat", "or arbiters"),
    "DELETE /api/matches/{match_id}/pause": ("seat", "or arbiters"),
    "GET /api/matches/{match_id}/log": (
        "anybody",
        "redacted for the reader; whole while it goes on: operators, recorded",
    ),
    "GET /api/matches/{match_id}/proof": ("anybody", "of the log as the reader may hold it"),
    "POST /api/logs": ("official", "operators"),
    "GET /api/matches/{match_id}/forks": ("anybody", "the lines that the reader may see"),
    "POST /api/matches/{match_id}/forks": ("signed in", "while it goes on: arbiters who do not sit there"),
    "POST /api/matches/{match_id}/invitations": ("seat", "or who opened the table"),
    "GET /api/matches/{match_id}/invitations": ("seat", "or who opened the table"),
    "DELETE /api/matches/{match_id}/invitations/{invitation}": ("seat", "or who opened the table"),
    "POST /api/invitations": ("signed in", "whoever has the secret"),
    "GET /api/matches/{match_id}/owed": ("service", ""),
    "POST /api/matches/{match_id}/owed": ("service", ""),
    "POST /api/matches/{match_id}/time-outs": ("service", ""),
    "POST /api/matches/{match_id}/deadlines": ("service", ""),
    "GET /api/roles": ("signed in", "one's own; all: organisers"),
    "POST /api/roles": ("official", "organisers, within their tournament or league"),
    "GET /api/audit": ("official", "organisers"),
    "GET /api/audit/file": ("official", "organisers of the service"),
    "GET /api/audit/records/{version}": ("official", "organisers"),
    "GET /api/matches/{match_id}/disputes": ("signed in", "those the reader has a part in"),
    "POST /api/matches/{match_id}/disputes": ("seat", ""),
    "GET /api/matches/{match_id}/rulings": ("anybody", ""),
    "GET /api/disputes": ("signed in", "those the reader has a part in"),
    "GET /api/disputes/{dispute_id}": ("official", "and the players of the match"),
    "DELETE /api/disputes/{dispute_id}": ("own", "who raised it"),
    "POST /api/disputes/{dispute_id}/arbiter": ("official", "arbiters"),
    "GET /api/disputes/{dispute_id}/position": ("official", "arbiters, recorded"),
    "POST /api/disputes/{dispute_id}/forks": ("official", "arbiters"),
    "POST /api/disputes/{dispute_id}/rulings": ("official", "arbiters"),
    "POST /api/disputes/{dispute_id}/appeal": ("own", "the players of the match"),
    "GET /api/studies": ("anybody", "public studies and one's own"),
    "POST /api/studies": ("signed in", ""),
    "GET /api/matches/{match_id}/annotations": ("anybody", "public studies and one's own"),
    "POST /api/matches/{match_id}/annotations": ("signed in", ""),
    "GET /api/studies/{study_id}": ("own", "its writers; a public or unlisted one: anybody who may look at its match"),
    "PATCH /api/studies/{study_id}": ("own", "its owner"),
    "POST /api/studies/{study_id}/comments": ("own", "its writers"),
    "DELETE /api/studies/{study_id}/comments/{number}": ("own", "its writers"),
    "POST /api/studies/{study_id}/marks": ("own", "its writers"),
    "POST /api/studies/{study_id}/variations": ("own", "its writers"),
    "DELETE /api/studies/{study_id}/variations/{number}": ("own", "its writers"),
    "GET /api/studies/{study_id}/position": ("own", "who may read it"),
    "GET /api/studies/{study_id}/file": ("own", "who may read it"),
    "GET /api/studies/{study_id}/report": ("own", "who may read it"),
    "GET /api/leagues": ("anybody", ""),
    "POST /api/leagues": ("signed in", ""),
    "GET /api/leagues/{league_id}": ("anybody", ""),
    "GET /api/leagues/{league_id}/seasons/{number}": ("anybody", ""),
    "GET /api/leagues/{league_id}/seasons/{number}/standings.csv": ("anybody", ""),
    "GET /api/leagues/{league_id}/seasons/{number}/files/{what}": ("anybody", ""),
    "POST /api/leagues/{league_id}/entries": ("signed in", "oneself; others: the organiser"),
    "DELETE /api/leagues/{league_id}/entries/{player}": ("own", "oneself; others: the organiser"),
    "GET /api/leagues/{league_id}/owed": ("service", ""),
    "POST /api/leagues/{league_id}/groups/{group}/rounds/{number}/tables/{table}/match": ("service", ""),
    "POST /api/leagues/{league_id}/plan": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/invitations": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/seasons": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/files/players": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/files/results": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/draw": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/rounds": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/deadlines": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/substitutes": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/rulings": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/results": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/close": ("official", "its organisers"),
    "POST /api/leagues/{league_id}/announcements": ("official", "its organisers"),
    "GET /api/rankings": ("anybody", ""),
    "GET /api/rankings/{title}/{seats}": ("anybody", ""),
    "GET /api/rankings/{title}/{seats}/list.csv": ("anybody", ""),
    "GET /api/players/{name}": ("anybody", "which private matches were rated: the player"),
    "GET /api/players/{name}/history.csv": ("anybody", "which private matches were rated: the player"),
    "GET /api/tournaments": ("anybody", ""),
    "POST /api/tournaments": ("signed in", ""),
    "GET /api/tournaments/{event_id}": ("anybody", "a round that is not published: its organisers"),
    "PUT /api/tournaments/{event_id}/plan": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/entries": ("signed in", "oneself; others: the organisers"),
    "POST /api/tournaments/{event_id}/entries/{entry}/withdrawal": ("own", "oneself; others: the organisers"),
    "POST /api/tournaments/{event_id}/entries/{entry}/return": ("own", "oneself; others: the organisers"),
    "POST /api/tournaments/{event_id}/invitations": ("official", "its organisers"),
    "PUT /api/tournaments/{event_id}/pairs": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/penalties": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/announcements": ("official", "its organisers"),
    "GET /api/tournaments/{event_id}/standings": ("anybody", ""),
    "GET /api/tournaments/{event_id}/proof": ("anybody", "with the matches as the reader may hold them"),
    "GET /api/tournaments/{event_id}/crosstable": ("anybody", ""),
    "GET /api/tournaments/{event_id}/files/{what}": ("anybody", ""),
    "POST /api/tournaments/{event_id}/files/{what}": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/pairings": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/rounds/{number}/swaps": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/rounds/{number}/moves": ("official", "its organisers"),
    "PUT /api/tournaments/{event_id}/rounds/{number}/locks": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/rounds/{number}/publication": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/rounds/{number}/no-shows": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/rounds/{number}/no-shows/{entry}/withdrawal": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/rounds/{number}/substitutes": ("official", "its organisers"),
    "PUT /api/tournaments/{event_id}/rounds/{number}/tables/{table}/result": ("official", "its organisers"),
    "PUT /api/tournaments/{event_id}/rounds/{number}/tables/{table}/ruling": ("official", "its organisers"),
    "POST /api/tournaments/{event_id}/rounds/{number}/closing": ("official", "its organisers"),
    "GET /api/tournaments/{event_id}/owed": ("service", ""),
    "POST /api/tournaments/{event_id}/pairing": ("service", ""),
    "POST /api/tournaments/{event_id}/rounds/{number}/tables/{table}/match": ("service", ""),
    "POST /api/tournaments/{event_id}/rounds/{number}/tables/{table}/start": ("service", ""),
    "POST /api/tournaments/{event_id}/steps": ("service", ""),
    "GET /api/metrics": ("service", ""),
}
"""Method and path as the document names them: one of the words, and more."""


def describe_words() -> str:
    """What the words mean, for the head of the document."""
    return "Who may: " + " ".join(f"*{word}*: {meaning}." for word, meaning in WORDS.items())


def say_who_may(operation: dict[str, Any], name: str, scopes: tuple[Scope, ...]) -> None:
    """Puts into a documented operation who may use it, and which scopes of a token are good for it: one is enough.
    Where anybody may, no token is needed."""
    who, more = WHO_MAY[name]
    told = f"Who may: {who}" + (f"; {more}." if more else ".")
    operation["description"] = f"{operation['description']}\n\n{told}" if operation.get("description") else told
    operation["x-who-may"] = {"who": who, "more": more} if more else {"who": who}
    tokens: list[dict[str, list[str]]] = [{"bearer": [scope]} for scope in scopes]
    operation["security"] = [{}, *tokens] if who == ANYBODY else tokens
