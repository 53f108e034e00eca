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
    "bot": "The time of player {player} ran out: a bot plays on.",
    "resign": "The time of player {player} ran out: the seat is resigned.",
    "skip": "The time of player {player} ran out: the turn is skipped.",
}


def of_seat(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    """The sentence about the player of the fact's seat; players are counted from 1."""
    return lambda fact: (Message(sentence, {"player": fact.seat + 1}),)


def plain(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    return lambda _: (Message(sentence),)


def taken_back(fact: TakenBack) -> tuple[Message, ...]:
    sentence = "Player {player} takes back to entry {version}."
    return (Message(sentence, {"player": fact.seat + 1, "version": fact.to_version}),)


def timed_out(fact: TimedOut) -> tuple[Message, ...]:
    return (Message(POLICIES[fact.policy], {"player": fact.seat + 1}),)


def forked(fact: MatchForked) -> tuple[Message, ...]:
    return (Message("A new match goes on from entry {version}.", {"version": fact.at}),)


def nothing(_: ActionTaken[Any, Any]) -> tuple[Message, ...]:
    return ()


TOLD: Final[Mapping[type[Any], Callable[[Any], tuple[Message, ...]]]] = {
    MatchOpened: plain("The table is opened."),
    SeatTaken: of_seat("Player {player} sits down."),
    SeatLeft: of_seat("Player {player} leaves."),
    SeatReady: of_seat("Player {player} is ready."),
    MatchStarted: plain("The match begins."),
    ActionTaken: nothing,
    TakenBack: taken_back,
    Resigned: of_seat("Player {player} resigns."),
    SeatReplaced: of_seat("Somebody else plays on for player {player}."),
    TimedOut: timed_out,
    PauseAsked: of_seat("Player {player} asks for a pause."),
    Paused: plain("The match is paused."),
    Resumed: plain("The match goes on."),
    Voided: plain("The match is void."),
    MatchForked: forked,
    MatchEnded: plain("The match has ended."),
}


def told(fact: Fact) -> tuple[Message, ...]:
    """The sentences of a fact beside those of its effects."""
    return TOLD[type(fact)](fact)
