"""Quick pairing: players enter a pool and get a table as soon as enough are waiting."""
