"""Tables and seats: open a table, take, leave and replace seats, fork."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from msgspec import UNSET

from api.accounts.people import BotRefused
from api.http.guards import Caller
from api.http.writer import OneWriter
from api.matches import commands, forking, together
from api.matches.admission import LISTED_OF_GUEST_MAX, Applicant, BotTables, ListedTables, restricts_players
from api.matches.bots import default_bot
from api.matches.match_reading import MatchReading
from api.matches.new_table import NewTable, set_up
from api.matches.schemas import ForkMatch, OpenMatch, SignedBy
from api.matches.signed_acts import SignedActs
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.facts import Actor, Fact, SeatReady, SeatReplaced, ShareBy, Table, is_bot
from domain.matches.seats.current_seats import OpenSeats, update_open_seats
from domain.matches.seats.departures import remove_person
from domain.ratings.tables import ANY_NUMBER
from projections.matches import lobby
from projections.platform.clock import now
from projections.platform.settings import Settings
from projections.ratings import early_leavers, rankings


@dataclass(frozen=True)
class Seating:
    """Tables and their seats: open, take, leave, replace and fork."""

    _writer: OneWriter
    _reading: MatchReading
    _signing: SignedActs
    _settings: Settings

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots of this server."""
        return self._settings.bots

    async def open(self, new_id: UUID, request: OpenMatch, caller: Caller) -> Match:
        """Open a table without seating anyone, within the caller's limits; raise as `commands.open_match`."""
        applicant = await self._applicant(request.table, caller.actor) if caller.person else None
        listed_tables = await self._listed_tables(request.table, caller)
        return await self._writer.execute(
            commands.open_match, new_id, request, caller, applicant, listed_tables, at=now()
        )

    async def set_up(self, new_id: UUID, new_table: NewTable, caller: Caller) -> Match:
        """Open a table with the caller and bots on their seats; limits and errors as in `new_table.set_up`."""
        applicant = await self._applicant(new_table.table, caller.actor)
        listed_tables, tables = await self._listed_tables(new_table.table, caller), await self.bot_tables(caller)
        return await self._writer.execute(
            set_up, new_id, new_table, caller.actor, applicant, listed_tables, tables, at=now()
        )

    async def close_table(self, match_id: UUID, caller: Caller) -> Match:
        """Close (void) a table of the caller that waits for players; raise `NotAllowed` for any other table."""
        return await self._writer.execute(Matches.void, match_id, caller.actor, at=now())

    async def _listed_tables(self, table: Table, caller: Caller) -> ListedTables | None:
        """Return the listed tables of the caller that wait for players, with their limit, which is lower for guests.

        None if nothing is limited: an unlisted table, an operator, a caller without account, or a setting of no limit.
        """
        count_max = self._settings.listed_tables_per_person
        if caller.person is None or caller.is_operator or not table.is_listed or count_max == ANY_NUMBER:
            return None
        if caller.person.is_guest:
            count_max = min(count_max, LISTED_OF_GUEST_MAX)
        return ListedTables(
            caller.actor, await self._writer.read_model(lobby.counted_tables, caller.actor, "listed"), count_max
        )

    async def take_seat(
        self,
        match_id: UUID,
        player: Actor,
        seat: int,
        share: str | None = None,
        *,
        own_luck: bool = False,
        key: str = "",
    ) -> Match:
        """Seat a player on a free seat of a table that admits them; raise as `commands.take_seat`.

        `share` is the commitment to a share of luck; with `own_luck` it may follow later. `key` is the signing key of
        the browser, or "".
        """
        share_by: ShareBy | None = "awaited" if own_luck and share is None else None
        applicant = await self._applicant((await self._reading.get(match_id)).table, player)
        return await self._writer.execute(
            commands.take_seat, match_id, seat, player, applicant, share=share, share_by=share_by, key=key, at=now()
        )

    async def find_unwelcome(self, match_id: UUID, table: Table, players: Iterable[Actor]) -> tuple[Actor, ...]:
        """Return the players who may not take a seat at such a table now."""
        applicants = {player: await self._applicant(table, player) for player in players}
        return await self._writer.read_log(together.find_unwelcome, match_id, table, applicants, at=now())

    async def require_welcome(self, match_id: UUID, table: Table, player: Actor) -> None:
        """Raise the refusal of a player who may not sit at such a table now: `ProgramUnwelcome`, or as `admit`."""
        applicant = await self._applicant(table, player)
        await self._writer.read_log(together.require_welcome, match_id, table, player, applicant, at=now())

    async def seat_together(
        self, match_id: UUID, request: OpenMatch, players: Sequence[Actor], own_luck: frozenset[Actor]
    ) -> Match | None:
        """Open a table and seat paired players, or return the existing table.

        Return `None` if one of them may not take a seat. The players in `own_luck` commit to their share of luck later.
        """
        applicants = {player: await self._applicant(request.table, player) for player in players}
        return await self._writer.execute(
            together.seat_together, match_id, request, tuple(players), applicants, own_luck, at=now()
        )

    async def commit_share(self, match_id: UUID, caller: Caller, share: str | None) -> Match:
        """Store the commitment of the caller's seat to a share of luck; None leaves it to the service.

        Raises `NotSeated` without a seat.
        """
        return await self._writer.execute(commands.commit_share, match_id, caller, share=share, at=now())

    async def _applicant(self, table: Table, player: Actor) -> Applicant | None:
        """Return the leaving habit and unfinished matches of a player.

        None if the table does not restrict its players.
        """
        if not restricts_players(table):
            return None
        habit = await self._writer.read_model(early_leavers.of_player, player)
        return Applicant(player, habit, await self._sitting(player), self._settings.rated_correspondence_max)

    async def require_unplayed(self, player: Actor) -> None:
        """Raise `BotRefused` if the player has a seat at an unfinished match, or has played rated matches."""
        if (await self._sitting(player)).match_ids:
            raise BotRefused("you are playing a match; finish it first")
        if await self._writer.read_model(rankings.has_played, player):
            raise BotRefused("this account has played rated matches; create another one for the bot")

    async def _sitting(self, player: Actor) -> OpenSeats:
        """Return the unfinished matches of a player, from the read model and the later part of the log."""
        return await self._writer.read_log(
            update_open_seats, player, await self._writer.read_model(lobby.list_unfinished, player)
        )

    async def seat_bot(self, match_id: UUID, caller: Caller, seat: int, bot: Actor) -> Match:
        """Seat a bot on a free seat of a table of the caller; raise as `commands.seat_bot`."""
        tables = await self.bot_tables(caller)
        return await self._writer.execute(commands.seat_bot, match_id, seat, bot, caller, tables, at=now())

    async def bot_tables(self, caller: Caller) -> BotTables | None:
        """Return the caller's tables with bots and the limits for them.

        None for operators and callers without account.
        """
        with_bots_max, only_bots_max = self._settings.tables_with_bots_per_person, self._settings.bot_tables_per_person
        if caller.person is None or caller.is_operator:
            return None
        with_bots = await self._writer.read_model(lobby.counted_tables, caller.actor, "with_bots")
        only_bots = await self._writer.read_model(lobby.counted_tables, caller.actor, "bots_only")
        return BotTables(caller.actor, with_bots, with_bots_max, only_bots, only_bots_max)

    async def leave_seat(self, match_id: UUID, caller: Caller, seat: int) -> Match:
        """Free a seat before the start: the caller's own, or any seat at a table of the caller.

        Raises `NotOpen` after the start, `NotSeated` for an empty or another's seat, `SeatReserved` at a table of an
        event.
        """
        return await self._writer.execute(Matches.leave_seat, match_id, seat, caller.actor, at=now())

    async def replace_seat(
        self, match_id: UUID, caller: Caller, seat: int, actor: Actor, signed: SignedBy | None = None
    ) -> Match:
        """Replace the caller by a bot, or seat the caller on an empty seat of a fork.

        Raises `OnlyPlainBot` for another bot than the default where results count, `NotSeated` without a seat,
        `BadSignature` if `signed` does not verify, and as `commands.replace_seat`.
        """
        signed_act = await self._signing.check_signed(
            match_id, caller, signed, lambda _: SeatReplaced(seat, caller.actor, actor)
        )
        tables = await self.bot_tables(caller) if is_bot(actor) else None
        return await self._writer.execute(
            commands.replace_seat, match_id, seat, caller, self.bots, tables, actor=actor, signed=signed_act, at=now()
        )

    async def be_ready(
        self, match_id: UUID, caller: Caller, share: str | None, salt: str | None, signed: SignedBy | None = None
    ) -> Match:
        """Mark the caller's seat as ready, and open its share of luck; the last one starts the match.

        Raises as `commands.be_ready`, and `BadSignature` if `signed` does not verify.
        """
        return await self._be_ready(commands.be_ready, match_id, caller, share, salt, signed)

    async def be_ready_anyway(
        self, match_id: UUID, caller: Caller, share: str, salt: str, signed: SignedBy | None = None
    ) -> Match:
        """Mark the caller's seat as ready even if the browser has lost the committed share.

        See `commands.ready_anyway`.
        """
        return await self._be_ready(commands.ready_anyway, match_id, caller, share, salt, signed)

    async def _be_ready(
        self,
        command: Callable[..., Match],
        match_id: UUID,
        caller: Caller,
        share: str | None,
        salt: str | None,
        signed: SignedBy | None,
    ) -> Match:
        """Verify the signature, if any, and run one of the two commands that mark the caller's seat as ready."""

        def act(seat: int) -> Fact:
            return SeatReady(seat, caller.actor, share or UNSET, salt or UNSET)

        applicant = await self._applicant((await self._reading.get(match_id)).table, caller.actor)
        signed_act = await self._signing.check_signed(match_id, caller, signed, act)
        return await self._writer.execute(
            command, match_id, caller, applicant, share=share, salt=salt, signed=signed_act, at=now()
        )

    async def depart(self, person: Actor) -> None:
        """Remove a person whose account ends from every unfinished match: leave seats, or resign or hand over to a bot.

        Tables of events that have not started stay unchanged; a match on the person's device is voided.
        """
        for match_id in (await self._sitting(person)).match_ids:
            await self._writer.execute(remove_person, match_id, person, partial(default_bot, self.bots), at=now())

    async def fork(
        self,
        match_id: UUID,
        caller: Caller,
        request: ForkMatch,
        new_id: UUID,
        seats: tuple[Actor | None, ...] | None = None,
    ) -> Match:
        """Open a new match that begins at the position of this one after an entry; raise as `forking.fork`.

        `seats` are its players; by default bots and the caller keep their seats and the others are empty.
        """
        return await self._writer.execute(
            forking.fork, match_id, request, new_id, caller, await self.bot_tables(caller), at=now(), seats=seats
        )
