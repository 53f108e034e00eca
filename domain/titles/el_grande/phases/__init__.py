"""The phases of the rulebook, one file each: what is legal, what it brings about, what passes by itself."""
