"""Running the service: the console, the processes, the benchmarks."""
