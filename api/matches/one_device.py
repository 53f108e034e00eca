"""The service for tables on one device: opening them and passing the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.accounts.local_guests import acceptable_names, local_id
from api.accounts.service import AccountService
from api.http.guards import Caller
from api.matches.admission import BotTables, admit_bots
from api.matches.callers import is_own_device, with_device_token
from api.matches.schemas import DevicePlayer, Passed
from api.matches.service import MatchService
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.aggregate import Match, info_of
from domain.matches.entropy import server_seed
from domain.matches.errors import MatchExists, NotSeated, OneDeviceRefused, WrongSeatCount
from domain.matches.facts import Actor, Table, is_bot
from domain.matches.seats.event_tables import begin_on_one_device
from domain.matches.seats.one_device import pass_device
from domain.matches.titles import find_title
from projections.platform.clock import now


@dataclass(frozen=True)
class DeviceService:
    """Tables on one device, for one caller."""

    matches: MatchService
    accounts: AccountService
    caller: Caller

    async def open(
        self,
        new_id: UUID,
        title: str,
        seats: int,
        options: Mapping[str, str],
        table: Table,
        players: Sequence[DevicePlayer],
    ) -> Match:
        """Open a table with these local guests and bots, and start its match; a repeated call returns it.

        Raises `OneDeviceRefused` unless a person calls and each seat has a name or a bot but not both, `WrongSeatCount`
        if seats and players differ in number, and as `_seat_players` and `begin`. A failure leaves no guests behind.
        """
        person = self.caller.person
        if person is None:
            raise OneDeviceRefused("only a person can create a table on one device")
        if len(players) != seats:
            raise WrongSeatCount(f"a table of {seats} seats on one device needs as many players, not {len(players)}")
        actors, names = self._seat_players(new_id, players)
        tables = await self.matches.seating.bot_tables(self.caller) if any(map(is_bot, actors)) else None
        new = await self.accounts.store_locals(person, new_id, names)
        try:
            return await self.matches.writer.execute(
                begin, new_id, title, dict(options), table, tuple(actors), person.id, tables, at=now()
            )
        except BaseException:
            await self.accounts.forget_locals(new)
            raise

    def _seat_players(self, new_id: UUID, players: Sequence[DevicePlayer]) -> tuple[list[Actor], dict[Actor, str]]:
        """Return the actor of each seat, and the names of the local guests by actor.

        Raises `OneDeviceRefused` for a seat with both a name and a bot, `UnknownActor` for an unknown bot, `BadName` or
        `NameTaken` for a name that is not allowed or used twice.
        """
        for seat, player in enumerate(players):
            if player.name and player.bot:
                raise OneDeviceRefused(f"seat {seat} of a table on one device has a name or a bot, not both")
        local_names = iter(acceptable_names(player.name for player in players if not player.bot))
        names = {local_id(new_id, seat): next(local_names) for seat, player in enumerate(players) if not player.bot}
        actors = [
            self.matches.reading.bot_named(player.bot) if player.bot else local_id(new_id, seat)
            for seat, player in enumerate(players)
        ]
        return actors, names

    async def pass_to(self, match_id: UUID, seat: int) -> tuple[Match, Caller, str]:
        """Pass the device to a seat; return the match, the caller as that seat, and the token for its requests.

        Raises `NotSeated` if it is not the caller's device, `UnknownSeat`, and `NotHeld` if the seat is not the next to
        act.
        """
        match = await self.matches.reading.get(match_id)
        if not is_own_device(match, self.caller):
            raise NotSeated(f"match {match_id} is not played on your device")
        info_of(match, seat)
        token = pass_device(match, seat)
        return match, with_device_token(self.caller, token), token

    async def show_passed(self, match_id: UUID, seat: int) -> Passed:
        """Pass the device to a seat; return the API response. Raises as `pass_to`."""
        match, seat_caller, token = await self.pass_to(match_id, seat)
        return Passed(seat, token, await self.matches.reading.encode(match, seat_caller, legal=True))


def begin(
    matches: Matches,
    new_id: UUID,
    title: str,
    options: Mapping[str, str],
    table: Table,
    players: tuple[Actor, ...],
    opener: Actor,
    bot_tables: BotTables | None,
    *,
    at: datetime,
) -> Match:
    """Open and start the table in one transaction, within the opener's limit on tables with bots.

    A repeated call with the same opener and players returns the existing match; others raise `MatchExists`.
    """
    if matches.lines.has(new_id):
        existing = matches.get(new_id)
        if (existing.opened_by, tuple(starter.actor for starter in existing.starters)) != (opener, players):
            raise MatchExists(f"the match id {new_id} is already in use")
        return existing
    admit_bots(matches, bot_tables, new_id)
    definition, seed = find_title(matches.titles, title), server_seed(matches.entropy, new_id)

    def compose(batch: Batch) -> Match:
        return begin_on_one_device(
            batch, definition, new_id, players=players, options=options, table=table, by=opener, seed=seed
        )

    return matches.transact(compose, at=at)


def provide_holder(request: Request[Caller, Any, Any]) -> Caller:
    """Return the caller of a form; on one device the form's address contains the token of the seat."""
    return with_device_token(request.user, request.query_params.get("held"))


def provide_device(
    caller: NamedDependency[Caller], matches: NamedDependency[MatchService], accounts: NamedDependency[AccountService]
) -> DeviceService:
    """Return the service for tables on one device for the caller."""
    return DeviceService(matches, accounts, caller)
