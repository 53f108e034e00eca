"""The one list of games, and what the match needs of each."""

import threading
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.kernel.hidden import MISSING, Hidden, Sealed, opened
from domain.kernel.rules import Codec, Rules
from domain.matches.errors import LogFault, UnknownTitle
from domain.matches.facts import Fact, fact_type
from domain.matches.log import Entry, Opening
from domain.titles import el_grande, la_granja

AnyRules = Rules[Any, Any, Any, Any]


class FactReader(threading.local):
    """Decodes the facts of one title. One decoder a thread: its hook must know the openings of the entry in hand."""

    def __init__(self, codec: Codec) -> None:
        self._openings: dict[str, Opening] = {}
        self._decoder: msgspec.json.Decoder[Fact] = msgspec.json.Decoder(fact_type(codec), dec_hook=self._hidden)

    def _hidden(self, hidden_type: Any, builtins: Any) -> Hidden[Any]:
        sealed = msgspec.convert(builtins, Sealed)
        opening = self._openings.get(sealed.commitment)
        return opened(hidden_type, sealed, MISSING if opening is None else msgspec.json.decode(opening.value))

    def read(self, entry: Entry) -> Fact:
        """The fact of an entry, its hidden values open as far as the entry's openings go."""
        self._openings = {opening.commitment: opening for opening in entry.secrets}
        try:
            return self._decoder.decode(entry.body)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise LogFault(entry.version, "body", f"its body is not a fact of this title: {error}") from error


class Game:
    """A title as the match plays it: its rules, its wire types, the reader of its facts."""

    def __init__(self, rules: AnyRules, codec: Codec) -> None:
        self.rules: Final = rules
        self.codec: Final = codec
        self.read: Final = FactReader(codec).read

    @property
    def title(self) -> str:
        return self.rules.TITLE


Games = Mapping[str, Game]


def game_of(games: Games, title: str) -> Game:
    """The game of a title; `UnknownTitle` names it otherwise."""
    if title not in games:
        raise UnknownTitle(f"the title {title!r} is not played here; there are: {', '.join(sorted(games)) or 'none'}")
    return games[title]


def game(module: Any) -> Game:
    """The game of a title's module."""
    return Game(module, module.CODEC)


RULES: Final[Mapping[str, AnyRules]] = {"el_grande": el_grande, "la_granja": la_granja}
CODECS: Final[Mapping[str, Codec]] = {"el_grande": el_grande.CODEC, "la_granja": la_granja.CODEC}
GAMES: Final[Games] = {title: Game(rules, CODECS[title]) for title, rules in RULES.items()}

_el_grande: Rules[el_grande.State, el_grande.Action, el_grande.Effect, el_grande.View] = el_grande
_la_granja: Rules[la_granja.State, la_granja.Action, la_granja.Effect, la_granja.View] = la_granja
