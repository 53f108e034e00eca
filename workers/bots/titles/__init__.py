"""What the bots know of titles: a module of the title's name with its `WEIGHTS`; a title may have none."""
