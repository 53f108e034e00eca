"""The state of a season: entries, groups with their places, open rounds and manual results."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from domain.contests.prizes import Prizes
from domain.designs.shapes import Round as Tables
from domain.kernel.values import Value, replace
from domain.leagues.facts import GroupDrawn
from domain.leagues.plan import LeaguePlan
from domain.matches.facts import Actor, is_bot

SeasonStatus = Literal["registering", "running", "closed"]
TableKey = tuple[int, int, int]
"""A table: its group (from 0), round and number (from 1)."""


class SeasonEntry(Value, frozen=True, omit_defaults=True):
    """An entry for a season."""

    actor: Actor
    seeding: int
    waiting: bool = False
    club_id: UUID | None = None


class ManualResult(Value, frozen=True, omit_defaults=True):
    """A manual result or ruling; `unverified`: entered for a face-to-face table."""

    round: int
    table: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    void: bool
    by: Actor
    reason: str
    unverified: bool = False


class Holder(Value, frozen=True):
    """The player of a place, from a round on."""

    actor: Actor
    from_round: int = 1
    reason: str = ""
    is_substitute: bool = False


class GroupPlace(Value, frozen=True, omit_defaults=True):
    """A place in a group with its successive holders; it owns the points and the `penalty`, in sixtieths."""

    holders: tuple[Holder, ...]
    penalty: int = 0

    @property
    def actor(self) -> Actor:
        """The current holder."""
        return self.holders[-1].actor

    @property
    def first(self) -> Actor:
        """The holder from the draw."""
        return self.holders[0].actor

    def with_holder(self, holder: Holder) -> "GroupPlace":
        """Replace the holders from a round on; without an earlier one the new one holds the place from round 1."""
        # Players named for that round or a later one never played for the place.
        earlier = tuple(each for each in self.holders if each.from_round < holder.from_round)
        return replace(self, holders=(*earlier, holder) if earlier else (replace(holder, from_round=1),))

    def with_temporary(self, holder: Holder, until: int) -> "GroupPlace":
        """Add a holder up to a round, after which the former one plays again, or the one named for that round."""
        first, *others = self.holders
        earlier = (first, *(each for each in others if each.from_round < holder.from_round))
        later = tuple(each for each in others if each.from_round > until + 1)
        back = replace(self.holder_in(until + 1), from_round=until + 1)
        return replace(self, holders=(*earlier, holder, back, *later))

    def in_round(self, number: int) -> Actor:
        """Return the player of the place in a round."""
        return self.holder_in(number).actor

    def bot_in(self, number: int) -> Actor:
        """Return the bot that plays for an absent player in a round; empty if none."""
        holder = self.holder_in(number)
        return holder.actor if holder.is_substitute and is_bot(holder.actor) else ""

    def holder_in(self, number: int) -> Holder:
        """Return the holder of the place in a round."""
        return next(holder for holder in reversed(self.holders) if holder.from_round <= number)


class LeagueGroup(Value, frozen=True, omit_defaults=True):
    """A group: its places by number, and the schedule over them."""

    division: int
    places: tuple[GroupPlace, ...]
    rounds: tuple[Tables, ...]
    built: str
    ruled: tuple[ManualResult, ...] = ()
    left: tuple[Actor, ...] = ()
    """Players who left and whose places need substitutes."""
    gone: tuple[Actor, ...] = ()
    """Players who left by themselves and have not returned to a place since."""
    annulled: tuple[int, ...] = ()
    """Places whose tables are counted without them."""

    def ruling(self, round_number: int, table: int) -> ManualResult | None:
        """Return the latest manual result of a table, or None."""
        matching = [each for each in self.ruled if (each.round, each.table) == (round_number, table)]
        return matching[-1] if matching else None

    def players_at(self, round_number: int, table: int) -> tuple[Actor, ...]:
        """Return the players at a table of a round (both from 1), by seat."""
        return tuple(self.places[place].in_round(round_number) for place in self.rounds[round_number - 1][table - 1])


class RoundClock(Value, frozen=True, omit_defaults=True):
    """The steps that were taken at the times of an open round.

    `planned` is its first deadline, after which the next round of a schedule starts.
    """

    opened_at: datetime
    planned: datetime
    reminded: int = 0  # Minutes of the last reminder before the deadline `reminded_of`.
    reminded_of: datetime | None = None
    expired: datetime | None = None  # The last deadline that was enforced.
    undecided_until: datetime | None = None
    """When tables without a result after that deadline are decided, or examined again."""


class TableWithBots(Value, frozen=True):
    """A table at which bots play on after the deadline, until a time."""

    key: TableKey
    until: datetime


class Season(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A season."""

    number: int
    name: str
    status: SeasonStatus = "registering"
    entered: tuple[SeasonEntry, ...] = ()
    groups: tuple[LeagueGroup, ...] = ()
    deadlines: tuple[datetime, ...] = ()
    """Deadlines of the rounds opened so far."""
    plan: LeaguePlan | None = None
    imports: tuple[str, ...] = ()
    """Digests of the imported files."""
    starts: datetime | None = None
    """The start of the first round, by the schedule."""
    entry_closes: datetime | None = None
    proposed: tuple[GroupDrawn, ...] = ()
    """The proposed groups of a scheduled season that is not drawn yet."""
    prizes: tuple[Prizes, ...] = ()
    """The prizes by division; divisions beyond the last have none."""
    clocks: tuple[RoundClock, ...] = ()
    """The clocks of the rounds opened so far."""
    left_to_bots: tuple[TableWithBots, ...] = ()
    """The tables at which bots play on after a deadline."""
    drawn_at: datetime | None = None
    closed_at: datetime | None = None

    def bots_until(self, table: TableKey) -> datetime | None:
        """Return until when bots play on at a table; None if they do not."""
        return next((each.until for each in self.left_to_bots if each.key == table), None)

    def has_outcome_apart(self, table: TableKey) -> bool:
        """Return whether the match of a table does not decide it: it has a manual result, or bots play on."""
        group, round_number, number = table
        return self.groups[group].ruling(round_number, number) is not None or self.bots_until(table) is not None

    @property
    def rounds_opened(self) -> int:
        """The number of opened rounds."""
        return len(self.deadlines)

    @property
    def player_count(self) -> int:
        """The number of drawn players; before the draw, of entries."""
        return sum(len(group.places) for group in self.groups) or len(self.entrants)

    @property
    def entrants(self) -> tuple[SeasonEntry, ...]:
        """The entries that have a place before the draw."""
        return tuple(entry for entry in self.entered if not entry.waiting)

    @property
    def rounds(self) -> int:
        """The number of rounds of its longest schedule."""
        return max((len(group.rounds) for group in self.groups), default=0)

    def prizes_of(self, division: int) -> Prizes:
        """Return the prizes of a division, counted from 0."""
        return self.prizes[division] if division < len(self.prizes) else Prizes()

    def of_actor(self, actor: Actor) -> tuple[int, int] | None:
        """Return (index of the group, index of the place) that a player holds now, or None."""
        for number, group in enumerate(self.groups):
            for index, place in enumerate(group.places):
                if place.actor == actor:
                    return number, index
        return None


def plays_in(group: LeagueGroup, place: int, number: int) -> bool:
    """Return whether a place has a table in a round."""
    return number <= len(group.rounds) and any(place in table for table in group.rounds[number - 1])


def place_key(group: int, place: int) -> str:
    """Return the name of a place, by the index of its group and its own."""
    return f"{group}/{place}"
