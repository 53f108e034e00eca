"""The demonstration: a data folder of its own with a small living world, made by bots that play it."""
