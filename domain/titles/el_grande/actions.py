"""What a seat may choose: small actions, one choice each (EG-25)."""

from typing import Final

from domain.kernel.values import Value, tagger
from domain.titles.el_grande.components import Area, Board, KingPlace, Place, Region


class Tagged(Value, frozen=True, tag=tagger("el_grande"), gc=False):
    """The base of every action: named on the wire as `el_grande.play_power_card`."""


class PassGreyCard(Tagged, frozen=True):
    """Give one of the three grey cards dealt to the left neighbour (EG-20.1)."""

    card: str


class PlayPowerCard(Tagged, frozen=True, omit_defaults=True):
    """Play a power card, perhaps with a grey card (EG-4.1, EG-20.2)."""

    power: int
    grey: str | None = None


class CallCaballeros(Tagged, frozen=True):
    """Call so many caballeros to the Court; what the Province lacks may then come from regions (EG-5.3, EG-5.5)."""

    count: int


class CallFromRegion(Tagged, frozen=True):
    """Make up what the Province lacked with caballeros of a region (EG-5.5)."""

    region: Region
    count: int


class EndCall(Tagged, frozen=True):
    """Call no more caballeros from regions (EG-5.5)."""


class DeclineGrey(Tagged, frozen=True):
    """Leave the effect of the grey card unused (EG-20.8)."""


class TakeActionCard(Tagged, frozen=True):
    """Take an action card on offer (EG-5.7)."""

    card: str


class PlaceCaballeros(Tagged, frozen=True):
    """Place caballeros from the Court in an area; the placement goes on until something else is done (EG-5.9)."""

    area: Area
    count: int


class EndTurn(Tagged, frozen=True):
    """Leave the rest of the action card unused (EG-5.8)."""


class ChooseSource(Tagged, frozen=True):
    """In a draft: take up caballeros of a colour here (EG-12.2)."""

    colour: int
    source: Place


class SendCaballeros(Tagged, frozen=True):
    """In a draft: so many of the caballeros taken up go there (EG-12.2)."""

    target: Place
    count: int


class CloseDraft(Tagged, frozen=True):
    """Announce the draft as it stands (EG-12.2)."""


class CorrectDraft(Tagged, frozen=True):
    """In a draft: put down what is taken up, else take back the last line (EG-12.2)."""


class DropDraft(Tagged, frozen=True):
    """Give up a draft whole; the effect may still be used, unless no correction is left (EG-12.2, EG-5.8)."""


class UseSpecial(Tagged, frozen=True):
    """Carry out a special action that needs no choice of its own, or changes nothing (EG-12.20)."""


class MoveKing(Tagged, frozen=True):
    """Move the king (EG-12.19)."""

    place: KingPlace


class MoveGrande(Tagged, frozen=True):
    """Move the own Grande (EG-12.16)."""

    region: Region


class NameArea(Tagged, frozen=True):
    """Name the region, or with older cards the Castillo, that a special action is about (EG-12.9, EG-12.17)."""

    area: Area


class PlaceScoreboard(Tagged, frozen=True):
    """Put an alternative scoreboard at an area (EG-12.14)."""

    board: Board
    area: Area


class TakeBackCard(Tagged, frozen=True):
    """Take a power card or a grey card of the own pile back to the hand unseen (EG-12.15, EG-20.7)."""

    card: int | str


class AllowSpecial(Tagged, frozen=True):
    """Let an announced special action happen (EG-19.4)."""


class UseVeto(Tagged, frozen=True):
    """Cancel an announced special action (EG-19.4)."""


class SendBack(Tagged, frozen=True):
    """Withdrawal: send own caballeros from a region or the Court to the Province (EG-12.6)."""

    source: Place
    count: int


class ChooseRegion(Tagged, frozen=True):
    """A secret choice caused by a card (EG-13)."""

    region: Region


class SetDisc(Tagged, frozen=True, omit_defaults=True):
    """Set the disc for a general scoring; without a region it is left unclear (EG-9.1, EG-9.3)."""

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
"""Stored whole as hidden (EG-21.3): drafts, secret choices, and what Empowerment takes back."""
