"""What happened to the match itself, in sentences; what happened in the game is narrated by its title."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.messages import Message
from domain.match.facts import (
    ActionTaken,
    Fact,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchStarted,
    PauseAsked,
    Paused,
    Resigned,
    Resumed,
    SeatLeft,
    SeatReady,
    SeatReplaced,
    SeatTaken,
    TakenBack,
    TimedOut,
    Voided,
)

POLICIES: Final = {
    "bot": "The time of {player} ran out: a bot plays on",
    "resign": "The time of {player} ran out: the seat is resigned",
    "skip": "The time of {player} ran out: the turn is skipped",
}


def player(seat: int) -> Message:
    """Whoever sits there; a page may put the name instead. Said as the titles say it."""
    return Message("Player {number}", {"number": seat + 1})


def of_seat(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    """The sentence about the player of the fact's seat."""
    return lambda fact: (Message(sentence, {"player": player(fact.seat)}),)


def plain(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    return lambda _: (Message(sentence),)


def taken_back(fact: TakenBack) -> tuple[Message, ...]:
    sentence = "{player} takes back to entry {version}"
    return (Message(sentence, {"player": player(fact.seat), "version": fact.to_version}),)


def timed_out(fact: TimedOut) -> tuple[Message, ...]:
    return (Message(POLICIES[fact.policy], {"player": player(fact.seat)}),)


def forked(fact: MatchForked) -> tuple[Message, ...]:
    return (Message("A new match goes on from entry {version}", {"version": fact.at}),)


def acted(fact: ActionTaken[Any, Any]) -> tuple[Message, ...]:
    """What stands for an action whose effects nobody tells, such as declining."""
    return (
        Message("{player} goes on", {"player": player(fact.seat)}) if fact.seat >= 0 else Message("Nothing happens"),
    )


TOLD: Final[Mapping[type[Any], Callable[[Any], tuple[Message, ...]]]] = {
    MatchOpened: plain("The table is opened"),
    SeatTaken: of_seat("{player} sits down"),
    SeatLeft: of_seat("{player} leaves"),
    SeatReady: of_seat("{player} is ready"),
    MatchStarted: plain("The match begins"),
    ActionTaken: acted,
    TakenBack: taken_back,
    Resigned: of_seat("{player} resigns"),
    SeatReplaced: of_seat("Somebody else plays on for {player}"),
    TimedOut: timed_out,
    PauseAsked: of_seat("{player} asks for a pause"),
    Paused: plain("The match is paused"),
    Resumed: plain("The match goes on"),
    Voided: plain("The match is void"),
    MatchForked: forked,
    MatchEnded: plain("The match has ended"),
}


def told(fact: Fact) -> tuple[Message, ...]:
    """The sentence of a fact beside those of its effects; for an action it is wanted only where those are silent."""
    return TOLD[type(fact)](fact)
