"""Trust policies (C2SP tlog-policy): the format, the quorum, and refusals that name the line."""

from collections.abc import Sequence
from itertools import chain, combinations
from re import escape
from typing import Final

import pytest

from domain.transparency.errors import Malformed
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE, VerifierKey, encode
from domain.transparency.policy import LINES_MAX, Policy, PolicyGroup, PolicyLog, parse_policy, policy_of_keys

LOG: Final = Signer("log.example/tlog", b"\x01" * 32).key
KEYS: Final = {
    name: Signer(f"{name.lower()}.example/w", bytes([number] * 32), COSIGNATURE).key
    for number, name in enumerate(("X1", "X2", "X3", "Y1", "Y2", "Y3"), start=2)
}
WITNESSES: Final = "".join(f"witness {name} {key}\n" for name, key in KEYS.items())
GROUPS: Final = "group X 2 X1 X2 X3\ngroup Y any Y1 Y2 Y3\ngroup X-and-Y all X Y\nquorum X-and-Y\n"
TEXT: Final = f"log {LOG}\n{WITNESSES}{GROUPS}"
"""The example of C2SP tlog-policy, with keys."""


FAULTS: Final[Sequence[tuple[str | bytes, str]]] = [
    ("", "there is no quorum line"),
    (WITNESSES, "there is no quorum line"),
    ("quorum none\nquorum none\n", "line 2: a policy has only one quorum"),
    ("quorum a\n", "line 1: no witness or group 'a' is defined above"),
    (f"quorum X1\n{WITNESSES}", "line 1: no witness or group 'X1'"),
    ("quorum\n", "line 1: expected quorum <name>"),
    ("quorum none none\n", "line 1: expected quorum <name>"),
    ("log\n", r"line 1: expected log <vkey> \[<url>\]"),
    (f"log {LOG} a b\n", "line 1: expected log"),
    (f"log {KEYS['X1']}\n", "line 1: the verifier key of 'x1.example/w' has an unsupported type"),
    (f"log {LOG}\n# x\nlog {LOG}\n", "line 3: the key of 'log.example/tlog' is listed twice"),
    ("witness a\n", r"line 1: expected witness <name> <vkey> \[<url>\]"),
    (f"witness a {LOG}\n", "line 1: the verifier key of 'log.example/tlog' has an unsupported type"),
    ("witness a b\n", "line 1: 'b' is not a verifier key"),
    (f"witness none {KEYS['X1']}\n", "line 1: the name 'none' is already in use"),
    (f"witness a {KEYS['X1']}\nwitness a {KEYS['X2']}\n", "line 2: the name 'a' is already in use"),
    (f"witness a {KEYS['X1']}\nwitness b {KEYS['X1']._replace(name='b')}\n", "line 2: the key of 'b' is listed"),
    (f"{WITNESSES}group X1 any X2\n", "line 7: the name 'X1' is already in use"),
    (f"{WITNESSES}group X any\n", "line 7: expected group"),
    (f"{WITNESSES}group X any none\n", "line 7: no witness or group 'none' is defined above"),
    (f"{WITNESSES}group X any X\n", "line 7: no witness or group 'X' is defined above"),
    (f"{WITNESSES}group X any X1 X1\n", "line 7: 'X1' is listed as a member twice"),
    (f"{WITNESSES}group X any X1\ngroup Y any X1\n", "line 8: 'X1' is listed as a member twice"),
    *(
        (
            f"{WITNESSES}group X {count} X1 X2\n",
            f"line 7: the threshold '{escape(count)}' must be all, any or a number from",
        )
        for count in ("0", "3", "01", "-1", "+1", "two", "9999", "1.0")
    ),
    (f"Log {LOG}\n", "line 1: 'Log' is not one of log, witness, group, quorum"),
    (f"log {LOG}\r\nquorum none\n", "line 1: control characters other than tab and newline are not allowed"),
    (f"log\xa0{LOG}\n", r"line 1: 'log\\xa0log.example"),
    (b"log \xff+00000000+AAAA\nquorum none\n", "line 1: the name of a key must be UTF-8"),
    ("#" * 1_000_001, "more than 1,000,000 bytes"),
]
"""Faulty policies with their reasons."""


def parse(text: str | bytes) -> Policy:
    return parse_policy(text.encode() if isinstance(text, str) else text)


