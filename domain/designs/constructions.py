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
    moving = players - 1 if players % 2 == 0 else players
    found = []
    for turn in range(moving):
        pairs = [((turn + step) % moving, (turn - step) % moving) for step in range(1, (moving + 1) // 2)]
        found.append(tuple([(turn, players - 1), *pairs] if players % 2 == 0 else pairs))
    return tuple(found)


def all_but_one(players: int) -> Rounds:
    """Return rounds with a single table of all players but one, each left out once."""
    return tuple((tuple(who for who in range(players) if who != out),) for out in range(players))


def affine(players: int, size: int) -> Rounds | None:
    """Return the lines of a space over GF(size) by direction, a resolvable (q^n, q, 1) design.

    None unless the size is a prime power q (at most `ORDER_MAX`) and the players are q^n with n of 2 or more.
    """
    line = galois_field(size)
    dimension = _logarithm(players, size)
    if line is None or dimension is None or dimension < 2:
        return None
    points = list(product(range(size), repeat=dimension))
    index = {point: number for number, point in enumerate(points)}
    found = []
    for direction in _directions(line, dimension):
        seen = set[int]()
        tables = []
        for point in points:
            if index[point] in seen:
                continue
            table = tuple(index[_along(line, point, direction, step)] for step in range(size))
            seen.update(table)
            tables.append(table)
        found.append(tuple(tables))
    return tuple(found)


def projective(players: int, size: int) -> Tables | None:
    """Return the lines of a projective space over GF(size - 1), a ((q^(n+1) - 1)/(q - 1), q + 1, 1) design.

    None if size - 1 is no prime power or no n from 2 on fits the number of players. Players and tables are
    sorted.
    """
    line = galois_field(size - 1)
    if line is None:
        return None
    dimension = 2
    while (size - 1) ** (dimension + 1) < players * (size - 2) + 1:
        dimension += 1
    if (size - 1) ** (dimension + 1) != players * (size - 2) + 1:
        return None
    points = list(_directions(line, dimension + 1))
    index = {point: number for number, point in enumerate(points)}
    found = set[Table]()
    for first, second in combinations(points, 2):
        on_line = {index[second]}
        for step in range(line.order):
            on_line.add(index[_normal(line, _along(line, first, second, step))])
        found.add(tuple(sorted(on_line)))
    return tuple(sorted(found))


def cosets(players: int, size: int) -> Rounds | None:
    """Return the shifted cosets of the subgroup of order `size` in GF(players); every player sits out once.

    None unless the number of players is a prime power that leaves 1 when divided by the size.
    """
    plane = galois_field(players)
    if plane is None or (players - 1) % size:
        return None
    count = (players - 1) // size
    base = [[plane.power(start + count * step) for step in range(size)] for start in range(count)]
    return tuple(
        tuple(tuple(plane.add(member, shift) for member in table) for table in base) for shift in range(players)
    )


def half_cosets(players: int, size: int) -> Tables | None:
    """Return the shifts of a coset from each pair of opposite ones, for odd sizes: half the meetings of `cosets`.

    None unless the size is odd and the number of players a prime power that leaves 1 when divided by 2 × size.
    """
    plane = galois_field(players)
    if plane is None or size % 2 == 0 or (players - 1) % (2 * size):
        return None
    count = (players - 1) // size
    base = [[plane.power(start + count * step) for step in range(size)] for start in range(count // 2)]
    return tuple(tuple(plane.add(member, shift) for member in table) for shift in range(players) for table in base)


def kirkman_triple(players: int) -> Rounds | None:
    """Return a Kirkman triple system of 3q players, q = 6t + 1 a prime power (Ray-Chaudhuri and Wilson).

    None for other numbers of players.
    """
    plane = galois_field(players // 3) if players % 3 == 0 else None
    if plane is None or plane.order % 6 != 1:
        return None
    q, sixth = plane.order, (plane.order - 1) // 6

    def shift_table(table: list[int], by: int) -> Table:
        return tuple(who // q * q + plane.add(who % q, by) for who in table)

    within = [
        [copy * q + plane.power(i + step * 2 * sixth) for step in range(3)] for i in range(sixth) for copy in range(3)
    ]
    across = [[copy * q + plane.power(i + copy * 2 * sixth) for copy in range(3)] for i in range(6 * sixth)]
    base = [[0, q, 2 * q], *within, *(table for i, table in enumerate(across) if i // sixth % 2)]
    alone = [table for i, table in enumerate(across) if i // sixth % 2 == 0]
    rounds = [tuple(shift_table(table, by) for table in base) for by in range(q)]
    return (*rounds, *(tuple(shift_table(table, by) for by in range(q)) for table in alone))


def kirkman_double(players: int) -> Rounds | None:
    """Return a Kirkman triple system of 2q + 1 players, q = 6t + 1 a prime power (Ray-Chaudhuri and Wilson).

    None for other numbers of players.
    """
    plane = galois_field((players - 1) // 2) if players % 2 else None
    if plane is None or plane.order % 6 != 1:
        return None
    q, sixth, power = plane.order, (plane.order - 1) // 6, plane.power
    # 2 x^m = x^t + 1
    sums = plane.add(power(sixth), 1)
    shift = next(m for m in range(q - 1) if plane.add(power(m), power(m)) == sums)
    base = [[0, q, 2 * q]]
    base += [[power(i), power(i + sixth), q + power(i + shift)] for i in range(6 * sixth) if i // sixth % 2 == 0]
    base += [[q + power(i + shift + odd * sixth) for odd in (1, 3, 5)] for i in range(sixth)]

    def shift_table(table: list[int], by: int) -> Table:
        return tuple(who if who == 2 * q else who // q * q + plane.add(who % q, by) for who in table)

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
    found = []
    for slope in elements:
        tables = []
        for start in elements:
            members = []
            for number in range(size):
                moved = (f.add(s, f.multiply(number, b)) for f, s, b in zip(fields, start, slope, strict=True))
                members.append(number * group + index[tuple(moved)])
            tables.append(tuple(members))
        found.append(tuple(tables))
    return tuple(found)


def times_size(inner: Rounds, players: int, size: int) -> Rounds | None:
    """Return rounds of `size * players` with every pair once, from such rounds of `players`.

    The inner rounds are copied in parallel; a transversal design, whose rounds follow, pairs players of
    different copies. None if that design cannot be built.
    """
    across = transversal(size, players)
    if across is None:
        return None
    beside = tuple(
        tuple(tuple(copy * players + who for who in table) for copy in range(size) for table in tables)
        for tables in inner
    )
    return beside + across


def all_tables(players: int, size: int) -> Tables:
    """Return every possible table."""
    return tuple(combinations(range(players), size))


def develop(base: Round, modulus: int, copies: int) -> Iterator[Round]:
    """Yield the shifts of a base round by 0 to `modulus - 1`, within each cycle of `modulus` players.

    The first `modulus * copies` players form the cycles; players with higher numbers stay fixed.
    """
    moving = modulus * copies
    for by in range(modulus):
        yield tuple(
            tuple(who if who >= moving else who // modulus * modulus + (who + by) % modulus for who in table)
            for table in base
        )


def _field(order: int) -> GaloisField:
    found = galois_field(order)
    assert found is not None, f"{order} is a prime power"
    return found


def _logarithm(number: int, base: int) -> int | None:
    """Return n with base^n equal to the number, or None if it is no power of the base."""
    exponent = 0
    while number > 1 and number % base == 0:
        number, exponent = number // base, exponent + 1
    return exponent if number == 1 else None


def _directions(line: GaloisField, dimension: int) -> Iterator[tuple[int, ...]]:
    """Yield a vector of each direction, normalised to a first non-zero digit of 1."""
    for vector in product(range(line.order), repeat=dimension):
        if next((digit for digit in vector if digit), 0) == 1:
            yield vector


def _along(line: GaloisField, point: tuple[int, ...], direction: tuple[int, ...], step: int) -> tuple[int, ...]:
    return tuple(line.add(at, line.multiply(step, along)) for at, along in zip(point, direction, strict=True))


def _normal(line: GaloisField, vector: tuple[int, ...]) -> tuple[int, ...]:
    """Return the multiple of the vector whose first non-zero digit is 1."""
    leading = next(digit for digit in vector if digit)
    inverse = line.power(-line.logarithms[leading])
    return tuple(line.multiply(inverse, digit) for digit in vector)
