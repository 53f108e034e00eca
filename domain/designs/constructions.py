"""Constructions of exact designs: circles, planes, cosets, Kirkman systems, transversals, developed base rounds.

Each function returns rounds, or tables still to be arranged into rounds, or None if it does not apply. Tests count
every design.
"""

from collections.abc import Iterator
from itertools import combinations, product

from domain.designs.fields import GaloisField, factors, galois_field
from domain.designs.shapes import Round, Table

Rounds = tuple[Round, ...]
Tables = tuple[Table, ...]


def circle(players: int) -> Rounds:
    """Return rounds of pairs by the circle method; with an odd number a player has a bye in each round."""
    moving_count = players - 1 if players % 2 == 0 else players
    rounds = []
    for round_index in range(moving_count):
        pairs = [
            ((round_index + step) % moving_count, (round_index - step) % moving_count)
            for step in range(1, (moving_count + 1) // 2)
        ]
        rounds.append(tuple([(round_index, players - 1), *pairs] if players % 2 == 0 else pairs))
    return tuple(rounds)


def all_but_one(players: int) -> Rounds:
    """Return rounds with a single table of all players but one, each left out once."""
    return tuple((tuple(player for player in range(players) if player != absent),) for absent in range(players))


def affine(players: int, size: int) -> Rounds | None:
    """Return the lines of a space over GF(size) by direction, a resolvable (q^n, q, 1) design.

    None unless the size is a prime power q (at most `ORDER_MAX`) and the players are q^n with n of 2 or more.
    """
    field = galois_field(size)
    dimension = _logarithm(players, size)
    if field is None or dimension is None or dimension < 2:
        return None
    points = list(product(range(size), repeat=dimension))
    index = {point: number for number, point in enumerate(points)}
    rounds = []
    for direction in _directions(field, dimension):
        seen = set[int]()
        tables = []
        for point in points:
            if index[point] in seen:
                continue
            table = tuple(index[_along(field, point, direction, step)] for step in range(size))
            seen.update(table)
            tables.append(table)
        rounds.append(tuple(tables))
    return tuple(rounds)


def projective(players: int, size: int) -> Tables | None:
    """Return the lines of a projective space over GF(size - 1), a ((q^(n+1) - 1)/(q - 1), q + 1, 1) design.

    None if size - 1 is no prime power or no n from 2 on fits the number of players. Players and tables are
    sorted.
    """
    field = galois_field(size - 1)
    if field is None:
        return None
    dimension = 2
    while (size - 1) ** (dimension + 1) < players * (size - 2) + 1:
        dimension += 1
    if (size - 1) ** (dimension + 1) != players * (size - 2) + 1:
        return None
    points = list(_directions(field, dimension + 1))
    index = {point: number for number, point in enumerate(points)}
    tables = set[Table]()
    for first, second in combinations(points, 2):
        members = {index[second]}
        for step in range(field.order):
            members.add(index[_normal(field, _along(field, first, second, step))])
        tables.add(tuple(sorted(members)))
    return tuple(sorted(tables))


def cosets(players: int, size: int) -> Rounds | None:
    """Return the shifted cosets of the subgroup of order `size` in GF(players); every player sits out once.

    None unless the number of players is a prime power that leaves 1 when divided by the size.
    """
    field = galois_field(players)
    if field is None or (players - 1) % size:
        return None
    count = (players - 1) // size
    base = [[field.power(start + count * step) for step in range(size)] for start in range(count)]
    return tuple(
        tuple(tuple(field.add(member, shift) for member in table) for table in base) for shift in range(players)
    )


def half_cosets(players: int, size: int) -> Tables | None:
    """Return the shifts of a coset from each pair of opposite ones, for odd sizes: half the meetings of `cosets`.

    None unless the size is odd and the number of players a prime power that leaves 1 when divided by 2 × size.
    """
    field = galois_field(players)
    if field is None or size % 2 == 0 or (players - 1) % (2 * size):
        return None
    count = (players - 1) // size
    base = [[field.power(start + count * step) for step in range(size)] for start in range(count // 2)]
    return tuple(tuple(field.add(member, shift) for member in table) for shift in range(players) for table in base)


def kirkman_triple(players: int) -> Rounds | None:
    """Return a Kirkman triple system of 3q players, q = 6t + 1 a prime power (Ray-Chaudhuri and Wilson).

    None for other numbers of players.
    """
    field = galois_field(players // 3) if players % 3 == 0 else None
    if field is None or field.order % 6 != 1:
        return None
    q, sixth = field.order, (field.order - 1) // 6

    def shift_table(table: list[int], by: int) -> Table:
        return tuple(player // q * q + field.add(player % q, by) for player in table)

    same_copy = [
        [copy * q + field.power(i + step * 2 * sixth) for step in range(3)] for i in range(sixth) for copy in range(3)
    ]
    mixed = [[copy * q + field.power(i + copy * 2 * sixth) for copy in range(3)] for i in range(6 * sixth)]
    base = [[0, q, 2 * q], *same_copy, *(table for i, table in enumerate(mixed) if i // sixth % 2)]
    single = [table for i, table in enumerate(mixed) if i // sixth % 2 == 0]
    rounds = [tuple(shift_table(table, by) for table in base) for by in range(q)]
    return (*rounds, *(tuple(shift_table(table, by) for by in range(q)) for table in single))


def kirkman_double(players: int) -> Rounds | None:
    """Return a Kirkman triple system of 2q + 1 players, q = 6t + 1 a prime power (Ray-Chaudhuri and Wilson).

    None for other numbers of players.
    """
    field = galois_field((players - 1) // 2) if players % 2 else None
    if field is None or field.order % 6 != 1:
        return None
    q, sixth, power = field.order, (field.order - 1) // 6, field.power
    # 2 x^m = x^t + 1
    sums = field.add(power(sixth), 1)
    shift = next(m for m in range(q - 1) if field.add(power(m), power(m)) == sums)
    base = [[0, q, 2 * q]]
    base += [[power(i), power(i + sixth), q + power(i + shift)] for i in range(6 * sixth) if i // sixth % 2 == 0]
    base += [[q + power(i + shift + odd * sixth) for odd in (1, 3, 5)] for i in range(sixth)]

    def shift_table(table: list[int], by: int) -> Table:
        return tuple(player if player == 2 * q else player // q * q + field.add(player % q, by) for player in table)

    return tuple(tuple(shift_table(table, by) for table in base) for by in range(q))


def transversal(size: int, group: int) -> Rounds | None:
    """Return `group` rounds for `size` groups of `group` players; pairs from different groups meet once.

    Players are numbered by groups. None if `group` is 1 or a prime power in its factors is smaller than `size`.
    """
    orders = factors(group)
    if not orders or min(orders) < size:
        return None
    fields = [_field(order) for order in orders]
    elements = list(product(*(range(order) for order in orders)))
    index = {element: number for number, element in enumerate(elements)}
    rounds = []
    for slope in elements:
        tables = []
        for start in elements:
            members = []
            for number in range(size):
                shifted = (f.add(s, f.multiply(number, b)) for f, s, b in zip(fields, start, slope, strict=True))
                members.append(number * group + index[tuple(shifted)])
            tables.append(tuple(members))
        rounds.append(tuple(tables))
    return tuple(rounds)


def times_size(inner: Rounds, players: int, size: int) -> Rounds | None:
    """Return rounds of `size * players` with every pair once, from such rounds of `players`.

    The inner rounds are copied in parallel; a transversal design, whose rounds follow, pairs players of
    different copies. None if that design cannot be built.
    """
    cross_rounds = transversal(size, players)
    if cross_rounds is None:
        return None
    inner_rounds = tuple(
        tuple(tuple(copy * players + player for player in table) for copy in range(size) for table in tables)
        for tables in inner
    )
    return inner_rounds + cross_rounds


def all_tables(players: int, size: int) -> Tables:
    """Return every possible table."""
    return tuple(combinations(range(players), size))


def develop(base: Round, modulus: int, copies: int) -> Iterator[Round]:
    """Yield the shifts of a base round by 0 to `modulus - 1`, within each cycle of `modulus` players.

    The first `modulus * copies` players form the cycles; players with higher numbers stay fixed.
    """
    moving_count = modulus * copies
    for by in range(modulus):
        yield tuple(
            tuple(
                player if player >= moving_count else player // modulus * modulus + (player + by) % modulus
                for player in table
            )
            for table in base
        )


def _field(order: int) -> GaloisField:
    field = galois_field(order)
    assert field is not None, f"{order} is a prime power"
    return field


def _logarithm(number: int, base: int) -> int | None:
    """Return n with base^n equal to the number, or None if it is no power of the base."""
    exponent = 0
    while number > 1 and number % base == 0:
        number, exponent = number // base, exponent + 1
    return exponent if number == 1 else None


def _directions(field: GaloisField, dimension: int) -> Iterator[tuple[int, ...]]:
    """Yield a vector of each direction, normalised to a first non-zero digit of 1."""
    for vector in product(range(field.order), repeat=dimension):
        if next((digit for digit in vector if digit), 0) == 1:
            yield vector


def _along(field: GaloisField, point: tuple[int, ...], direction: tuple[int, ...], step: int) -> tuple[int, ...]:
    return tuple(field.add(at, field.multiply(step, component)) for at, component in zip(point, direction, strict=True))


def _normal(field: GaloisField, vector: tuple[int, ...]) -> tuple[int, ...]:
    """Return the multiple of the vector whose first non-zero digit is 1."""
    leading = next(digit for digit in vector if digit)
    inverse = field.power(-field.logarithms[leading])
    return tuple(field.multiply(inverse, digit) for digit in vector)
