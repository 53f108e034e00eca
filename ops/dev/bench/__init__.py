"""The benchmarks: every budget of the design, as a ratio measured in one run where that is possible."""
