"""Commands of a running match, clocks, deadlines and pauses."""
