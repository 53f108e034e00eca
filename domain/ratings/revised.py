"""The second edition of the rules of rating (docs/play/fair-play.md): a result needs rounds of play."""

from typing import Literal

from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.matches.rulings.outcome import Outcome, StarterRounds
from domain.ratings.fairness import ROUNDS_MIN, is_admissible
from domain.ratings.ladder import PROGRAMS, RatedResult, is_rateable

Part = Literal["played", "left", "short", "none"]
"""The role of a seat in the rating.

`played`: its starter acted in enough rounds; `left`: the starter left before that, or ended the match by resigning
while another was short of rounds; `short`: the match ended before that; `none`: the seat is not rated.
"""


def part_of(starter: StarterRounds) -> Part:
    """Return the role of a seat in the rating: "played", "left", "short" or "none".

    "none": no player, a substitute, or a player who never joined. "played": `ROUNDS_MIN` rounds or more, even
    if they left then; fewer are "left" or, to the end, "short".
    """
    if starter.actor is None or starter.substituted or starter.never_came:
        return "none"
    if starter.rounds >= ROUNDS_MIN:
        return "played"
    return "left" if starter.left else "short"


def revised_result(outcome: Outcome) -> RatedResult | None:
    """Return the result of an ended match by the second edition; None if it is not rated.

    Not rated are matches in which several stayed and one of them played too few rounds, unless the service
    settled it.
    """
    if not is_admissible(outcome):
        return None
    parts = [part_of(starter) for starter in outcome.began]
    if outcome.settled_by_service:
        parts = ["none" if part == "none" else "played" for part in parts]
    if "short" in parts and ended_by_leaving(outcome):
        parts = ["left" if part == "played" and seat in outcome.resigned else part for seat, part in enumerate(parts)]
    staying_seats = [seat for seat, part in enumerate(parts) if part in ("played", "short")]
    # If all other players have left, the remaining one is not compared with anyone, so rounds do not matter.
    if "short" in parts and len(staying_seats) > 1:
        return None
    leaving_seats = [seat for seat, part in enumerate(parts) if part == "left"]
    result = result_among(outcome, staying_seats, leaving_seats)
    return result if staying_seats and is_rateable(result) else None


def ended_by_leaving(outcome: Outcome) -> bool:
    """Return whether the match ended because every seat but one resigned, by choice or by a timeout."""
    return len(outcome.resigned) >= len(outcome.began) - 1


def result_among(outcome: Outcome, staying_seats: list[int], leaving_seats: list[int]) -> RatedResult:
    """Return the result of the seats that stayed, in order, followed by the seats that left, all on the last place.

    Seats handed over to a bot by choice are last among the seats that stayed. If only leavers are affected, it
    counts without weights.
    """
    ranking, starters = outcome.adjusted_places, outcome.began
    assert ranking is not None
    assert outcome.ended_at is not None
    places = [1 + sum(ranking[other] < ranking[seat] for other in staying_seats) for seat in staying_seats]
    actors = [starters[seat].actor or "" for seat in (*staying_seats, *leaving_seats)]
    result = RatedResult(
        match_id=outcome.match_id,
        title=list_of(outcome),
        ended_at=outcome.ended_at,
        players=tuple(actors),
        places=(*places, *[len(staying_seats) + 1] * len(leaving_seats)),
        public=outcome.public,
        fair=True,
        provisional=provisional_in(outcome),
        left=tuple(actors[len(staying_seats) :]),
        seats=len(starters),
    )
    # Weights limit gains. Without a possible gain the loss counts in full, and the match is no meeting.
    return replace(result, fair=False, provisional=()) if result.affects_only_leavers else result


def list_of(outcome: Outcome) -> str:
    """Return the title of the lists on which a match counts; matches started with a bot account have separate lists."""
    has_program = any(starter.standing == "bot" for starter in outcome.began)
    return outcome.title + PROGRAMS if has_program else outcome.title


def provisional_in(outcome: Outcome) -> tuple[Actor, ...]:
    """Return the players whose accounts were too new when the match started."""
    return tuple(starter.actor for starter in outcome.began if starter.actor and starter.standing == "provisional")
