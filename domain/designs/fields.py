"""Finite fields small enough for tables; elements are the numbers 0 … q-1, as base-p digits of a polynomial."""

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
    """The powers of the primitive element, from exponent 0 to q-2."""
    logarithms: tuple[int, ...]
    """The exponent of each element; the value for 0 is unused."""

    def add(self, first: int, second: int) -> int:
        """Return the sum of two elements."""
        if self.degree == 1:
            return (first + second) % self.prime
        total, weight = 0, 1
        for _ in range(self.degree):
            total += (first % self.prime + second % self.prime) % self.prime * weight
            first, second, weight = first // self.prime, second // self.prime, weight * self.prime
        return total

    def multiply(self, first: int, second: int) -> int:
        """Return the product of two elements."""
        if first == 0 or second == 0:
            return 0
        return self.power(self.logarithms[first] + self.logarithms[second])

    def power(self, exponent: int) -> int:
        """Return the primitive element to this power."""
        return self.powers[exponent % (self.order - 1)]


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (p, n) with p^n equal to the number, or None if it is no prime power."""
    if number < 2:
        return None
    prime = next((d for d in range(2, int(number**0.5) + 1) if number % d == 0), number)
    degree = 0
    while number % prime == 0:
        number, degree = number // prime, degree + 1
    return (prime, degree) if number == 1 else None


def factors(number: int) -> tuple[int, ...]:
    """Return the prime powers, one for each prime in ascending order, whose product is the number; none for 1."""
    powers, remaining, d = [], number, 2
    while remaining > 1:
        power = 1
        while remaining % d == 0:
            remaining, power = remaining // d, power * d
        if power > 1:
            powers.append(power)
        d += 1
    return tuple(powers)


@cache
def galois_field(order: int) -> GaloisField | None:
    """Return GF(order), or None if the order is no prime power or above `ORDER_MAX`."""
    split = prime_power(order) if order <= ORDER_MAX else None
    if split is None:
        return None
    prime, degree = split
    # Take the first polynomial, in order of its digits, for which x (in a prime field, a number) is primitive.
    for low in product(range(prime), repeat=degree):
        powers = _powers(prime, low, order)
        if powers is not None:
            logarithms = [0] * order
            for exponent, element in enumerate(powers):
                logarithms[element] = exponent
            return GaloisField(order, prime, degree, powers, tuple(logarithms))
    raise AssertionError(f"there is a primitive polynomial for every prime power, {order} too")


def _powers(prime: int, low: Sequence[int], order: int) -> tuple[int, ...] | None:
    """Return the powers of x modulo x^n = low, or None if they do not cover all non-zero elements."""
    degree = len(low)
    element, powers, seen = [1] + [0] * (degree - 1), [], set[int]()
    for _ in range(order - 1):
        number = sum(digit * prime**index for index, digit in enumerate(element))
        if number == 0 or number in seen:
            return None
        seen.add(number)
        powers.append(number)
        top = element[-1]
        element = [(digit + top * low[index]) % prime for index, digit in enumerate([0, *element[:-1]])]
    return tuple(powers)
