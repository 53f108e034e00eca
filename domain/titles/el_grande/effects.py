"""What happens, one elementary change each; hidden parts carry who may see them (EG-21)."""

from domain.kernel.hidden import Hidden
from domain.kernel.values import Value, tagger
from domain.titles.el_grande.components import Area, Board, KingPlace, Place, Region
from domain.titles.el_grande.state import Announcement, DraftLine, Setting, Step


class Tagged(Value, frozen=True, tag=tagger("el_grande"), gc=False):
    """An effect; its tag is its name."""


class BoardLaid(Tagged, frozen=True):
    """The empty board of the setting."""

    setting: Setting


class KingStood(Tagged, frozen=True):
    """The first region card: the king's region (EG-1.6)."""

    region: Region


class HomeTaken(Tagged, frozen=True):
    """A region card: Grande and 2 caballeros there, 7 in the Court (EG-1.7, EG-1.8)."""

    seat: int
    region: Region


class FirstPlayerSet(Tagged, frozen=True):
    """Who holds the first-player marker (EG-1.9, EG-8.2)."""

    seat: int


class GreyCardsDealt(Tagged, frozen=True):
    """Three grey cards, seen by their seat (EG-20.1)."""

    seat: int
    cards: Hidden[tuple[str, ...]]


class GreyCardSetAside(Tagged, frozen=True):
    """A seat has chosen the grey card it will pass."""

    seat: int
    card: Hidden[str]


class GreyCardPassed(Tagged, frozen=True):
    """The card goes to the left neighbour; both know it."""

    seat: int
    to: int
    card: Hidden[str]


class StepBegun(Tagged, frozen=True, omit_defaults=True):
    """A step begins: who must decide, of whom it is, how much is left to do; without seats it passes by itself."""

    step: Step
    seats: tuple[int, ...] = ()
    subject: int = -1
    remaining: int = 0


class RoundBegun(Tagged, frozen=True):
    """The round marker advances (EG-2.1)."""

    round: int
    index: int


class DummyRegionDrawn(Tagged, frozen=True):
    """A region card of the dummy and how many of its caballeros go there (EG-16.5)."""

    region: Region
    count: int


class DummyRegionsShuffled(Tagged, frozen=True):
    """All nine region cards are in the dummy's stack again (EG-16.6)."""


class DummyPowerTurned(Tagged, frozen=True):
    """The dummy's power card of the round (EG-16.7)."""

    power: int


class ActionCardTurned(Tagged, frozen=True):
    """A card comes on offer (EG-3.1); the king card comes back by itself (EG-3.2)."""

    card: str
    from_stack: bool


class PowerCardPlayed(Tagged, frozen=True, omit_defaults=True):
    """A power card, perhaps with a grey one, lies on the table; `result` counts for the order (EG-20.2)."""

    seat: int
    power: int
    result: int
    grey: str | None = None


class TurnOrderSet(Tagged, frozen=True):
    """Colours by their results, highest first (EG-5.1)."""

    order: tuple[int, ...]


class TurnBegun(Tagged, frozen=True):
    """The next colour in the order has its turn."""

    turn: int
    colour: int


class ActionCardTaken(Tagged, frozen=True):
    """A card leaves the offer (EG-5.7)."""

    seat: int
    card: str


class CaballerosMoved(Tagged, frozen=True, omit_defaults=True):
    """Caballeros change places, all lines at once; `placement` when it is one of EG-5.9."""

    seat: int
    lines: tuple[DraftLine, ...]
    placement: bool = False


class SourceChosen(Tagged, frozen=True):
    """In a draft: colour and place of the caballeros taken up (EG-12.2)."""

    seat: int
    source: Hidden[tuple[int, Place]]


class LineDrafted(Tagged, frozen=True):
    """In a draft: a line more (EG-12.2)."""

    seat: int
    line: Hidden[DraftLine]


class DraftCorrected(Tagged, frozen=True):
    """In a draft: the last step is taken back (EG-12.2)."""

    seat: int


class DraftDropped(Tagged, frozen=True):
    """A draft is given up."""

    seat: int


class SpecialAnnounced(Tagged, frozen=True, omit_defaults=True):
    """A special action or grey effect with all its choices; what Empowerment takes back stays hidden (EG-12.15)."""

    seat: int
    card: str
    announcement: Announcement
    taken_back: Hidden[int | str] | None = None


class SpecialVetoed(Tagged, frozen=True):
    """A Veto cancels the special action; the Veto card is discarded (EG-19.4)."""

    seat: int
    by: int
    card: str


class SpecialEnded(Tagged, frozen=True):
    """The special action of this turn is over."""

    seat: int


class GreyUsed(Tagged, frozen=True):
    """The effect of the grey card is over, used or not (EG-20.5)."""

    seat: int


class SecretChosen(Tagged, frozen=True, omit_defaults=True):
    """A secret choice; no region is a disc left unclear (EG-13, EG-9.1)."""

    seat: int
    region: Hidden[Region | None]


class SecretsRevealed(Tagged, frozen=True):
    """All secret choices at once, with those that were made for seats without another (EG-13.1, EG-13.4)."""

    seats: tuple[int, ...]
    regions: tuple[Region | None, ...]


class KingMoved(Tagged, frozen=True):
    """The king goes elsewhere (EG-12.19)."""

    place: KingPlace


class GrandeMoved(Tagged, frozen=True):
    """A Grande goes to another area (EG-12.16, EG-18.6)."""

    seat: int
    area: Area


class ScoreboardPlaced(Tagged, frozen=True):
    """An alternative scoreboard lies at an area (EG-12.14)."""

    board: Board
    area: Area


class CardTakenBack(Tagged, frozen=True):
    """A card comes back to the hand, unseen by others (EG-12.15)."""

    seat: int
    card: Hidden[int | str]


class VetoLaid(Tagged, frozen=True):
    """A Veto lies open until the round with this index is over (EG-19.4)."""

    seat: int
    card: str
    until: int


class VetoDiscarded(Tagged, frozen=True):
    """An unused Veto leaves the table (EG-19.4d)."""

    seat: int
    card: str


class InfiltrationAllowed(Tagged, frozen=True):
    """This turn's placement may use the king's region (EG-18.9)."""

    seat: int


class CastilloOpened(Tagged, frozen=True):
    """What is in the Castillo, by colour (EG-9.4, EG-12.11)."""

    counts: tuple[int, ...]


class AreaScored(Tagged, frozen=True):
    """Points of every seat for an area (EG-10)."""

    area: Area
    points: tuple[int, ...]


class TurnEnded(Tagged, frozen=True):
    """The turn of a colour is over; its action card is discarded (EG-5.13)."""

    colour: int


class RoundEnded(Tagged, frozen=True):
    """Cards left over and power cards are put away (EG-8.1, EG-8.3)."""


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
