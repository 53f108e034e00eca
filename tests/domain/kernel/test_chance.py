"""Chance conforms to docs/specifications/chance.md."""

from collections import Counter
from itertools import islice
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel.chance import (
    WORD_LIMIT,
    Draw,
    ImpossibleDraw,
    SeededChance,
    below,
    hkdf_blocks,
    hkdf_expand,
    hkdf_extract,
    match_key,
    numbers,
    repeat_draw,
)
from domain.kernel.hidden import MISSING, Hidden

KEY = match_key(bytes(32), (b"\x11" * 32, b"\x22" * 32), (1).to_bytes(16, "big"))
keys = st.binary(min_size=32, max_size=32)
labels = st.text(min_size=1, max_size=20)


def test_hkdf_conforms_to_rfc_5869() -> None:
    """RFC 5869, appendix A.1."""
    extracted = hkdf_extract(bytes.fromhex("000102030405060708090a0b0c"), b"\x0b" * 22)
    info = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9")

    assert extracted.hex() == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"
    okm = "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    assert b"".join(hkdf_blocks(extracted, info))[:42].hex() == okm
    assert hkdf_expand(extracted, info).hex() == okm[:64]
    assert hkdf_expand(extracted, info, 16).hex() == okm[:32]


def test_the_example_of_the_specification_holds() -> None:
    """The example of docs/specifications/chance.md; a change of these values would invalidate every log."""
    chance = SeededChance(KEY)

    assert KEY.hex() == "1dee6c0beb8221a93cb153ac55d56c3a87b49c30a4eec593a3f4b4c873bb07ce"
    assert chance.roll("revenue/1", 5, 6) == (3, 1, 4, 5, 3)
    assert chance.draw("card/1", tuple(range(1, 11)), 3) == (4, 10, 1)


def test_every_part_of_the_key_matters_and_so_does_the_order_of_shares() -> None:
    one, two = b"\x11" * 32, b"\x22" * 32
    keys = [
        match_key(bytes(32), (one, two), bytes(16)),
        match_key(bytes(32), (two, one), bytes(16)),
        match_key(b"\x01" + bytes(31), (one, two), bytes(16)),
        match_key(bytes(32), (one, two), b"\x01" + bytes(15)),
        match_key(bytes(32), (one,), bytes(16)),
    ]

    assert len(set(keys)) == 5


@pytest.mark.no_cover
@settings(deadline=None)
@given(keys, labels, st.integers(1, 12), st.integers(1, 100))
def test_a_label_gives_the_same_dice_after_any_draws(key: bytes, label: str, count: int, sides: int) -> None:
    alone, late = SeededChance(key), SeededChance(key)
    late.roll("other", 3, 6)
    late.draw("another", (1, 2, 3), 2)

    rolled = alone.roll(label, count, sides)
    assert rolled == late.roll(label, count, sides)
    assert len(rolled) == count
    assert all(1 <= pips <= sides for pips in rolled)


@settings(deadline=None)
@given(keys, labels, st.lists(st.integers(), unique=True, min_size=1, max_size=66), st.data())
def test_a_draw_takes_different_items_of_the_pool(key: bytes, label: str, pool: list[int], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(pool)))
    outcome = SeededChance(key).draw(label, pool, count)

    assert len(outcome) == len(set(outcome)) == count
    assert set(outcome) <= set(pool)


@settings(deadline=None)
@given(keys, labels, st.integers(0, 20))
def test_fewer_items_of_the_same_draw_are_the_first_of_more(key: bytes, label: str, count: int) -> None:
    pool = tuple(range(20))

    assert SeededChance(key).draw(label, pool, 20)[:count] == SeededChance(key).draw(label, pool, count)


def test_words_above_the_largest_multiple_are_rejected() -> None:
    assert below(iter((WORD_LIMIT - 1, 5)), 3) == 2
    assert below(iter((WORD_LIMIT - 1, WORD_LIMIT - 2)), 2**32 - 1) == 2**32 - 2
    assert below(iter((WORD_LIMIT - 1,)), 1) == 0


def test_an_exhausted_stream_is_refused() -> None:
    with pytest.raises(ImpossibleDraw, match="no number below 3 in 255 blocks of the random stream"):
        below(iter(()), 3)


