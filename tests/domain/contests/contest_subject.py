"""The acts of tests of shared features, in a tournament or a season."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.contests.absences import Absences
from domain.contests.adjudication import BotLines, TableLeft
from domain.contests.duties import DueStep
from domain.contests.holidays import PlaceTables
from domain.contests.people import ContestPeople
from domain.contests.prizes import Prizes
from domain.leagues.acts import LeagueAct
from domain.standings.results import TableResult
from domain.tournaments.acts import Act


class Subject(Protocol):
    """A tournament or a season with three rounds of a week, at tables of two, of which the service takes all steps.

    Players are accounts. The first round starts at `STARTS`, which is the same for both.
    """

    at: datetime
    """The time of the latest record."""
    results: dict[UUID, TableResult]
    taken: list[str]
    disputed_tables: tuple[int, ...]
    """The tables of the latest round with an open dispute."""

    def duty(self) -> DueStep | None:
        """Return the next step of the service."""
        ...

    def take(self) -> str:
        """Take the next step of the service, and return its name."""
        ...

    @property
    def people(self) -> ContestPeople:
        """The shared state."""
        ...

    def enter(self, *players: str) -> None:
        """Enter players by themselves."""
        ...

    def leave(self, player: str) -> None:
        """Withdraw a player by themselves."""
        ...

    def erase(self, player: str) -> bool:
        """Withdraw a player who erases their account; return whether that changes something."""
        ...

    def join_alternates(self, **strengths: int) -> None:
        """Let people join the alternates."""
        ...

    def remove_alternate(self, player: str, by: str) -> None:
        """Remove a person from the alternates."""
        ...

    def answer(self, player: str, number: int, *, accepted: bool) -> None:
        """Answer the offer of the only place that was offered to a person for a round."""
        ...

    def place_of(self, player: str) -> str:
        """Return the key of the place of a player."""
        ...

    def draw_again(self) -> None:
        """Play until the next draw, of a round or a season, and open its round."""
        ...

    def state_absence(self, player: str, away: Absences, by: str = "") -> None:
        """State when a player is away, by default by themselves."""
        ...

    def waiting(self) -> list[str]:
        """Return the players who wait for a place."""
        ...

    def open_round(self) -> None:
        """Take the steps of the service until the tables of the next round are open."""
        ...

    def take_until(self, step: str) -> None:
        """Take the steps of the service until this one was taken."""
        ...

    def play(self, *without: int) -> None:
        """Give the open tables results, except some by number."""
        ...

    def seated_players(self) -> list[tuple[str, ...]]:
        """Return the players at the tables of the latest open round, by seat: substitutes and bots too."""
        ...

    def playing(self) -> set[str]:
        """Return the players who are paired in the latest open round, with a table or a bye."""
        ...

    def matches_of(self, player: str) -> list[UUID]:
        """Return the matches of a player at the open tables."""
        ...

    def holiday_tables(self, match_id: UUID, seat: int, player: str, /) -> PlaceTables | None:
        """Return the tables that share the days of holiday of the player of a seat."""
        ...

    def open_matches(self) -> list[UUID]:
        """Return the matches of the latest open round, by table."""
        ...

    def deadline(self) -> datetime:
        """Return the deadline of the latest open round."""
        ...

    def rule(self, table: int, places: tuple[int, ...], scores: tuple[int, ...]) -> None:
        """Rule on a table of the latest open round as the organiser."""
        ...

    def ruled_overdue(self) -> list[tuple[int, ...]]:
        """Return the overdue seats that each ruling of the service names."""
        ...

    def rulings(self) -> Sequence[tuple[str, str, tuple[int, ...]]]:
        """Return the author, the reason and the places of each ruling."""
        ...

    def adjudicate(self, lines: BotLines | None) -> None:
        """Decide the first table of the latest round by lines of play of bots."""
        ...

    def ruled_lines(self) -> list[tuple[str, tuple[tuple[int, ...], ...]]]:
        """Return the bot and the lines that each ruling of the service names."""
        ...

    def tables_with_bots(self) -> list[TableLeft]:
        """Return the tables at which bots play on."""

    def acts(self) -> list[Act | LeagueAct]:
        """Return the acts."""

    def bots_until(self) -> datetime | None:
        """Return until when bots play on at the first table of the latest round."""
        ...

    def close(self) -> None:
        """Close the latest round or the season as the organiser."""

    def set_prizes(self, prizes: Prizes, reason: str = "") -> None:
        """Set the prizes as an organiser."""
        ...

    def awards(self) -> Mapping[str, int]:
        """Return the amounts by player, best first."""
        ...


OpenSubject = Callable[..., Subject]
"""Opens a contest in a store, with changes of its plan."""
