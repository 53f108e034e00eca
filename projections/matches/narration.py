"""Sentences for events of a match outside the game; titles narrate the effects of actions."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.disputes.words import describe_ruling
from domain.kernel.messages import N_, Message, player
from domain.matches.facts import (
    SERVICE,
    ActionTaken,
    Fact,
    KeyNamed,
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
    ShareCommitted,
    SigningStopped,
    TableClosed,
    TableReopened,
    TakenBack,
    TimedOut,
    Voided,
)
from domain.matches.play.absences import AbsenceAnnounced, AbsenceEnded
from domain.matches.seats.departures import OPENER_LEFT
from domain.matches.seats.opening import DISSOLVED, LEFT_TOO_OFTEN, NOBODY_LEFT

POLICIES: Final = {
    "bot": N_("The time of {player} ran out: a bot plays on"),
    "resign": N_("The time of {player} ran out: the seat is resigned"),
    "skip": N_("The time of {player} ran out: the server plays the simplest legal action"),
}


def of_seat(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    """Return a function that puts the player of the fact's seat into the sentence."""
    return lambda fact: (Message(sentence, {"player": player(fact.seat)}),)


def plain(sentence: str) -> Callable[[Any], tuple[Message, ...]]:
    """Return a function that gives the sentence for any fact."""
    return lambda _: (Message(sentence),)


def narrate_take_back(fact: TakenBack) -> tuple[Message, ...]:
    """Narrate a take-back."""
    return (
        Message("{player} takes back to entry {version}", {"player": player(fact.seat), "version": fact.to_version}),
    )


def narrate_time_out(fact: TimedOut) -> tuple[Message, ...]:
    """Narrate an expired clock by its policy."""
    return (Message(POLICIES[fact.policy], {"player": player(fact.seat)}),)


def narrate_fork(fact: MatchForked) -> tuple[Message, ...]:
    """Narrate the first entry of a fork."""
    return (Message("This match continues another one from its entry {version}", {"version": fact.at}),)


def narrate_leaving(fact: SeatLeft) -> tuple[Message, ...]:
    """Narrate a player who leaves or is removed."""
    was_freed = fact.unready and fact.by == SERVICE
    sentence = N_("{player} was not ready in time and loses the seat") if was_freed else N_("{player} leaves")
    return (Message(sentence, {"player": player(fact.seat)}),)


COMMITTED: Final = {
    "client": N_("{player} seals a secret number"),
    "service": N_("{player} leaves the secret number to the server"),
}
ABSENT: Final = N_("{player} is not here: the server adds the secret number")


def narrate_share(fact: ShareCommitted) -> tuple[Message, ...]:
    """Narrate a sealed secret number."""
    sentence = ABSENT if fact.by == SERVICE else COMMITTED[fact.share_by]
    return (Message(sentence, {"player": player(fact.seat)}),)


def narrate_ready(fact: SeatReady) -> tuple[Message, ...]:
    """Narrate a player who is ready, or replaced in the exchange of secret numbers."""
    sentence = ABSENT if fact.by == SERVICE else N_("{player} is ready")
    return (Message(sentence, {"player": player(fact.seat)}),)


def narrate_void(fact: Voided) -> tuple[Message, ...]:
    """Narrate the reason of a void match."""
    if fact.reason == DISSOLVED:
        return (Message("The table is dissolved: the same player kept the others waiting three times"),)
    if fact.reason == LEFT_TOO_OFTEN:
        return (Message("The table is dissolved: three times somebody left when all secret numbers were sealed"),)
    if fact.reason == NOBODY_LEFT:
        return (Message("The table is dissolved: everybody has left it"),)
    if fact.reason == OPENER_LEFT:
        return (Message("The match is void: who opened the table on one device is gone"),)
    return (Message("The match is void"),)


def narrate_resume(fact: Resumed) -> tuple[Message, ...]:
    """Narrate the end of a pause or a withdrawn request for one."""
    if fact.withdrawn is None:
        return (Message("The match goes on"),)
    return (Message("{player} no longer asks for a pause", {"player": player(fact.withdrawn)}),)


GOES_ON: Final = N_("{player} goes on")
NOTHING: Final = N_("Nothing happens")
NOTHING_SEEN: Final = frozenset({GOES_ON, NOTHING})
"""Sentences for actions with no visible effects; a reader misses nothing if several are merged."""


CHOSEN: Final = N_("The server plays the simplest action for {player}")


def is_chosen_by_service(fact: Fact) -> bool:
    """Return whether the service acted for a seat that timed out or resigned."""
    return isinstance(fact, ActionTaken) and fact.by == SERVICE and fact.seat >= 0


def narrate_action(fact: ActionTaken[Any, Any]) -> tuple[Message, ...]:
    """Narrate an action without visible effects, such as declining; actions chosen by the service are marked."""
    if is_chosen_by_service(fact):
        return (Message(CHOSEN, {"player": player(fact.seat)}),)
    return (Message(GOES_ON, {"player": player(fact.seat)}) if fact.seat >= 0 else Message(NOTHING),)


TOLD: Final[Mapping[type[Any], Callable[[Any], tuple[Message, ...]]]] = {
    MatchOpened: plain(N_("The table is opened")),
    SeatTaken: of_seat(N_("{player} sits down")),
    SeatLeft: narrate_leaving,
    KeyNamed: of_seat(N_("{player} signs with another key")),
    SigningStopped: of_seat(N_("{player} goes on without signing")),
    ShareCommitted: narrate_share,
    TableClosed: plain(N_("All secret numbers are sealed; now they are shown")),
    TableReopened: plain(N_("Somebody has left: all secret numbers are void, and new ones are sealed")),
    SeatReady: narrate_ready,
    MatchStarted: plain(N_("The match begins")),
    ActionTaken: narrate_action,
    TakenBack: narrate_take_back,
    Resigned: of_seat(N_("{player} resigns")),
    SeatReplaced: of_seat(N_("Somebody else plays on for {player}")),
    AbsenceAnnounced: of_seat(N_("{player} is away for some days; meanwhile their clock stands still")),
    AbsenceEnded: of_seat(N_("{player} is back")),
    TimedOut: narrate_time_out,
    PauseAsked: of_seat(N_("{player} asks for a pause")),
    Paused: plain(N_("The match is paused")),
    Resumed: narrate_resume,
    Voided: narrate_void,
    MatchForked: narrate_fork,
    RulingGiven: describe_ruling,
    MatchEnded: plain(N_("The match has ended")),
}


def narrate_fact(fact: Fact) -> tuple[Message, ...]:
    """Return the sentence of a fact; for actions it is needed only if the effects have none."""
    return TOLD[type(fact)](fact)
