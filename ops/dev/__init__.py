"""Tools of the developers: benchmarks, fault injection, loads, laws, training. They are not part of the wheel."""
