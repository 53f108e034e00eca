"""What happened to the match itself, in sentences; what happened in the game is narrated by its title."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.disputes.words import ruling_told
from domain.kernel.messages import N_, Message, player
from domain.matches.facts import (
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
    RulingGiven,
    SeatLeft,
    SeatReady,
    SeatReplaced,
    SeatTaken,
    TakenBack,
    TimedOut,
    Voided,
)

POLICIES: Final = {
    "bot": N_("The time of {player} ran out: a bot plays on"),
    "resign": N_("The time of {player} ran out: the seat is resigned"),
    "skip": N_("The time of {player} ran out: the turn is skipped"),
}


def of_seat(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    """The sentence about the player of the fact's seat."""
    return lambda fact: (Message(sentence, {"player": player(fact.seat)}),)


def plain(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    return lambda _: (Message(sentence),)


def taken_back(fact: TakenBack) -> tuple[Message, ...]:
    return (
        Message("{player} takes back to entry {version}", {"player": player(fact.seat), "version": fact.to_version}),
    )


def timed_out(fact: TimedOut) -> tuple[Message, ...]:
    return (Message(POLICIES[fact.policy], {"player": player(fact.seat)}),)


def narrate_fork(fact: MatchForked) -> tuple[Message, ...]:
    return (Message("A new match goes on from entry {version}", {"version": fact.at}),)


GOES_ON: Final = N_("{player} goes on")
NOTHING: Final = N_("Nothing happens")
NOTHING_SEEN: Final = frozenset({GOES_ON, NOTHING})
"""What is said of an action whose effects nobody tells: of more than one in a row none is missed."""


def narrate_action(fact: ActionTaken[Any, Any]) -> tuple[Message, ...]:
    """What stands for an action whose effects nobody tells, such as declining."""
    return (Message(GOES_ON, {"player": player(fact.seat)}) if fact.seat >= 0 else Message(NOTHING),)


TOLD: Final[Mapping[type[Any], Callable[[Any], tuple[Message, ...]]]] = {
    MatchOpened: plain(N_("The table is opened")),
    SeatTaken: of_seat(N_("{player} sits down")),
    SeatLeft: of_seat(N_("{player} leaves")),
    SeatReady: of_seat(N_("{player} is ready")),
    MatchStarted: plain(N_("The match begins")),
    ActionTaken: narrate_action,
    TakenBack: taken_back,
    Resigned: of_seat(N_("{player} resigns")),
    SeatReplaced: of_seat(N_("Somebody else plays on for {player}")),
    TimedOut: timed_out,
    PauseAsked: of_seat(N_("{player} asks for a pause")),
    Paused: plain(N_("The match is paused")),
    Resumed: plain(N_("The match goes on")),
    Voided: plain(N_("The match is void")),
    MatchForked: narrate_fork,
    RulingGiven: ruling_told,
    MatchEnded: plain(N_("The match has ended")),
}


def narrate_fact(fact: Fact) -> tuple[Message, ...]:
    """The sentence of a fact beside those of its effects; for an action it is wanted only where those are silent."""
    return TOLD[type(fact)](fact)
