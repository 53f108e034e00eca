"""The domain: the games, the match log, and everything derived from them. Pure except for the event store."""
