"""Facts that did not happen, as somebody would like them to have happened at an entry of a log."""

from __future__ import annotations

from random import Random

from tests.transparency.logs import Body, Log


def inventions(log: Log, index: int, rng: Random) -> list[Body]:
    """What could be put in behind so many entries."""
    seats = log.body(0)["seats"]
    seat, who = rng.randrange(seats), rng.choice(log.people)
    fork = {"parent": log.entries[index - 1]["match"], "at": index, "luck": "same", "by": who}
    ruling = {"ruling": "r", "dispute": "d", "by": rng.choice(["arbiter", who]), "at": rng.choice([1, index + 9])}
    ruling |= {"rule": "4.2", "reasons": rng.choice(["x", " "])}
    result = {"scores": [9] * seats, "ranking": rng.choice([[1] * seats, [2] * seats])}
    back = {"seat": seat, "by": who, "toVersion": rng.randrange(1, index + 2)}
    policy = log.body(0)["table"]["timeOut"]
    return [
        {"type": "seat_taken", "seat": seat, "by": who, "shareBy": "service"},
        {"type": "seat_left", "seat": seat, "by": who},
        {"type": "seat_ready", "seat": seat, "by": who},
        {"type": "share_committed", "seat": seat, "by": who, "shareBy": "service"},
        {"type": "table_closed", "by": "service"},
        {"type": "resigned", "seat": seat, "by": who},
        {"type": "timed_out", "seat": seat, "by": "service", "policy": policy},
        {"type": "seat_replaced", "seat": seat, "by": who, "actor": rng.choice(log.people)},
        {"type": "pause_asked", "seat": seat, "by": who},
        {"type": "paused", "by": who},
        {"type": "resumed", "by": who},
        {"type": "voided", "by": who},
        {"type": "taken_back", **back},
        {"type": "match_ended", **result},
        {"type": "match_forked", **fork, "seats": [None] * rng.choice([seats, seats + 1]), "format": 2},
        {"type": "ruling_given", **ruling},
        {"type": "ruling_given", **ruling, "measures": [{"type": "result_set", **result}]},
        {"type": "ruling_given", **ruling, "appealOf": "q", "upheld": True},
        {"type": "ruling_given", **ruling, "measures": [{"type": "points_taken", "seat": seats, "points": 1}]},
    ]
