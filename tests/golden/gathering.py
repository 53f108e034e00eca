"""Golden matches whose players bring shares of luck: to a table that one of them leaves, and to a fork."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Final

from domain.matches.consequences import open_line
from domain.matches.facts import Clock, Table
from domain.matches.log.file import log_of
from domain.matches.play.in_memory import Play, fork_log, play_on, seed_luck
from domain.matches.seats import opening, sharing
from domain.titles import TITLES
from workers.bots import BOTS

RANDOM: Final = BOTS["random"]
OPTIONS: Final = {"el_grande": {"cards": "2006", "short": "yes"}, "la_granja": {}}
PLAYERS: Final = {"anna": RANDOM.choose, "bea": RANDOM.choose, RANDOM.actor: RANDOM.choose}


def share_and_salt(words: str) -> tuple[bytes, bytes]:
    return sha256(f"share {words}".encode()).digest(), sha256(f"salt {words}".encode()).digest()


def committed(play: Play, seat: int, actor: str, words: str) -> str:
    share, salt = share_and_salt(words)
    return sharing.share_commitment(play.match.id, seat, actor, salt, share)


def sit(play: Play, seat: int, actor: str, words: str) -> None:
    play.do(partial(opening.take_seat, seat=seat, by=actor, committed=committed(play, seat, actor, words)))


def commit(play: Play, seat: int, actor: str, words: str) -> None:
    play.do(partial(sharing.commit_share, seat=seat, by=actor, committed=committed(play, seat, actor, words)))


def show(play: Play, seat: int, actor: str, words: str) -> None:
    share, salt = share_and_salt(words)
    play.do(partial(opening.ready, seat=seat, by=actor, share=share.hex(), salt=salt.hex()))


def own_luck(title: str) -> Play:
    """Two people and a bot; one leaves the closed table and comes back, and all shares are made anew."""
    origins, asked = seed_luck(f"{title} own luck".encode()), Table(clock=Clock("increment", 600, 10))
    fact = opening.open_match(TITLES[title], seats=3, options=OPTIONS[title], table=asked, by="anna", seed=origins.seed)
    match, entries = open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step)
    play = Play(match, entries, origins)
    sit(play, 0, "anna", "first")
    play.do(partial(opening.take_seat, seat=1, by=RANDOM.actor))
    sit(play, 2, "bea", "of bea")
    show(play, 0, "anna", "first")
    play.do(partial(opening.leave_seat, seat=2, by="bea"))
    commit(play, 0, "anna", "second")
    play.do(partial(opening.take_seat, seat=2, by="bea", share_by="awaited"))
    commit(play, 2, "bea", "of bea again")
    show(play, 2, "bea", "of bea again")
    show(play, 0, "anna", "second")
    play_on(play, PLAYERS)
    return play


def forked_with_own_luck(title: str) -> Play:
    """One of the two goes on from a match that has ended, with a luck of her own."""
    log = log_of(own_luck(title).entries)
    play = fork_log(
        log,
        at_version=60,
        luck="fresh",
        by="anna",
        origins=seed_luck(b"fork with own luck"),
        titles=TITLES,
        seats=("anna", RANDOM.actor, RANDOM.actor),
        awaits=(0,),
    )
    commit(play, 0, "anna", "in the fork")
    show(play, 0, "anna", "in the fork")
    play_on(play, PLAYERS)
    return play


SCENES: Final[dict[str, Callable[[str], Play]]] = {
    "own-luck": own_luck,
    "forked-own-luck": forked_with_own_luck,
}
