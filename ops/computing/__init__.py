"""Long computations over the calculators of all hosts: what they can compute, who wants it, the process itself."""
