"""The pairing of rounds at tables of 2 to 5. Only jobs import `solve` and its modules, because the solver is heavy."""
