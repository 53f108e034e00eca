"""The library that tournaments and league seasons share: pure functions over small protocols."""
