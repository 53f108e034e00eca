"""Path parameters of operations that unrelated callers try, and results that do not exist in these tests."""

from typing import Final

RANKING_RULE: Final = {"name": "Cup", "results": {"title": "la_granja"}}
PLACES: Final = {
    "version": "5",
    "number": "1",
    "group": "1",
    "table": "1",
    "seat": "1",
    "seats": "2",
    "what": "players",
    "level": "0",
    "path": "000",
    "device": "0",
    "lesson": "market",
    "size": "large",
    "month": "2026-11",
    "list_id": "00000000-0000-0000-0000-000000000008",
    "photo": "00000000-0000-0000-0000-000000000007",
}
NOT_THERE_YET: Final = frozenset(
    {
        "GET /api/leagues/{league_id}/seasons/{number}/standings.csv",
        "GET /api/leagues/{league_id}/seasons/{number}/files/{what}",
        *(
            f"GET /api/rankings/lists/{{key}}{path}"
            for path in ("", "/calibration", "/files/{what}", "/lines", "/months/{month}/recount", "/players/{name}")
        ),
        "GET /api/rankings/{title}/{seats}",
        "GET /api/rankings/{title}/{seats}/list.csv",
        "GET /api/players/{name}",
        "GET /api/players/{name}/history.csv",
        "GET /api/tournaments/{event_id}/photos/{photo}/{size}",
        *(f"GET /tlog/{what}" for what in ("checkpoint", "keys", "policy", "service.json", "tile/{level}/{path}")),
    }
)
"""Public operations whose result does not exist in this test, so they answer 404."""
