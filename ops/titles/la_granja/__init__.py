"""Console support for La Granja."""
