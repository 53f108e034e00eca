"""Analyses of ended matches: documents and bounds, no facts."""
