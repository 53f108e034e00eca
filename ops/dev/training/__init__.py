"""Training of the evaluations of searching bots: bot matches, positions at the ends of rounds, ridge regression."""
