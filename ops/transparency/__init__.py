"""A witness of other people's transparency logs: a service of its own."""
