"""The effects of a match, one elementary change each; hidden values name the seats that may see them (EG-21)."""

from domain.kernel.hidden import Hidden
from domain.kernel.values import Value, tagger
from domain.titles.el_grande.components import Area, Board, KingPlace, Place, Region
from domain.titles.el_grande.state import Announcement, DraftLine, Setting, Step


class Tagged(Value, frozen=True, tag=tagger("el_grande"), gc=False):
    """The base class of effects; its wire tag is the class name in snake case."""


class BoardLaid(Tagged, frozen=True):
    """The empty board was set up for the setting."""

    setting: Setting


class KingStood(Tagged, frozen=True):
    """The first region card placed the king (EG-1.6)."""

    region: Region


class HomeTaken(Tagged, frozen=True):
    """A region card placed a seat's Grande and 2 caballeros; 7 went to the Court (EG-1.7, EG-1.8)."""

    seat: int
    region: Region


class FirstPlayerSet(Tagged, frozen=True):
    """A seat received the first-player marker (EG-1.9, EG-8.2)."""

    seat: int


class GreyCardsDealt(Tagged, frozen=True):
    """Three grey cards were dealt; only the seat sees them (EG-20.1)."""

    seat: int
    cards: Hidden[tuple[str, ...]]


class GreyCardSetAside(Tagged, frozen=True):
    """A seat chose the grey card to pass."""

    seat: int
    card: Hidden[str]


class GreyCardPassed(Tagged, frozen=True):
    """A grey card went to the left neighbour; both seats know it."""

    seat: int
    to: int
    card: Hidden[str]


class StepBegun(Tagged, frozen=True, omit_defaults=True):
    """A step began.

    `seats` must decide, `subject` is the seat or colour concerned, `remaining` the count still to do. A step without
    seats runs automatically.
    """

    step: Step
    seats: tuple[int, ...] = ()
    subject: int = -1
    remaining: int = 0


class RoundBegun(Tagged, frozen=True):
    """The round marker advanced (EG-2.1)."""

    round: int
    index: int


class DummyRegionDrawn(Tagged, frozen=True):
    """The dummy drew a region card and placed `count` caballeros there (EG-16.5)."""

    region: Region
    count: int


class DummyRegionsShuffled(Tagged, frozen=True):
    """All nine region cards returned to the dummy's stack (EG-16.6)."""


class DummyPowerTurned(Tagged, frozen=True):
    """The dummy's power card of the round was turned up (EG-16.7)."""

    power: int


class ActionCardTurned(Tagged, frozen=True):
    """A card was put on offer, from a stack or as the returning king card (EG-3.1, EG-3.2)."""

    card: str
    from_stack: bool


class PowerCardPlayed(Tagged, frozen=True, omit_defaults=True):
    """A power card was played, optionally with a grey card; `result` determines the turn order (EG-20.2)."""

    seat: int
    power: int
    result: int
    grey: str | None = None


class TurnOrderSet(Tagged, frozen=True):
    """The turn order was set by result, highest first (EG-5.1)."""

    order: tuple[int, ...]


class TurnBegun(Tagged, frozen=True):
    """The turn of the next colour in the turn order began."""

    turn: int
    colour: int


class ActionCardTaken(Tagged, frozen=True):
    """A seat took a card from the offer (EG-5.7)."""

    seat: int
    card: str


class CaballerosMoved(Tagged, frozen=True, omit_defaults=True):
    """Caballeros moved, all lines at once; `placement` marks a placement of EG-5.9."""

    seat: int
    lines: tuple[DraftLine, ...]
    placement: bool = False


class SourceChosen(Tagged, frozen=True):
    """A seat picked up caballeros of a colour and place in a draft (EG-12.2)."""

    seat: int
    source: Hidden[tuple[int, Place]]


class LineDrafted(Tagged, frozen=True):
    """A seat added a line to a draft (EG-12.2)."""

    seat: int
    line: Hidden[DraftLine]


class DraftCorrected(Tagged, frozen=True):
    """A seat undid the last step of a draft (EG-12.2)."""

    seat: int