def test_the_example_of_the_specification_round_trips() -> None:
    policy = parse(TEXT)

    assert bytes(policy).decode() == TEXT
    assert policy.log_keys == (LOG,)
    assert policy.witness_keys == tuple(KEYS.values())
    assert policy.describe_quorum() == (
        "2 of (2 of (x1.example/w, x2.example/w, x3.example/w), 1 of (y1.example/w, y2.example/w, y3.example/w))"
    )


def test_the_quorum_is_met_by_two_of_three_and_one_of_three() -> None:
    policy = parse(TEXT)
    for names in chain.from_iterable(combinations(KEYS, count) for count in range(7)):
        expected = sum("X" in name for name in names) >= 2 and any("Y" in name for name in names)
        assert policy.is_met({KEYS[name] for name in names}) == expected, names


def test_blanks_comments_and_addresses_are_read_as_specified() -> None:
    text = f"\n \t\n# a\x7f\n  # b\n\tlog\t{LOG}  https://log.example \nwitness none-1 {KEYS['X1']} u\nquorum  none-1"
    with pytest.raises(Malformed, match="line 3: control characters"):
        parse(text)
    policy = parse(text.replace("\x7f", "\xa0"))

    assert bytes(policy).decode() == (f"log {LOG} https://log.example\nwitness none-1 {KEYS['X1']} u\nquorum none-1\n")
    assert not policy.is_met([])
    assert policy.is_met([KEYS["X1"]])
    assert policy.describe_quorum() == "x1.example/w"


def test_names_are_opaque_octets() -> None:
    """The letter K and a Kelvin sign are two names, and no name need be UTF-8."""
    first, second, third = (str(KEYS[name]).encode() for name in ("X1", "X2", "X3"))
    lines = b"witness K %s\nwitness \xe2\x84\xaa %s\nwitness \xff %s\ngroup all all K \xff\nquorum all\n"
    policy = parse(lines % (first, second, third))

    assert [each.name for each in policy.witnesses] == [b"K", b"\xe2\x84\xaa", b"\xff"]
    assert bytes(policy) == lines % (first, second, third)
    with pytest.raises(Malformed, match=r"no witness or group '\\\\xfe' is defined above"):
        parse(b"quorum \xfe\n")


def test_a_quorum_of_none_needs_no_cosignature() -> None:
    policy = parse(f"quorum none\nlog {LOG}\n{WITNESSES}")

    assert policy.is_met([])
    assert policy.describe_quorum() == "no witness"
    assert bytes(policy).decode() == f"log {LOG}\n{WITNESSES}quorum none\n"


def test_a_list_of_keys_requires_one_of_its_witnesses() -> None:
    policy = policy_of_keys([KEYS["X1"], LOG, KEYS["Y1"]])

    assert [policy.is_met(each) for each in ([], [KEYS["X2"]], [KEYS["Y1"]])] == [False, False, True]
    assert policy_of_keys([LOG]) == Policy((PolicyLog(LOG),))
    assert policy_of_keys([LOG]).is_met([])
    assert parse(bytes(policy)) == policy


@pytest.mark.parametrize(("text", "expected"), FAULTS)
def test_a_fault_is_named_with_its_line(text: str | bytes, expected: str) -> None:
    with pytest.raises(Malformed, match=expected):
        parse(text)


def test_the_numbers_of_lines_are_limited() -> None:
    keys = [VerifierKey("a", COSIGNATURE, bytes([3, *number.to_bytes(31, "big")])) for number in range(LINES_MAX + 1)]
    lines = "".join(f"witness {encode(key.public)} {key}\n" for key in keys)

    with pytest.raises(Malformed, match=f"line {LINES_MAX + 1}: more than {LINES_MAX} of these lines"):
        parse(f"{lines}quorum none\n")


def test_a_chain_of_groups_is_evaluated_and_described() -> None:
    groups = "".join(f"group g{number + 1} all {f'g{number}' if number else 'X1'}\n" for number in range(LINES_MAX))
    policy = parse(f"{WITNESSES}{groups}quorum g{LINES_MAX}\n")

    assert policy.is_met([KEYS["X1"]])
    assert not policy.is_met([KEYS["X2"]])
    assert policy.describe_quorum().count("1 of (") == LINES_MAX
    assert policy.groups[0] == PolicyGroup(b"g1", 1, (b"X1",))
