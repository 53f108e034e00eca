"""Finite fields small enough for a table: elements are the numbers 0 … q-1, base-p digits of a polynomial."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final

from domain.kernel.values import Value

ORDER_MAX: Final = 1024


class GaloisField(Value, frozen=True):
    """GF(q): sums by digits, products by logarithms to a primitive element."""

    order: int
    prime: int
    degree: int
    powers: tuple[int, ...]
    """The powers of the primitive element, from the 0th to the (q-2)th."""
    logarithms: tuple[int, ...]
    """The exponent of each element; that of 0 is never asked for."""

    def add(self, first: int, second: int) -> int:
        if self.degree == 1:
            return (first + second) % self.prime
        total, place = 0, 1
        for _ in range(self.degree):
            total += (first % self.prime + second % self.prime) % self.prime * place
            first, second, place = first // self.prime, second // self.prime, place * self.prime
        return total

    def multiply(self, first: int, second: int) -> int:
        if first == 0 or second == 0:
            return 0
        return self.power(self.logarithms[first] + self.logarithms[second])

    def power(self, exponent: int) -> int:
        """The primitive element to this power."""
        return self.powers[exponent % (self.order - 1)]


def prime_power(number: int) -> tuple[int, int] | None:
    """(p, n) with p^n the number, if it is a prime's power."""
    if number < 2:
        return None
    prime = next((d for d in range(2, int(number**0.5) + 1) if number % d == 0), number)
    degree = 0
    while number % prime == 0:
        number, degree = number // prime, degree + 1
    return (prime, degree) if number == 1 else None


def factors(number: int) -> tuple[int, ...]:
    """The prime powers a number is the product of."""
    found, rest, d = [], number, 2
    while rest > 1:
        power = 1
        while rest % d == 0:
            rest, power = rest // d, power * d
        if power > 1:
            found.append(power)
        d += 1
    return tuple(found)


@cache
def field(order: int) -> GaloisField | None:
    """GF(order), if there is one."""
    split = prime_power(order) if order <= ORDER_MAX else None
    if split is None:
        return None
    prime, degree = split
    # The first polynomial, in order of its digits, of which x (or, in a prime field, a number) is primitive.
    for low in product(range(prime), repeat=degree):
        powers = _powers(prime, low, order)
        if powers is not None:
            logarithms = [0] * order
            for exponent, element in enumerate(powers):
                logarithms[element] = exponent
            return GaloisField(order, prime, degree, powers, tuple(logarithms))
    raise AssertionError(f"there is a primitive polynomial for every prime power, {order} too")


def _powers(prime: int, low: Sequence[int], order: int) -> tuple[int, ...] | None:
    """The powers of x modulo x^n = low, if they are all elements but 0."""
    degree = len(low)
    element, found, seen = [1] + [0] * (degree - 1), [], set[int]()
    for _ in range(order - 1):
        number = sum(digit * prime**place for place, digit in enumerate(element))
        if number == 0 or number in seen:
            return None
        seen.add(number)
        found.append(number)
        top = element[-1]
        element = [(digit + top * low[place]) % prime for place, digit in enumerate([0, *element[:-1]])]
    return tuple(found)
