"""Refusals: each a named exception whose sentence holds the bad value."""

from collections.abc import Mapping
from uuid import UUID


class MatchError(Exception):
    """Base of what a match refuses."""


class NoSuchMatch(MatchError):
    """No match of that id is in the store."""


class MatchExists(MatchError):
    """Another match has that id."""


class NotSeated(MatchError):
    """The caller may not act for that seat."""


class AlreadySeated(MatchError):
    """The person sits at this match already (nobody sits in two seats)."""


class SeatTakenAlready(MatchError):
    """Somebody else sits there."""


class UnknownSeat(MatchError):
    """The match has no such seat."""


class UnknownActor(MatchError):
    """Not a name an actor can have."""


class BotCannotPlay(MatchError):
    """The bot lacks what it needs to play this title."""


class WrongSeatCount(MatchError):
    """The title is not played with that many seats."""


class WrongShare(MatchError):
    """The share or its salt is malformed or does not open the commitment."""


class SignatureMissing(MatchError):
    """The seat signs what it does, and this came without a signature."""


class KeyOfProgram(MatchError):
    """A browser has brought a key to the account of a bot."""


class NoSuchKey(MatchError):
    """The person has no such key."""


class OrderUnsigned(SignatureMissing):
    """An official has to sign this: the bytes of `act`, over a stream with its newest version and digest."""

    def __init__(self, sentence: str, stream: UUID, version: int, digest: bytes, act: bytes) -> None:
        super().__init__(sentence)
        self.stream = stream
        self.stream_version = version
        self.digest = digest
        self.act = act


class BadSignature(MatchError):
    """A key is not the seat's, or a signature is not made with it over what was done."""


class AbsenceRefused(MatchError):
    """No absence can be announced or ended like this."""


class NotRunning(MatchError):
    """The match has not started, or is paused."""


class NotOpen(MatchError):
    """The match has started already."""


class RulesRetired(MatchError):
    """The match was opened under a version of the rules that is played and examined no more."""


class MatchOver(MatchError):
    """The match has ended or is void."""


class TakeBackRefused(MatchError):
    """The table's rules of taking back do not allow it."""


class HintsRefused(MatchError):
    """At a table with hints one person plays against bots, and nothing is rated."""


class HintsNeedBots(HintsRefused):
    """At a new table with hints a seat is left for a second person."""


class OneDeviceRefused(MatchError):
    """A table on one device cannot have that, and nobody but its local guests and bots plays there."""


class NotHeld(MatchError):
    """The device is not with that seat."""


class TimeOutRefused(MatchError):
    """No clock runs for that seat."""


class PauseRefused(MatchError):
    """Nothing to pause or to resume, asked already, or no pause left."""


class ResignRefused(MatchError):
    """At this table nobody gives up."""


class SeatReserved(MatchError):
    """The seat belongs to an entrant of a tournament or league."""


class OnlyPlainBot(MatchError):
    """A player chose a bot other than the plain one to play on at a rated table or at a table of an event.

    `values` holds the short name of the plain bot.
    """

    def __init__(self, sentence: str, bot: str) -> None:
        super().__init__(sentence)
        self.values: dict[str, int | str] = {"bot": bot}


class NotAllowed(MatchError):
    """Only the service or the one who opened the table may do that."""


class TooManyBotTables(MatchError):
    """The opener has as many running tables that only bots play as the service allows; `values` are the two numbers."""

    def __init__(self, sentence: str, values: Mapping[str, int]) -> None:
        super().__init__(sentence)
        self.values = dict(values)


class TooManyTablesWithBots(MatchError):
    """The opener has as many unrated tables with bots as the service allows; `values` are the two numbers."""

    def __init__(self, sentence: str, values: Mapping[str, int]) -> None:
        super().__init__(sentence)
        self.values = dict(values)


class TooManyListed(MatchError):
    """The opener has the allowed number of listed tables that wait for players; `values` are the two numbers."""

    def __init__(self, sentence: str, values: Mapping[str, int]) -> None:
        super().__init__(sentence)
        self.values = dict(values)


class ForkRefused(MatchError):
    """The match cannot be forked there, or not with that luck."""


class ForkTooDeep(MatchError):
    """The match is a fork of forks already, and another would be one too many."""


class ImportRefused(MatchError):
    """The log cannot come into this store."""


class UnknownTitle(MatchError):
    """No title of that name is played here."""


class StaleVersion(MatchError):
    """The match has moved on; `version` is where it stands."""

    def __init__(self, sentence: str, version: int) -> None:
        super().__init__(sentence)
        self.version = version


class LogFault(MatchError):
    """A log is not what it claims to be; `entry` is the first bad one, `None` the header or the file."""

    def __init__(self, entry: int | None, kind: str, why: str) -> None:
        place = "the log" if entry is None else f"entry {entry}"
        super().__init__(f"{place}: {why}")
        self.entry = entry
        self.kind = kind
        self.why = why


class Tampered(MatchError):
    """A stream of the store is not what it was when it was taken up: it is not served. `entry` is the first that
    differs, `None` the whole of it."""

    def __init__(self, stream: UUID, entry: int | None, why: str) -> None:
        super().__init__(f"{stream} is not what this server signed: {why}")
        self.stream = stream
        self.entry = entry
        self.why = why


class NoSuchEntry(MatchError):
    """The match's line has no entry of that number."""


class NoSuchStream(MatchError):
    """No stream of that kind and id is in the store."""


class RulingRefused(MatchError):
    """The ruling cannot be given on this match as it stands."""
