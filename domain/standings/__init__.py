"""Standings: points of tables, tie-breaks, the list and the crosstable."""
