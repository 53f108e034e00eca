"""Rated outcomes and the players they count for, by the rules of `docs/play/fair-play.md`."""

from typing import Final

from domain.matches.facts import Actor
from domain.matches.rulings.outcome import Outcome
from domain.ratings.fairness import is_admissible, is_played
from domain.ratings.ladder import RatedResult, is_rateable
from domain.ratings.revised import list_of, provisional_in, revised_result
from domain.ratings.rules import UNRESTRICTED, Edition, RatingRules

AUTHORITY_FORMAT: Final = 3
"""Log format from which a ruling states the authority of its author."""


def counts(outcome: Outcome) -> bool:
    """Return whether the match ended, is rated and official, and is neither imported, forked nor void.

    A match in which the service took over a seat never counts.
    """
    is_over = outcome.status == "ended" and outcome.ranking is not None and outcome.ended_at is not None
    is_own = not (outcome.imported or outcome.forked or outcome.is_taken_over)
    return outcome.rated and is_own and is_over


def rated_players(outcome: Outcome, *, fair: bool) -> tuple[Actor | None, ...]:
    """Return the players by seat; by fair play the starters, and None for seats with a substitute."""
    if not fair:
        return outcome.players
    return tuple(None if starter.substituted else starter.actor for starter in outcome.began)


def is_playable(outcome: Outcome) -> bool:
    """Return whether the match counts by the first edition of the rules of fair play."""
    rounds = [starter.rounds for starter in outcome.began if not starter.substituted]
    return is_admissible(outcome) and is_played(rounds, ruled=outcome.ruled)


def result_of(outcome: Outcome, rules: RatingRules = UNRESTRICTED) -> RatedResult | None:
    """Return the result to rate, by the rules in force when the match started; None if the match is not rated.

    Before fair play all seats count; since then seats with a substitute are left out. The revised rules do so
    by `revised_result`.
    """
    edition = rules.edition(outcome.started_at)
    # Earlier formats do not state the authority of a ruling, on which the second edition relies.
    if edition is Edition.REVISED and outcome.format < AUTHORITY_FORMAT:
        edition = Edition.FAIR
    if edition is Edition.REVISED:
        return revised_result(outcome) if counts(outcome) else None
    fair = edition is Edition.FAIR
    if not counts(outcome) or (fair and not is_playable(outcome)):
        return None
    assert outcome.ranking is not None
    assert outcome.ended_at is not None
    players = rated_players(outcome, fair=fair)
    player_places = [
        (player, place) for player, place in zip(players, outcome.ranking, strict=True) if player is not None
    ]
    result = RatedResult(
        match_id=outcome.match_id,
        title=list_of(outcome),
        ended_at=outcome.ended_at,
        players=tuple(player for player, _ in player_places),
        places=tuple(place for _, place in player_places),
        public=outcome.public,
        fair=fair,
        provisional=provisional_in(outcome) if fair else (),
    )
    return result if is_rateable(result) else None
