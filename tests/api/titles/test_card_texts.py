"""The texts of El Grande's cards in every language agree with the parameters of their special actions."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import pytest

from api.http.languages import LANGUAGES, _, use_language
from domain.titles.el_grande import cards as numbers
from domain.titles.el_grande.cards import GREYS
from domain.titles.el_grande.decks import CARDS, OLDER

OWN, OPPONENTS, EVERYBODY, ANY = "own", "opponents", "everybody", "any"
SPELLED = ALL, ONE_REGION, TWO = "all", "one_region", "two"


class Claims(NamedTuple):
    """The claims of a text: affected players, whether the Castillo is allowed, and numbers.

    Three limits are claimed by words instead of numbers: all caballeros, a single region, at most two areas.
    """

    who: frozenset[str] = frozenset()
    castillo: bool = False
    counts: frozenset[int] = frozenset()
    spelled: frozenset[str] = frozenset()


class Words(NamedTuple):
    """Patterns for these claims in a language; `never` matches up to the excluded Castillo."""

    castillo: str
    never: str
    own: str
    opponents: str
    everybody: str
    any: str
    all: str
    one_region: str
    two: str


WORDS: Final = {
    "en": Words(
        castillo="Castillo",
        never="never the ",
        own=r"\b[Yy]ours?\b",
        opponents="oppon|opposing",
        everybody="you included",
        any="any colour",
        all=r"\ball\b",
        one_region="one region",
        two=r"\btwo\b",
    ),
    "cs": Words(
        castillo="věž",
        never="nikdy .* ani do ",
        own="své|svého|svým|váš",
        opponents="soupeř",
        everybody="včetně vás",
        any="libovolných barev",
        all="všech",
        one_region="jeden region|jednoho regionu",
        two=r"\bdvou\b|\bdv[aě]\b",
    ),
    "de": Words(
        castillo="Castillo",
        never="nie ins ",
        own=r"[Dd]ein|eigene|[Dd]u\b",
        opponents="Mitspieler",
        everybody="auch du,",
        any="beliebiger Farben",
        all=r"\balle\b",
        one_region=r"\beiner? Region",
        two=r"\bzwei\b",
    ),
    "pl": Words(
        castillo="Castillo",
        never="nigdy .* ani do ",
        own=r"\bsw[oó]|własn|twój",
        opponents="przeciwnik",
        everybody="ty także",
        any="dowolnych kolorów",
        all="wszystkich",
        one_region="jeden (wybrany )?region|jednego regionu",
        two=r"\bdwa\b",
    ),
    "uk": Words(
        castillo="Кастильйо",
        never="ніколи .* не до ",
        own=r"\b[Сс]во|власних|ваш",
        opponents="суперник",
        everybody="і ви теж",
        any="будь-яких кольорів",
        all=r"\b[ву]сіх\b",
        one_region="один регіон|одного регіону",
        two=r"\bдвома\b",
    ),
}


def claims_of(kind: str, params: Any) -> Claims:
    """Return the claims that follow from the parameters of a special action."""
    match params:
        case numbers.Move():
            who = {part.who.replace("opponent", OPPONENTS) for part in params.parts}
            counts = frozenset(part.up_to for part in params.parts)
            return Claims(
                frozenset(who), "castillo" in params.to, counts, words(ONE_REGION, params.source == "one_region")
            )
        case numbers.MoveAll():
            return Claims(frozenset({OWN}), "castillo" in params.to, spelled=frozenset({ALL, ONE_REGION}))
        case numbers.FromCourt():
            areas = words(ONE_REGION, params.max_regions > 0) | words(TWO, params.max_regions == 2)
            return Claims(frozenset({OWN}), "castillo" in params.to, frozenset({params.up_to}), areas)
        case numbers.OpponentsReturn() | numbers.ReturnOneEach():
            return Claims(
                frozenset({OPPONENTS}), counts=to_numbers(params.count), spelled=words(ALL, params.count == "all")
            )
        case numbers.SecretReturn():
            who = {EVERYBODY} if params.who == "all" else {OPPONENTS}
            fewer = set(range(1, params.min_presence + 1))
            return Claims(
                frozenset(who), counts=to_numbers(params.count) | fewer, spelled=words(ALL, params.count == "all")
            )
        case numbers.CoupParams():
            return Claims(frozenset({OPPONENTS}), spelled=frozenset({ALL}))
        case numbers.Council():
            return Claims(frozenset({EVERYBODY}), castillo=params.castillo)
        case numbers.ScoreChosen():
            return Claims(castillo=params.castillo, spelled=frozenset({ONE_REGION}))
        case numbers.FirstOnly() | numbers.Extreme():
            return Claims(castillo=params.castillo)
        case numbers.ScoreByValue():
            return Claims(counts=frozenset(params.first_values))
        case numbers.Muster():
            return Claims(frozenset({OWN}), counts=frozenset({params.up_to}))
        case numbers.MoveTheKing():
            with_it = {ANY} if params.escort else set()
            with_it |= {OWN} if params.range == "own_grande_region" else set()
            return Claims(frozenset(with_it), counts=frozenset({params.escort} - {0}))
        case numbers.MoveOwnGrande() | numbers.Own():
            return Claims(frozenset({OWN}), castillo=kind == "grande_to_castillo")
        case numbers.VetoParams():
            return Claims(frozenset({OPPONENTS}))
        case numbers.PlaceBoard():
            return Claims(castillo="castillo" in params.areas)
        case _:
            return Claims(castillo=kind in {"score_castillo", "king_to_castillo"})


def words(word: str, is_said: bool) -> frozenset[str]:
    return frozenset({word} if is_said else ())


def to_numbers(count: int | str) -> frozenset[int]:
    return frozenset({count}) if isinstance(count, int) else frozenset()


def parse_claims(text: str, language: Words) -> Claims:
    """Return the claims of a text; own caballeros count as words because many sentences contain `your`."""
    claimed = {name for name in Words._fields if re.search(getattr(language, name), text)}
    can_be = re.search(language.castillo, re.sub(f"{language.never}{language.castillo}", "", text)) is not None
    found = frozenset(int(count) for count in re.findall(r"\d+", text))
    return Claims(frozenset(claimed & {OPPONENTS, EVERYBODY, ANY}), can_be, found, frozenset(claimed & {OWN, *SPELLED}))


def demand_claims(text: str, kind: str, params: Any, language: Words) -> None:
    """Check that the text makes exactly the claims of the parameters; check alternatives separately."""
    if isinstance(params, numbers.ChooseOne):
        for half, option in zip(text.split(";", 1), params.options, strict=True):
            demand_claims(half, option.kind, option.params, language)
        return
    claimed = claims_of(kind, params)
    claims = parse_claims(text, language)
    assert claims.who == claimed.who - {OWN}, text
    assert (claims.castillo, claims.counts) == (claimed.castillo, claimed.counts), text
    assert claims.spelled >= claimed.spelled | (claimed.who & {OWN}), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "id"), [(edition, id) for edition, box in CARDS.items() for id in box])
def test_the_text_of_an_action_card_matches_its_parameters(edition: str, id: str, language: str) -> None:
    """EG-12, EG-26.1: in both sets, the affected players, the Castillo, and the numbers."""
    card = CARDS[edition][id]

    with use_language(language):
        demand_claims(_(card.text), card.kind, card.params, WORDS[language])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("card", GREYS.values(), ids=lambda card: card.id)
def test_the_text_of_a_grey_card_matches_its_parameters(card: numbers.GreyCard, language: str) -> None:
    """EG-20.5."""
    with use_language(language):
        demand_claims(_(card.text), card.kind, card.params, WORDS[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_has_a_text_for_each_set_if_the_sets_differ(language: str) -> None:
    """EG-26.1: where the sets play alike they share a text."""
    with use_language(language):
        for id, older in OLDER.items():
            newer = CARDS["2023"][id]
            assert (_(older.text) != _(newer.text)) == (older.params != newer.params), id


@pytest.mark.parametrize(
    ("text", "who", "castillo", "counts"),
    [
        ("Every opponent, never the Castillo, sends 3", {OPPONENTS}, False, {3}),
        ("Every player, you included, into the Castillo", {EVERYBODY}, True, set()),
        ("Into the Castillo, never the Castillo twice", set(), True, set()),
    ],
)
def test_claims_are_read_from_a_text(text: str, who: set[str], castillo: bool, counts: set[int]) -> None:
    claims = parse_claims(text, WORDS["en"])

    assert (set(claims.who), claims.castillo, set(claims.counts)) == (who, castillo, counts)
