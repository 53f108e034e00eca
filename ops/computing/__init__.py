"""Long computations on the calculators of all hosts."""
