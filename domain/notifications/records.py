"""Notifications about records of tournaments, leagues, clubs and disputes, and their recipients.

Records that name their recipients need no look-up.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.clubs import facts as club_facts
from domain.clubs.state import Club
from domain.contests.alternates import PlaceOffered
from domain.disputes import facts as dispute_facts
from domain.leagues import contest_facts as league_shared
from domain.leagues import facts as league_facts
from domain.leagues.duties import undecided_tables
from domain.leagues.invitation_facts import PlayerInvited
from domain.leagues.state import League
from domain.matches.facts import Actor, is_bot
from domain.notifications.kinds import Kind
from domain.tournaments import contest_facts as tournament_shared
from domain.tournaments import facts as tournament_facts
from domain.tournaments.deadline_facts import DeadlineExtended
from domain.tournaments.invitation_facts import PersonInvited
from domain.tournaments.state import Tournament


class RecordNotification(msgspec.Struct, frozen=True):
    """A notification about a record.

    `what`: the sentence to use; `number`: the round, table or place; `people`: the recipients named in the record.
    """

    kind: Kind
    what: str
    number: int = 0
    people: tuple[Actor, ...] = ()


NotificationRule = Callable[[Any], RecordNotification | None]


def notify_announcement(fact: tournament_facts.Announced) -> RecordNotification | None:
    """Notify of an announcement, unless it is scheduled for later."""
    return RecordNotification("reminder", "announced") if fact.since is None else None


def notify_substitute(fact: tournament_facts.SubstituteNamed) -> RecordNotification | None:
    """Notify a substitute named by someone else."""
    is_news = fact.actor not in {"", fact.by}
    return RecordNotification("invitation", "substitute", fact.round, (fact.actor,)) if is_news else None


def notify_invitation(fact: PersonInvited) -> RecordNotification:
    """Notify an account of an invitation."""
    subject = "seat" if fact.round else "tournament"
    return RecordNotification("invitation", subject, fact.round, (fact.actor,))


def notify_league_invitation(fact: PlayerInvited) -> RecordNotification:
    """Notify an account of an invitation to a league."""
    subject = "seat" if fact.to.from_round else "league"
    return RecordNotification("invitation", subject, fact.to.from_round, (fact.actor,))


def notify_league_substitute(fact: league_facts.SubstituteNamed) -> RecordNotification | None:
    """Return an "invitation" notification to a substitute of a league named by someone else; None otherwise."""
    return (
        None
        if fact.actor == fact.by
        else RecordNotification("invitation", "substitute", fact.from_round, (fact.actor,))
    )


def notify_new_member(fact: club_facts.MemberJoined) -> RecordNotification | None:
    """Notify a person whose request to a club was accepted; a person who joins needs no notification."""
    is_news = fact.by != fact.actor
    return RecordNotification("invitation", "club_joined", people=(fact.actor,)) if is_news else None


def notify_club_role(fact: club_facts.RoleGiven) -> RecordNotification | None:
    """Notify a new organiser of a club."""
    is_news = fact.role == "organiser"
    return RecordNotification("invitation", "club_organiser", people=(fact.actor,)) if is_news else None


def notify_owner(fact: club_facts.ClubHandedOver | club_facts.OwnerSucceeded) -> RecordNotification:
    """Notify the new owner of a club."""
    return RecordNotification("invitation", "club_owner", people=(fact.actor,))


def notify_offer(fact: PlaceOffered) -> RecordNotification:
    """Notify an alternate of the offer of a place."""
    return RecordNotification("invitation", "offer", fact.round, (fact.player,))


def notify_handover(fact: dispute_facts.ArbiterAssigned) -> RecordNotification | None:
    """Notify an arbiter who was handed a dispute."""
    return RecordNotification("dispute", "handed", people=(fact.by,)) if fact.handed_by else None


NOTIFICATION_RULES: Final[Mapping[type[Any], NotificationRule]] = {
    PersonInvited: notify_invitation,
    tournament_facts.EntryPromoted: lambda _: RecordNotification("invitation", "promoted"),
    tournament_facts.SubstituteNamed: notify_substitute,
    tournament_facts.RoundPublished: lambda fact: RecordNotification("round", "published", fact.round),
    tournament_facts.TablesReseated: lambda fact: RecordNotification("round", "reseated", fact.round),
    DeadlineExtended: lambda fact: RecordNotification("reminder", "moved", fact.round),
    tournament_facts.PlayersReminded: lambda fact: RecordNotification("reminder", "deadline", fact.round),
    tournament_facts.Announced: notify_announcement,
    tournament_facts.AnnouncementShown: lambda _: RecordNotification("reminder", "announced"),
    tournament_shared.PlaceOffered: notify_offer,
    league_shared.PlaceOffered: notify_offer,
    PlayerInvited: notify_league_invitation,
    league_facts.SubstituteNamed: notify_league_substitute,
    league_facts.RoundOpened: lambda fact: RecordNotification("round", "opened", fact.round),
    league_facts.PlayerPromoted: lambda fact: RecordNotification("invitation", "promoted", people=(fact.actor,)),
    league_facts.DrawProposed: lambda _: RecordNotification("round", "proposed"),
    league_facts.PlayersReminded: lambda fact: RecordNotification("reminder", "deadline", fact.round),
    league_facts.DeadlineMoved: lambda fact: RecordNotification("reminder", "moved", fact.round),
    league_facts.LeagueAnnounced: lambda _: RecordNotification("reminder", "announced"),
    dispute_facts.DisputeRaised: lambda _: RecordNotification("dispute", "raised"),
    dispute_facts.RuledOn: lambda _: RecordNotification("dispute", "ruled"),
    dispute_facts.RulingAppealed: lambda _: RecordNotification("dispute", "appealed"),
    dispute_facts.CommitteeSeated: lambda fact: RecordNotification("dispute", "committee", people=fact.members),
    dispute_facts.ArbiterAssigned: notify_handover,
    club_facts.MemberInvited: lambda fact: RecordNotification("invitation", "club", people=(fact.actor,)),
    club_facts.MembershipRequested: lambda _: RecordNotification("invitation", "club_asked"),
    club_facts.MemberJoined: notify_new_member,
    club_facts.RequestDeclined: lambda fact: RecordNotification("invitation", "club_declined", people=(fact.actor,)),
    club_facts.MemberRemoved: lambda fact: RecordNotification("invitation", "club_removed", people=(fact.actor,)),
    club_facts.RoleGiven: notify_club_role,
    club_facts.ClubHandedOver: notify_owner,
    club_facts.OwnerSucceeded: notify_owner,
}
"""Fact -> notification; other facts have none."""


def notification_of(fact: object) -> RecordNotification | None:
    """Return the notification about a fact, or None."""
    rule = NOTIFICATION_RULES.get(type(fact))
    return None if rule is None else rule(fact)


def people_among(actors: Iterable[Actor]) -> tuple[Actor, ...]:
    """Return the people among actors, sorted, without bots."""
    return tuple(sorted({actor for actor in actors if actor and not is_bot(actor)}))


def tournament_recipients(state: Tournament, fact: object, ended_matches: Container[UUID] = ()) -> tuple[Actor, ...]:
    """Return the people to be notified of a fact of a tournament, by its current state; sorted, without bots.

    Promotions notify the entry, published rounds all tables, reseating the changed tables, reminders the
    unfinished ones, and all other facts every participant. `ended_matches` holds the finished matches, by their first
    ids.
    """
    if isinstance(fact, tournament_facts.EntryPromoted):
        return people_among(entry.actor for entry in state.entries if entry.id == fact.entry)
    if isinstance(fact, tournament_facts.RoundPublished):
        return table_recipients(state, fact.round, lambda _: True)
    if isinstance(fact, tournament_facts.TablesReseated):
        numbers = {each.table for each in fact.tables}
        return table_recipients(state, fact.round, numbers.__contains__)
    if isinstance(fact, tournament_facts.PlayersReminded):
        tables = enumerate(state.rounds[fact.round - 1].tables, 1)
        finished = {number for number, table in tables if table.given is not None or table.match in ended_matches}
        return table_recipients(state, fact.round, lambda number: number not in finished)
    return people_among(entry.actor for entry in state.taking_part)


def table_recipients(state: Tournament, number: int, includes: Callable[[int], bool]) -> tuple[Actor, ...]:
    """Return the people at these tables of a round, sorted, without bots; substitutes in place of their entries.

    `includes` gets the number of a table, from 1.
    """
    tables = [table for at, table in enumerate(state.rounds[number - 1].tables, 1) if includes(at)]
    standing_in = {each.entry: each.actor for table in tables for each in table.stand_ins}
    names = {name for table in tables for name in table.entries}
    return people_among(standing_in.get(entry.id) or entry.actor for entry in state.entries if entry.id in names)


def league_recipients(state: League, fact: object, ended_matches: Container[UUID] = ()) -> tuple[Actor, ...]:
    """Return the people to be notified of a fact of a league, by its current state; sorted, without bots.

    Reminders notify the players of unfinished tables of their round. All other facts notify the current holders of
    places, or before the draw the entrants; no one before the first season. `ended_matches` holds the finished
    matches, by their first ids.
    """
    season = state.season
    if season is None:
        return ()
    if isinstance(fact, league_facts.PlayersReminded):
        tables = undecided_tables(state, season, fact.round, ended_matches)
        return people_among(
            season.groups[group].places[place].in_round(fact.round)
            for group, _, table in tables
            for place in season.groups[group].rounds[fact.round - 1][table - 1]
        )
    if not season.groups:
        return people_among(entry.actor for entry in season.entered)
    return people_among(place.actor for group in season.groups for place in group.places)


def club_recipients(club: Club, fact: object) -> tuple[Actor, ...]:
    """Return the people to be notified of a request to join a club: its owner and organisers while it is open, sorted.

    No one for other facts, which name their recipients.
    """
    if not isinstance(fact, club_facts.MembershipRequested) or fact.by not in club.requests:
        return ()
    return people_among((club.owner, *club.organisers))
