"""Golden matches of El Grande for what plain play hardly ever brings about; each is the first that has its corner."""

from typing import Any, Final

from domain.matches.play.in_memory import Choose, Play, play_on, seed_luck, table_of_bots
from domain.titles import TITLES
from domain.titles.el_grande.actions import CorrectDraft, DropDraft, PlayPowerCard, TakeActionCard, TakeBackCard
from tests.golden.coverage import DROPPED_AND_USED, EARLIER_GREY, things_of
from workers.bots import BOTS

RANDOM: Final = BOTS["random"]
TRIES: Final = 400


def empowered(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    """Adds grey cards to power cards, takes Empowerment wherever it can, and with it grey cards of earlier rounds."""
    own = view.players[view.seat]
    back = [each for each in legal if isinstance(each, TakeBackCard) and each.card not in {*range(14), own.grey}]
    greys = [each for each in legal if isinstance(each, PlayPowerCard) and each.grey is not None]
    taken = [each for each in legal if isinstance(each, TakeActionCard) and each.card.startswith("s4-empowerment")]
    return RANDOM.choose(rules, view, tuple(back or greys or taken or legal), seed)


def wavering(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
    """Begins special actions rather than not, and corrects one step of a draft in three."""
    corrections = [each for each in legal if isinstance(each, CorrectDraft | DropDraft)]
    wanted = corrections if corrections and seed[0] % 3 == 0 else legal[1:] or legal
    return RANDOM.choose(rules, view, tuple(wanted), seed)


def first_with(thing: str, seats: int, chosen: dict[str, str], choose: Choose) -> Play:
    """The first of the seeded matches in which the thing occurs."""
    for number in range(TRIES):
        luck = seed_luck(f"{thing}/{number}".encode())
        play = table_of_bots(TITLES["el_grande"], (RANDOM.actor,) * seats, chosen, luck)
        play_on(play, {RANDOM.actor: choose})
        if thing in things_of("el_grande", play.entries):
            return play
    raise AssertionError(f"{thing}: not in {TRIES} matches")


def empowerment(_: str) -> Play:
    """Empowerment takes back a grey card of an earlier round (EG-20.7)."""
    return first_with(EARLIER_GREY, 3, {"cards": "2023", "shift_of_power": "yes", "short": "yes"}, empowered)


def corrected(_: str) -> Play:
    """Drafts are corrected step by step and dropped whole, and their special actions used (EG-12.2)."""
    return first_with(DROPPED_AND_USED, 3, {"cards": "2023", "shift_of_power": "yes", "short": "yes"}, wavering)
