"""The web presentation of El Grande."""
