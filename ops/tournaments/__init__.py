"""Console support for tournaments."""
