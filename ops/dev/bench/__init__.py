"""Benchmarks for every budget of the design, reported as ratios within one run where possible."""
