"""A simulated year of a league, played by programs on a real service with a clock that the simulation moves."""
