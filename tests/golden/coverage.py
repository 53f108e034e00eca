"""Coverage of golden logs by title, and golden matches with players' shares of luck."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, Final, get_args

from domain.matches.aggregate import Match
from domain.matches.apply import fold
from domain.matches.consequences import open_line
from domain.matches.facts import ActionTaken, Clock, MatchStarted, Table, action_of
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import log_of
from domain.matches.play.in_memory import InMemoryMatch, fork_log, play_to_end, seeded_origins
from domain.matches.seats import luck_shares, opening
from domain.matches.titles import read_fact
from domain.titles import TITLES, el_grande, la_granja
from domain.titles.el_grande.cards import GREYS
from domain.titles.el_grande.decks import CARDS as DECKS
from domain.titles.el_grande.effects import (
    CardTakenBack,
    DraftDropped,
    PowerCardPlayed,
    RoundBegun,
    SpecialAnnounced,
    SpecialVetoed,
    TurnBegun,
)
from domain.titles.el_grande.options import ALLOWED
from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.components import EDITIONS
from workers.bots import BOTS

EARLIER_GREY: Final = "corner EG-20.7: a grey card of an earlier round comes back"
DROPPED_AND_USED: Final = "corner EG-12.2: a draft is dropped and its special action used all the same"


def union_names(kind: str, union: Any) -> set[str]:
    return {f"{kind} {each.__name__}" for each in get_args(union)}


def la_granja_things() -> set[str]:
    """Return everything of La Granja that must occur in some golden match."""
    return (
        union_names("action", la_granja.Action)
        | union_names("effect", la_granja.Effect)
        | {f"helper {card}" for card in CARDS}
        | {f"edition {edition}" for edition in EDITIONS}
        | {f"seats {count}" for count in (1, 2, 3, 4)}
    )


def la_granja_seen(match: Match, _: Iterable[Any]) -> set[str]:
    """Return the edition, and the helpers on farms at the end."""
    helpers = {f"helper {helper.card}" for farm in match.state.farms for helper in farm.helpers}
    return helpers | {f"edition {match.options['edition']}"}


def el_grande_things() -> set[str]:
    """Return everything of El Grande that must occur in some golden match."""
    return (
        union_names("action", el_grande.Action)
        | union_names("effect", el_grande.Effect)
        | {card_name(cards, card) for cards, deck in DECKS.items() for card in deck}
        | {f"special of {grey.id}" for grey in GREYS.values()}
        | {f"option {name}={value}" for name, values in ALLOWED.items() for value in values}
        | {f"seats {count}" for count in (2, 3, 4, 5)}
        | {EARLIER_GREY, DROPPED_AND_USED}
    )


def card_name(cards: str, card: str) -> str:
    """Return the name of a special action, with the card set if the sets differ (EG-26.1)."""
    is_same = all(deck.get(card, DECKS[cards][card]) == DECKS[cards][card] for deck in DECKS.values())
    return f"special of {card}" if is_same else f"special of {card}, {cards}"


def el_grande_seen(match: Match, effects: Iterable[Any]) -> set[str]:
    """Return the options of the match and the special actions carried out: announced and not vetoed."""
    seen = {f"option {name}={value}" for name, value in match.options.items()}
    announced = ""
    for effect in effects:
        if isinstance(effect, SpecialAnnounced):
            announced = effect.card
        elif isinstance(effect, SpecialVetoed):
            announced = ""
        elif type(effect).__name__ in {"SpecialEnded", "GreyUsed"} and announced:
            is_grey = announced not in DECKS[match.state.setting.cards]
            seen.add(f"special of {announced}" if is_grey else card_name(match.state.setting.cards, announced))
            announced = ""
    return seen | el_grande_corners(effects)


def el_grande_corners(effects: Iterable[Any]) -> set[str]:
    """Return the rare cases that are not a type of action or effect."""
    seen, of_this_round, is_dropped = set[str](), set[tuple[int, Any]](), False
    for effect in effects:
        if isinstance(effect, RoundBegun):
            of_this_round.clear()
        elif isinstance(effect, TurnBegun | DraftDropped):
            is_dropped = isinstance(effect, DraftDropped)
        elif isinstance(effect, SpecialAnnounced) and is_dropped:
            seen.add(DROPPED_AND_USED)
        elif isinstance(effect, PowerCardPlayed):
            of_this_round.add((effect.seat, effect.grey))
        elif isinstance(effect, CardTakenBack):
            card = effect.card.value
            if isinstance(card, str) and (effect.seat, card) not in of_this_round:
                seen.add(EARLIER_GREY)
    return seen


TITLE_THINGS: Final[Mapping[str, Callable[[], set[str]]]] = {
    el_grande.TITLE: el_grande_things,
    la_granja.TITLE: la_granja_things,
}
TITLE_SEEN: Final[Mapping[str, Callable[[Match, Iterable[Any]], set[str]]]] = {
    el_grande.TITLE: el_grande_seen,
    la_granja.TITLE: la_granja_seen,
}


def things_of(title: str, entries: Iterable[Entry]) -> set[str]:
    """Return everything that occurs in a match."""
    found: set[str] = set()
    effects: list[Any] = []
    line = tuple(entries)
    for entry in line:
        fact = read_fact(TITLES[title], entry)
        if isinstance(fact, MatchStarted | ActionTaken):
            effects += fact.effects
        if isinstance(fact, ActionTaken) and (action := action_of(fact)) is not None:
            found.add(f"action {type(action).__name__}")
    match = fold(TITLES, line)
    found |= {f"effect {type(effect).__name__}" for effect in effects} | {f"seats {len(match.seats)}"}
    return found | TITLE_SEEN[title](match, effects)


RANDOM: Final = BOTS["random"]
OPTIONS: Final = {"el_grande": {"cards": "2006", "short": "yes"}, "la_granja": {}}
PLAYERS: Final = {"anna": RANDOM.choose, "bea": RANDOM.choose, RANDOM.actor: RANDOM.choose}


def share_and_salt(words: str) -> tuple[bytes, bytes]:
    return sha256(f"share {words}".encode()).digest(), sha256(f"salt {words}".encode()).digest()


def commitment_of(play: InMemoryMatch, seat: int, actor: str, words: str) -> str:
    share, salt = share_and_salt(words)
    return luck_shares.share_commitment(play.match.id, seat, actor, salt, share)


def sit(play: InMemoryMatch, seat: int, actor: str, words: str) -> None:
    play.append(partial(opening.take_seat, seat=seat, by=actor, committed=commitment_of(play, seat, actor, words)))


def commit(play: InMemoryMatch, seat: int, actor: str, words: str) -> None:
    play.append(
        partial(luck_shares.commit_share, seat=seat, by=actor, committed=commitment_of(play, seat, actor, words))
    )


def show(play: InMemoryMatch, seat: int, actor: str, words: str) -> None:
    share, salt = share_and_salt(words)
    play.append(partial(opening.ready, seat=seat, by=actor, share=share.hex(), salt=salt.hex()))


def own_luck(title: str) -> InMemoryMatch:
    """Play with two people and a bot; one person leaves before the start and returns, and all shares are repeated."""
    origins, asked = seeded_origins(f"{title} own luck".encode()), Table(clock=Clock("increment", 600, 10))
    fact = opening.open_match(TITLES[title], seats=3, options=OPTIONS[title], table=asked, by="anna", seed=origins.seed)
    match, entries = open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step)
    play = InMemoryMatch(match, entries, origins)
    sit(play, 0, "anna", "first")
    play.append(partial(opening.take_seat, seat=1, by=RANDOM.actor))
    sit(play, 2, "bea", "of bea")
    show(play, 0, "anna", "first")
    play.append(partial(opening.leave_seat, seat=2, by="bea"))
    commit(play, 0, "anna", "second")
    play.append(partial(opening.take_seat, seat=2, by="bea", share_by="awaited"))
    commit(play, 2, "bea", "of bea again")
    show(play, 2, "bea", "of bea again")
    show(play, 0, "anna", "second")
    play_to_end(play, PLAYERS)
    return play


def forked_with_own_luck(title: str) -> InMemoryMatch:
    """Fork the finished match for one of its players, with her share of luck."""
    log = log_of(own_luck(title).entries)
    play = fork_log(
        log,
        at_version=60,
        luck="fresh",
        by="anna",
        origins=seeded_origins(b"fork with own luck"),
        titles=TITLES,
        seats=("anna", RANDOM.actor, RANDOM.actor),
        awaits=(0,),
    )
    commit(play, 0, "anna", "in the fork")
    show(play, 0, "anna", "in the fork")
    play_to_end(play, PLAYERS)
    return play


SCENES: Final[dict[str, Callable[[str], InMemoryMatch]]] = {
    "own-luck": own_luck,
    "forked-own-luck": forked_with_own_luck,
}
