"""A whole service that plays bots' matches, while parts of it are killed."""

from collections import Counter
from pathlib import Path

from tests.workers.serving import Client, Serving, serving


def bots_playing(client: Client, bots: tuple[str, ...] = ("greedy", "greedy", "random", "random")) -> str:
    """A match of bots that has started."""
    match_id: str = client.post("/matches", {"title": "la_granja", "seats": len(bots)})["matchId"]
    for seat, bot in enumerate(bots):
        client.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": bot})
    return match_id


def test_four_bots_play_a_whole_match_through_the_workers(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        client = service.player()
        match_id = bots_playing(client)

        match = client.wait_for_end(match_id)

        assert match["status"] == "ended"
        assert sorted(match["ranking"])[0] == 1
