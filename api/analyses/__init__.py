"""Analyses of matches that are over: asked for, shown beside the replay, kept as studies."""