class DraftDropped(Tagged, frozen=True):
    """A seat discarded its draft."""

    seat: int


class SpecialAnnounced(Tagged, frozen=True, omit_defaults=True):
    """A seat announced a special action or grey effect with all choices; a card taken back stays hidden (EG-12.15)."""

    seat: int
    card: str
    announcement: Announcement
    taken_back: Hidden[int | str] | None = None


class SpecialVetoed(Tagged, frozen=True):
    """A Veto cancelled the special action and was discarded (EG-19.4)."""

    seat: int
    by: int
    card: str


class SpecialEnded(Tagged, frozen=True):
    """The special action of this turn ended."""

    seat: int


class GreyUsed(Tagged, frozen=True):
    """The effect of the grey card ended, used or not (EG-20.5)."""

    seat: int


class SecretChosen(Tagged, frozen=True, omit_defaults=True):
    """A seat made a secret choice; no region means a disc left unclear (EG-13, EG-9.1)."""

    seat: int
    region: Hidden[Region | None]


class SecretsRevealed(Tagged, frozen=True):
    """All secret choices were revealed, including the automatic choices of seats with one option (EG-13.1, EG-13.4)."""

    seats: tuple[int, ...]
    regions: tuple[Region | None, ...]


class KingMoved(Tagged, frozen=True):
    """The king moved (EG-12.19)."""

    place: KingPlace


class GrandeMoved(Tagged, frozen=True):
    """A Grande moved to another area (EG-12.16, EG-18.6)."""

    seat: int
    area: Area


class ScoreboardPlaced(Tagged, frozen=True):
    """An alternative scoreboard was placed at an area (EG-12.14)."""

    board: Board
    area: Area


class CardTakenBack(Tagged, frozen=True):
    """A card returned to the hand, unseen by others (EG-12.15)."""

    seat: int
    card: Hidden[int | str]


class VetoLaid(Tagged, frozen=True):
    """A Veto was laid open until the end of the round with index `until` (EG-19.4)."""

    seat: int
    card: str
    until: int


class VetoDiscarded(Tagged, frozen=True):
    """An unused Veto was discarded (EG-19.4d)."""

    seat: int
    card: str


class InfiltrationAllowed(Tagged, frozen=True):
    """The placement of this turn may use the king's region (EG-18.9)."""

    seat: int


class CastilloOpened(Tagged, frozen=True):
    """The Castillo was opened; `counts` are its caballeros by colour (EG-9.4, EG-12.11)."""

    counts: tuple[int, ...]


class AreaScored(Tagged, frozen=True):
    """An area was scored; `points` by seat (EG-10)."""

    area: Area
    points: tuple[int, ...]


class TurnEnded(Tagged, frozen=True):
    """The turn of a colour ended and its action card was discarded (EG-5.13)."""

    colour: int


class RoundEnded(Tagged, frozen=True):
    """The round ended; remaining action cards and played power cards were discarded (EG-8.1, EG-8.3)."""


Effect = (
    BoardLaid
    | KingStood
    | HomeTaken
    | FirstPlayerSet
    | GreyCardsDealt
    | GreyCardSetAside
    | GreyCardPassed
    | StepBegun
    | RoundBegun
    | DummyRegionDrawn
    | DummyRegionsShuffled
    | DummyPowerTurned
    | ActionCardTurned
    | PowerCardPlayed
    | TurnOrderSet
    | TurnBegun
    | ActionCardTaken
    | CaballerosMoved
    | SourceChosen
    | LineDrafted
    | DraftCorrected
    | DraftDropped
    | SpecialAnnounced
    | SpecialVetoed
    | SpecialEnded
    | GreyUsed
    | SecretChosen
    | SecretsRevealed
    | KingMoved
    | GrandeMoved
    | ScoreboardPlaced
    | CardTakenBack
    | VetoLaid
    | VetoDiscarded
    | InfiltrationAllowed
    | CastilloOpened
    | AreaScored
    | TurnEnded
    | RoundEnded
)
