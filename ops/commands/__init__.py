"""Console commands, one module each."""
