"""The actions of a seat; each holds a single choice (EG-25)."""

from typing import Final

from domain.kernel.values import Value, tagger
from domain.titles.el_grande.components import Area, Board, KingPlace, Place, Region


class Tagged(Value, frozen=True, tag=tagger("el_grande"), gc=False):
    """The base class of actions; its wire tag is the class name in snake case, such as `el_grande.play_power_card`."""


class PassGreyCard(Tagged, frozen=True):
    """Pass one of the three dealt grey cards to the left neighbour (EG-20.1)."""

    card: str


class PlayPowerCard(Tagged, frozen=True, omit_defaults=True):
    """Play a power card, optionally with a grey card (EG-4.1, EG-20.2)."""

    power: int
    grey: str | None = None


class CallCaballeros(Tagged, frozen=True):
    """Call `count` caballeros to the Court; regions may make up for an empty Province (EG-5.3, EG-5.5)."""

    count: int


class CallFromRegion(Tagged, frozen=True):
    """Call caballeros from a region to make up for those missing in the Province (EG-5.5)."""

    region: Region
    count: int


class EndCall(Tagged, frozen=True):
    """Stop calling caballeros from regions (EG-5.5)."""


class DeclineGrey(Tagged, frozen=True):
    """Leave the effect of the grey card unused (EG-20.8)."""


class TakeActionCard(Tagged, frozen=True):
    """Take an action card on offer (EG-5.7)."""

    card: str


class PlaceCaballeros(Tagged, frozen=True):
    """Place caballeros from the Court in an area; the placement lasts until the seat does something else (EG-5.9)."""

    area: Area
    count: int


class EndTurn(Tagged, frozen=True):
    """End the turn and leave the rest of the action card unused (EG-5.8)."""


class ChooseSource(Tagged, frozen=True):
    """Pick up caballeros of a colour from a place, as the first half of a draft line (EG-12.2)."""

    colour: int
    source: Place


class SendCaballeros(Tagged, frozen=True):
    """Move `count` of the picked-up caballeros to a place, which completes a draft line (EG-12.2)."""

    target: Place
    count: int


class CloseDraft(Tagged, frozen=True):
    """Announce the draft (EG-12.2)."""


class CorrectDraft(Tagged, frozen=True):
    """Put down the picked-up caballeros of a draft, or else undo its last line (EG-12.2)."""


class DropDraft(Tagged, frozen=True):
    """Discard the whole draft; the special action stays available while corrections are left (EG-12.2, EG-5.8)."""


class UseSpecial(Tagged, frozen=True):
    """Carry out a special action that needs no choice or has no effect (EG-12.20)."""


class MoveKing(Tagged, frozen=True):
    """Move the king (EG-12.19)."""

    place: KingPlace


class MoveGrande(Tagged, frozen=True):
    """Move the player's Grande (EG-12.16)."""

    region: Region


class NameArea(Tagged, frozen=True):
    """Choose the region of a special action; some cards of 2006 also allow the Castillo (EG-12.9, EG-12.17)."""

    area: Area


class PlaceScoreboard(Tagged, frozen=True):
    """Put an alternative scoreboard at an area (EG-12.14)."""

    board: Board
    area: Area


class TakeBackCard(Tagged, frozen=True):
    """Take back a power card or grey card from the player's discard pile, unseen by others (EG-12.15, EG-20.7)."""

    card: int | str


class AllowSpecial(Tagged, frozen=True):
    """Allow an announced special action (EG-19.4)."""


class UseVeto(Tagged, frozen=True):
    """Cancel an announced special action (EG-19.4)."""


class SendBack(Tagged, frozen=True):
    """Send own caballeros from a region or the Court to the Province for Withdrawal (EG-12.6)."""

    source: Place
    count: int


class ChooseRegion(Tagged, frozen=True):
    """Choose a region secretly because of a card (EG-13)."""

    region: Region


class SetDisc(Tagged, frozen=True, omit_defaults=True):
    """Set the disc for a general scoring; no region leaves it unclear (EG-9.1, EG-9.3)."""

    region: Region | None = None


Action = (
    PassGreyCard
    | PlayPowerCard
    | CallCaballeros
    | CallFromRegion
    | EndCall
    | DeclineGrey
    | TakeActionCard
    | PlaceCaballeros
    | EndTurn
    | ChooseSource
    | SendCaballeros
    | CloseDraft
    | CorrectDraft
    | DropDraft
    | UseSpecial
    | MoveKing
    | MoveGrande
    | NameArea
    | PlaceScoreboard
    | TakeBackCard
    | AllowSpecial
    | UseVeto
    | SendBack
    | ChooseRegion
    | SetDisc
)

SECRET_ACTIONS: Final = frozenset({PassGreyCard, ChooseSource, SendCaballeros, TakeBackCard, ChooseRegion, SetDisc})
"""Action types that the log stores encrypted as a whole: drafts, secret choices, cards taken back (EG-21.3)."""