def test_a_draw_of_too_many_items_fails_an_assertion() -> None:
    with pytest.raises(AssertionError):
        SeededChance(KEY).draw("card", (1, 2), 3)


def test_a_stream_has_255_blocks_of_8_words() -> None:
    assert len(list(numbers(KEY, "long"))) == 255 * 8


def test_all_numbers_are_equally_likely() -> None:
    """The key is fixed; a chi-square value far above the expectation for 60,000 fair dice would show a bias."""
    pips = Counter(
        1 + below(words, 6) for index in range(600) for words in [numbers(KEY, f"die/{index}")] for _ in range(100)
    )
    expected = 10_000
    assert sum((pips[side] - expected) ** 2 / expected for side in range(1, 7)) < 20
    pairs = Counter(SeededChance(KEY).draw(f"pair/{index}", range(5), 2) for index in range(4_000))
    assert len(pairs) == 2 * comb(5, 2)
    assert max(pairs.values()) < 1.4 * min(pairs.values())


def test_draws_are_listed_in_order_open_or_hidden() -> None:
    chance = SeededChance(KEY)
    rolled = chance.roll("dice", 2, 6)
    outcome = chance.draw("open", ("a", "b", "c"), 1)
    mine = chance.draw("mine", (1, 2, 3), 2, (1,))
    nobodys = chance.draw("nobody", (1, 2, 3), 1, ())

    assert chance.draws == (
        Draw("dice", "roll", 6, 2, outcome=rolled),
        Draw("open", "draw", 3, 1, pool=("a", "b", "c"), outcome=outcome),
        Draw("mine", "draw", 3, 2, hidden_pool=Hidden((1, 2, 3), ()), hidden_outcome=Hidden(mine, (1,))),
        Draw("nobody", "draw", 3, 1, hidden_pool=Hidden((1, 2, 3), ()), hidden_outcome=Hidden(nobodys, ())),
    )


def test_streams_of_different_labels_differ() -> None:
    words = [tuple(islice(numbers(KEY, label), 4)) for label in ("card/1", "card/11", "card/2")]

    assert len({word for stream in words for word in stream}) == 12


def test_a_draw_can_be_repeated_from_its_record() -> None:
    """Dice, a public draw and a hidden draw; another key gives another outcome."""
    chance = SeededChance(bytes(32))
    chance.roll("dice", 3, 6)
    chance.draw("open", range(40), 5)
    chance.draw("hidden", range(40), 5, (1,))

    assert [repeat_draw(bytes(32), draw) for draw in chance.draws] == [*chance.draws]
    assert all(repeat_draw(bytes([1] * 32), draw) != draw for draw in chance.draws)


@pytest.mark.parametrize(
    ("draw", "why"),
    [
        (Draw("card", "draw", 4, 1, hidden_outcome=Hidden((7,), (0,))), "the pool of 'card' is unknown"),
        (
            Draw("card", "draw", 4, 1, hidden_pool=Hidden(MISSING, ()), hidden_outcome=Hidden((7,), (0,))),
            "the pool of 'card' is unknown",
        ),
        (Draw("card", "draw", 4, 1, outcome=(7,)), "the pool of 'card' is unknown"),
        (Draw("card", "draw", 2, 3, pool=(7, 8), outcome=(7, 8, 7)), "'card' cannot be 3 of 2 items"),
        (Draw("card", "draw", 2, -1, pool=(7, 8), outcome=()), "'card' cannot be -1 of 2 items"),
        (Draw("dice", "roll", 0, 1, outcome=(1,)), "'dice' cannot be 1 dice with 0 sides"),
        (Draw("dice", "roll", 6, -1, outcome=()), "'dice' cannot be -1 dice with 6 sides"),
        (Draw("dice", "roll", 6, 3000, outcome=(1,) * 3000), "no number below 6 in 255 blocks"),
    ],
)
def test_the_record_of_an_impossible_draw_is_refused(draw: Draw, why: str) -> None:
    with pytest.raises(ImpossibleDraw, match=why):
        repeat_draw(bytes(32), draw)
