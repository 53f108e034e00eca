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
    "bot": N_("{player} ran out of time: a bot takes over"),
    "resign": N_("{player} ran out of time and forfeits"),
    "skip": N_("{player} ran out of time: the server makes the simplest legal move"),
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
        Message(
            "{player} takes back moves to entry {version}",
            {"player": player(fact.seat), "version": fact.to_version},
        ),
    )


def narrate_time_out(fact: TimedOut) -> tuple[Message, ...]:
    """Narrate an expired clock by its policy."""
    return (Message(POLICIES[fact.policy], {"player": player(fact.seat)}),)


def narrate_fork(fact: MatchForked) -> tuple[Message, ...]:
    """Narrate the first entry of a fork."""
    return (Message("Forked from another match at entry {version}", {"version": fact.at}),)


def narrate_leaving(fact: SeatLeft) -> tuple[Message, ...]:
    """Narrate a player who leaves, or whom the service removes because they were not ready in time."""
    was_freed = fact.unready and fact.by == SERVICE
    sentence = N_("{player} was not ready in time and loses the seat") if was_freed else N_("{player} leaves")
    return (Message(sentence, {"player": player(fact.seat)}),)


COMMITTED: Final = {
    "client": N_("{player} seals a secret number"),
    "service": N_("{player} leaves the secret number to the server"),
}
ABSENT: Final = N_("{player} is away: the server adds the secret number")


def narrate_share(fact: ShareCommitted) -> tuple[Message, ...]:
    """Narrate a sealed secret number."""
    sentence = ABSENT if fact.by == SERVICE else COMMITTED[fact.share_by]
    return (Message(sentence, {"player": player(fact.seat)}),)


def narrate_ready(fact: SeatReady) -> tuple[Message, ...]:
    """Narrate a player who is ready, or replaced in the exchange of secret numbers."""
    sentence = ABSENT if fact.by == SERVICE else N_("{player} is ready")
    return (Message(sentence, {"player": player(fact.seat)}),)


def narrate_void(fact: Voided) -> tuple[Message, ...]:
    """Narrate a void match, with its reason if a table was closed or the owner of the device left."""
    if fact.reason == DISSOLVED:
        return (Message("Table closed: the same player kept the others waiting three times"),)
    if fact.reason == LEFT_TOO_OFTEN:
        return (Message("Table closed: players left three times after all secret numbers were sealed"),)
    if fact.reason == NOBODY_LEFT:
        return (Message("Table closed: everyone left"),)
    if fact.reason == OPENER_LEFT:
        return (Message("The match is void: the player whose device it was played on has left"),)
    return (Message("The match is void"),)


def narrate_resume(fact: Resumed) -> tuple[Message, ...]:
    """Narrate the end of a pause or a withdrawn request for one."""
    if fact.withdrawn is None:
        return (Message("The match resumes"),)
    return (Message("{player} withdraws the request for a pause", {"player": player(fact.withdrawn)}),)


GOES_ON: Final = N_("{player} continues")
NOTHING: Final = N_("Nothing happens")
NOTHING_SEEN: Final = frozenset({GOES_ON, NOTHING})
"""Sentences for actions with no visible effects; a reader misses nothing if several are merged."""


CHOSEN: Final = N_("The server makes the simplest move for {player}")


def is_chosen_by_service(fact: Fact) -> bool:
    """Return whether the service acted for a seat that timed out or resigned."""
    return isinstance(fact, ActionTaken) and fact.by == SERVICE and fact.seat >= 0


def narrate_action(fact: ActionTaken[Any, Any]) -> tuple[Message, ...]:
    """Narrate an action without visible effects, such as declining; actions chosen by the service are marked."""
    if is_chosen_by_service(fact):
        return (Message(CHOSEN, {"player": player(fact.seat)}),)
    return (Message(GOES_ON, {"player": player(fact.seat)}) if fact.seat >= 0 else Message(NOTHING),)


TOLD: Final[Mapping[type[Any], Callable[[Any], tuple[Message, ...]]]] = {
    MatchOpened: plain(N_("Table created")),
    SeatTaken: of_seat(N_("{player} joins")),
    SeatLeft: narrate_leaving,
    KeyNamed: of_seat(N_("{player} signs with another key")),
    SigningStopped: of_seat(N_("{player} continues without signing")),
    ShareCommitted: narrate_share,
    TableClosed: plain(N_("All secret numbers are sealed and now revealed")),
    TableReopened: plain(N_("A player left: the secret numbers are void, and new ones will be sealed")),
    SeatReady: narrate_ready,
    MatchStarted: plain(N_("The match begins")),
    ActionTaken: narrate_action,
    TakenBack: narrate_take_back,
    Resigned: of_seat(N_("{player} resigns")),
    SeatReplaced: of_seat(N_("Someone else takes over for {player}")),
    AbsenceAnnounced: of_seat(N_("{player} is away for a few days; their clock is paused")),
    AbsenceEnded: of_seat(N_("{player} is back")),
    TimedOut: narrate_time_out,
    PauseAsked: of_seat(N_("{player} asks for a pause")),
    Paused: plain(N_("The match is paused")),
    Resumed: narrate_resume,
    Voided: narrate_void,
    MatchForked: narrate_fork,
    RulingGiven: describe_ruling,
    MatchEnded: plain(N_("Match over")),
}


def narrate_fact(fact: Fact) -> tuple[Message, ...]:
    """Return the sentence of a fact; for actions it is needed only if the effects have none."""
    return TOLD[type(fact)](fact)
