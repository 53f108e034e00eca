"""Quick pairing: somebody enters a pool, and sits at a table as soon as there are enough."""
