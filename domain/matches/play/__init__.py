"""Commands of a running match, its clocks, deadlines and pauses."""
