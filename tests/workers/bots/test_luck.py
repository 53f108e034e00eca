"""Random numbers of imagined positions: reproducible by seed and label, and uniform."""

from collections import Counter
from itertools import pairwise
from typing import Final

from workers.bots.luck import Luck

SEEDS: Final = [number.to_bytes(32, "little") for number in range(600)]


def test_the_same_seed_and_label_draw_the_same_whatever_else_was_drawn() -> None:
    luck, other = Luck(SEEDS[1]), Luck(SEEDS[1])
    other.roll("something else", 3, 6)

    assert luck.draw("cards", range(60), 5) == other.draw("cards", range(60), 5, audience=())
    assert luck.draw("cards", range(60), 5) != luck.draw("other cards", range(60), 5)


def test_a_draw_takes_everything_once_and_leaves_the_pool_alone() -> None:
    pool = list(range(9))

    assert sorted(Luck(SEEDS[2]).draw("all", pool, 9)) == pool == list(range(9))


def test_rolls_are_even_over_seeds_labels_and_dice() -> None:
    """Chi-squared with five degrees of freedom is far below 30 for uniform rolls."""
    for label in ("dice/1", "dice/2", "a"):
        rolls = [Luck(seed).roll(label, 4, 6) for seed in SEEDS]
        for index in range(4):
            counts = Counter(roll[index] for roll in rolls)
            assert set(counts) == set(range(1, 7))
            assert sum((count - 100) ** 2 for count in counts.values()) / 100 < 30


def test_labels_and_dice_of_a_roll_are_independent() -> None:
    """Each of 36 pairs occurs about 600 / 36 times; chi-squared with 25 degrees of freedom."""
    across_seeds = [(Luck(seed).roll("one", 1, 6)[0], Luck(seed).roll("two", 1, 6)[0]) for seed in SEEDS]
    within_roll = list(pairwise(Luck(SEEDS[3]).roll("row", len(SEEDS) + 1, 6)))
    for pairs in (across_seeds, within_roll):
        counts = Counter(pairs)
        assert sum((counts[a, b] - 600 / 36) ** 2 for a in range(1, 7) for b in range(1, 7)) / (600 / 36) < 80
