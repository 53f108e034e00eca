"""Who meets whom at tables of 2 to 5. `solve` and what it needs are loaded by jobs only: the solver is heavy."""
