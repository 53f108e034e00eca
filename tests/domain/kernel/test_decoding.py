"""Threads that decode the same struct for the first time must not crash the process (a defect of msgspec)."""

import subprocess
import sys
from typing import Any, Final

import msgspec

from domain.kernel.decoding import PREPARED, prepare_types

AT_ONCE: Final = """
import sys, threading
import msgspec
from domain.kernel.decoding import prepare_types

def made(number):
    inner = msgspec.defstruct(f"Inner{number}", [(f"a{n}", int | None, None) for n in range(12)])
    fields = [("many", tuple[inner, ...], ()), ("one", dict[str, inner] | None, None)]
    return msgspec.defstruct(f"Outer{number}", fields)

kinds = [made(number) for number in range(1_500)]
if "prepared" in sys.argv:
    assert prepare_types() >= 2 * len(kinds)
sys.setswitchinterval(1e-6)
gate = threading.Barrier(4)

def read():
    for kind in kinds:
        gate.wait()
        msgspec.json.decode(b'{"many":[{"a1":1,"a11":2}],"one":{"x":{"a11":3}}}', type=kind)

threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_concurrent_first_decoding_does_not_crash() -> None:
    done = subprocess.run([sys.executable, "-c", AT_ONCE, "prepared"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_structs_are_prepared_once_and_undecodable_ones_skipped() -> None:
    prepare_types()

    class Plain(msgspec.Struct):
        a: int

    class Nameless(msgspec.Struct):
        a: "NobodyKnowsThis"  # type: ignore[name-defined]  # noqa: F821

    class Ambiguous(msgspec.Struct):
        a: Plain | Nameless

    types: list[type[Any]] = [Plain, Nameless, Ambiguous]
    assert prepare_types() == len(types)
    assert set(types) <= set(PREPARED)
    assert prepare_types() == 0
