"""The games that can be played here, a folder for each."""
