"""Running the house: the console, the processes, the benchmarks."""
