"""Console support for El Grande."""
