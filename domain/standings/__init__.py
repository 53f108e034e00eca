"""How they stand: points of every table, what decides between equals, the list, the crosstable."""
