"""Substitutes whom organisers name for places of a running season."""

from collections.abc import Sequence

from domain.leagues import facts
from domain.leagues.admission import require_new
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited
from domain.leagues.plan import LeagueRefused
from domain.leagues.season_state import LeagueGroup
from domain.leagues.seasons import group_of, running_season
from domain.leagues.standings import plan_of
from domain.leagues.state import League
from domain.matches.facts import Actor, is_bot
from domain.matches.seats.acceptance import needs_acceptance


def substitute(
    league: League,
    by: Actor,
    number: int,
    replaced: Actor,
    actor: Actor,
    from_round: int,
    reason: str,
    *,
    place: int | None = None,
) -> facts.SubstituteNamed | PlayerInvited:
    """Name the player of a place from an unopened round on; the account of another person is invited.

    An account that `returns_freely` is not invited. `place` is the index of the place, needed only if `replaced` is a
    bot with several.

    Raise `LeagueRefused` if the season is not running, `replaced` does not hold the place, or the round is open or
    unknown; or if the player holds another place of the season, was invited already or has declined, or is a bot that
    the plan does not name.
    """
    season = running_season(league)
    group = group_of(season, number)
    place_index = place_held(group, number, replaced, place)
    if not is_bot(actor) and season.of_actor(actor) is not None:
        raise LeagueRefused(f"{actor} already has a place in this season and cannot play for another player")
    if is_bot(actor) and actor != plan_of(league, season).bot:
        raise LeagueRefused(f"{actor} cannot be a substitute in this league")
    if not season.rounds_opened < from_round <= season.rounds:
        raise LeagueRefused(
            f"a substitute starts in a round that is not open yet, {season.rounds_opened + 1} to {season.rounds}, "
            f"not {from_round}"
        )
    if needs_acceptance(by, actor) and not returns_freely(league, group, place_index, actor):
        to = InvitedTo(season.number, number, place_index, from_round)
        return require_new(league, PlayerInvited(by, actor, to, reason=reason))
    return facts.SubstituteNamed(by, number, place_index, actor, from_round, reason)


def returns_freely(league: League, group: LeagueGroup, place_index: int, actor: Actor) -> bool:
    """Return whether an account gets its own place back without a new acceptance.

    It must have entered the season itself and not left it since.
    """
    is_own = group.places[place_index].first == actor and actor not in group.gone
    return is_own and league.has_accepted(actor, len(league.seasons))


def place_held(group: LeagueGroup, number: int, actor: Actor, place: int | None) -> int:
    """Return the index of the place that a player holds in a group; `place` chooses between several.

    Raise `LeagueRefused` if the player does not hold it, or holds several and `place` is None.
    """
    held = [at for at, each in enumerate(group.places) if each.actor == actor]
    if not held:
        raise LeagueRefused(f"{actor} has no place in group {number + 1}")
    if place is not None and place not in held:
        raise LeagueRefused(f"{actor} does not hold place {place + 1} of group {number + 1}")
    if place is None and len(held) > 1:
        raise LeagueRefused(f"{actor} holds {name_places(held)} of group {number + 1}: name the place")
    return held[0] if place is None else place


def name_places(places: Sequence[int]) -> str:
    """Return places by number, as in `places 2 and 4`."""
    *first, last = [str(each + 1) for each in places]
    return f"places {', '.join(first)} and {last}"
