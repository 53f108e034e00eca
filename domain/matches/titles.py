"""Fact decoders of titles, stored options, and lookup of titles by name."""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import cache, reduce
from operator import or_
from typing import Any, Final, NamedTuple, get_args, get_origin

import msgspec

from domain.kernel.hidden import Hidden, Sealed, decoder_of, open_hidden
from domain.kernel.rules import Codec
from domain.kernel.title import AnyTitle, Titles
from domain.kernel.values import replace
from domain.matches.errors import LogFault, UnknownTitle
from domain.matches.facts import ActionTaken, Fact, MatchStarted
from domain.matches.log.entries import Entry, Opening
from domain.titles import TITLES


class DecodedFact(NamedTuple):
    """A fact and its hidden values, in the order of the body."""

    fact: Fact
    hidden: Sequence[Hidden[Any]]


def fact_type(codec: Codec) -> Any:
    """Return the union of facts with the action and effect types of a title, for a decoder."""
    started: Any = MatchStarted
    action_taken: Any = ActionTaken
    specialised = {MatchStarted: started[codec.effect], ActionTaken: action_taken[codec.action, codec.effect]}
    return reduce(or_, (specialised.get(get_origin(kind), kind) for kind in get_args(Fact)))


IN_HAND: Final[ContextVar[tuple[Mapping[str, Opening], list[Hidden[Any]]]]] = ContextVar("in_hand")
"""Openings of the entry being decoded, and its hidden values so far.

Each thread has a separate context, so threads can share a reader.
"""
NO_OPENINGS: Final[Mapping[str, Opening]] = {}
SECRET_ACTION: Final = msgspec.json.encode(
    replace(ActionTaken[Any, Any](0, "", ()), hidden_action=Sealed("", ()), hidden_act=Sealed("", ()))
)
"""A body with every hidden value whose type depends on the title."""


class FactReader:
    """A decoder for the facts of one title; its hook reads the openings of the current entry."""

    def __init__(self, codec: Codec) -> None:
        self._values: dict[int, tuple[Any, msgspec.json.Decoder[Any]]] = {}
        self._decoder: msgspec.json.Decoder[Fact] = msgspec.json.Decoder(fact_type(codec), dec_hook=self._open_hidden)
        IN_HAND.set((NO_OPENINGS, []))
        self._decoder.decode(SECRET_ACTION)

    def _open_hidden(self, hidden_type: object, builtins: object) -> Hidden[Any]:
        """Return a sealed value as hidden, opened if the entry has its opening, and collect it for `read`."""
        # Types are identified by address, which is stable while `_values` references them; comparing them is slow.
        cached = self._values.get(id(hidden_type))
        if cached is None:
            cached = self._values[id(hidden_type)] = (hidden_type, decoder_of(hidden_type))
        openings, collected = IN_HAND.get()
        sealed = msgspec.convert(builtins, Sealed)
        opening = openings.get(sealed.commitment)
        hidden = open_hidden(cached[1], sealed, None if opening is None else opening.value)
        collected.append(hidden)
        return hidden

    def read(self, entry: Entry) -> DecodedFact:
        """Decode the fact of an entry; raise `LogFault` if it is none of this title.

        Hidden values are open where the entry has an opening.
        """
        openings = {opening.commitment: opening for opening in entry.secrets} if entry.secrets else NO_OPENINGS
        hidden: list[Hidden[Any]] = []
        IN_HAND.set((openings, hidden))
        try:
            return DecodedFact(self._decoder.decode(entry.body), hidden)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise LogFault(entry.version, "body", f"its body is not a fact of this title: {error}") from error


codec_reader: Final = cache(FactReader)


@cache
def reader_of(title: AnyTitle) -> FactReader:
    """Return the reader of a title's facts, which is cached and serves all versions of its rules."""
    return codec_reader(title.codec)


def prepare_readers(titles: Titles) -> None:
    """Create the readers of these titles before threads use them.

    Two threads that create decoders for the same structures at once crash the process (`domain.kernel.decoding`).
    """
    for title in titles.values():
        reader_of(title)


def read_fact(title: AnyTitle, entry: Entry) -> Fact:
    """Decode the fact of an entry."""
    return reader_of(title).read(entry).fact


def read_with_hidden(title: AnyTitle, entry: Entry) -> DecodedFact:
    """Decode the fact of an entry and its hidden values."""
    return reader_of(title).read(entry)


def stated_options(title: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a stored plan, completed by the defaults that were valid when it was stored.

    Logs and new plans state every option, so defaults may change. For an unknown title nothing is added.
    """
    registered = TITLES.get(title)
    return {**(registered.earlier_defaults if registered else {}), **options}


def find_title(titles: Titles, name: str) -> AnyTitle:
    """Return the title with this name; raise `UnknownTitle` if there is none."""
    if name not in titles:
        raise UnknownTitle(f"unknown game {name!r}; known: {', '.join(sorted(titles)) or 'none'}")
    return titles[name]
