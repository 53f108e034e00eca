"""Operation of the service: console commands, process management and benchmarks."""
