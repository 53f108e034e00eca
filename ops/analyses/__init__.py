"""Console support for analyses."""
