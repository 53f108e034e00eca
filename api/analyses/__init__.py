"""Analyses of ended matches: requested, shown next to the replay, saved as studies."""
