"""How titles are offered and drawn: a folder for each, and a plain drawing for a title without one."""
