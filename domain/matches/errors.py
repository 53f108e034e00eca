"""Exceptions of matches; each message contains the rejected value."""

from collections.abc import Mapping
from uuid import UUID


class MatchError(Exception):
    """Base of the exceptions of matches."""


class NoSuchMatch(MatchError):
    """The store has no match with this id."""


class MatchExists(MatchError):
    """Another match has this id."""


class NotSeated(MatchError):
    """The caller may not act for this seat."""


class AlreadySeated(MatchError):
    """The person already sits at this match."""


class SeatTakenAlready(MatchError):
    """Another player holds the seat."""


class UnknownSeat(MatchError):
    """The match has no such seat."""


class UnknownActor(MatchError):
    """The actor name is malformed."""


class BotCannotPlay(MatchError):
    """The bot cannot play this title."""


class WrongSeatCount(MatchError):
    """The title cannot be played with this number of seats."""


class WrongShare(MatchError):
    """The share or its salt is malformed or does not open the commitment."""


class SignatureMissing(MatchError):
    """The seat signs its actions, and this request is unsigned."""


class KeyOfProgram(MatchError):
    """A browser offered a key for a bot account."""


class NoSuchKey(MatchError):
    """The person has no such key."""


class OrderUnsigned(SignatureMissing):
    """The official must sign `act`, over the latest version and digest of a stream."""

    def __init__(self, sentence: str, stream: UUID, version: int, digest: bytes, act: bytes) -> None:
        super().__init__(sentence)
        self.stream = stream
        self.stream_version = version
        self.digest = digest
        self.act = act


class BadSignature(MatchError):
    """The key does not belong to the seat, or the signature does not verify."""


class AbsenceRefused(MatchError):
    """The absence cannot be announced or ended."""


class NotRunning(MatchError):
    """The match has not started, or is paused."""


class NotOpen(MatchError):
    """The match has already started."""


class RulesRetired(MatchError):
    """The match uses a retired version of the rules, which can be neither played nor audited."""


class MatchOver(MatchError):
    """The match has ended or is void."""


class TakeBackRefused(MatchError):
    """The table's rules do not allow this take-back."""


class HintsRefused(MatchError):
    """A table with hints is unrated and has one person, playing against bots."""


class HintsNeedBots(HintsRefused):
    """A new table with hints has a free seat for a second person."""


class OneDeviceRefused(MatchError):
    """A table on one device does not allow this option, or anyone but its local guests and bots."""


class NotHeld(MatchError):
    """The device is not with this seat."""


class TimeOutRefused(MatchError):
    """No clock runs for this seat."""


class PauseRefused(MatchError):
    """There is nothing to pause or resume, the seat has already asked, or no pause is left."""


class ResignRefused(MatchError):
    """The table does not allow resigning."""


class SeatReserved(MatchError):
    """The seat is reserved for an entrant of a tournament or league."""


class OnlyPlainBot(MatchError):
    """The player handed over to another bot than the plain one at a rated table or a table of an event.

    `values` holds the short name of the plain bot.
    """

    def __init__(self, sentence: str, bot: str) -> None:
        super().__init__(sentence)
        self.values: dict[str, int | str] = {"bot": bot}


class NotAllowed(MatchError):
    """Only the service or the table's opener may do this."""


class TooManyBotTables(MatchError):
    """The opener has reached the limit of running tables with only bots; `values` holds count and limit."""

    def __init__(self, sentence: str, values: Mapping[str, int]) -> None:
        super().__init__(sentence)
        self.values = dict(values)


class TooManyTablesWithBots(MatchError):
    """The opener has reached the limit of unrated tables with bots; `values` holds count and limit."""

    def __init__(self, sentence: str, values: Mapping[str, int]) -> None:
        super().__init__(sentence)
        self.values = dict(values)


class TooManyListed(MatchError):
    """The opener has reached the limit of listed tables that wait for players; `values` holds count and limit."""

    def __init__(self, sentence: str, values: Mapping[str, int]) -> None:
        super().__init__(sentence)
        self.values = dict(values)


class ForkRefused(MatchError):
    """The match cannot be forked at this entry, or not with this luck."""


class ForkTooDeep(MatchError):
    """The fork would exceed the maximum fork depth."""


class ImportRefused(MatchError):
    """The log cannot be imported."""


class UnknownTitle(MatchError):
    """The service has no title with this name."""


class StaleVersion(MatchError):
    """The match has changed; `version` is the current one."""

    def __init__(self, sentence: str, version: int) -> None:
        super().__init__(sentence)
        self.version = version


class LogFault(MatchError):
    """A log is invalid; `entry` is the first bad entry, `None` the header or the file."""

    def __init__(self, entry: int | None, kind: str, why: str) -> None:
        location = "the log" if entry is None else f"entry {entry}"
        super().__init__(f"{location}: {why}")
        self.entry = entry
        self.kind = kind
        self.why = why


class Tampered(MatchError):
    """A stream has changed since the server signed it, and is no longer served.

    `entry` is the first that differs, `None` the whole stream.
    """

    def __init__(self, stream: UUID, entry: int | None, why: str) -> None:
        super().__init__(f"{stream} differs from what this server signed: {why}")
        self.stream = stream
        self.entry = entry
        self.why = why


class NoSuchEntry(MatchError):
    """The line has no entry with this number."""


class NoSuchStream(MatchError):
    """The store has no stream with this kind and id."""


class RulingRefused(MatchError):
    """The ruling cannot be given on this match in its current state."""
