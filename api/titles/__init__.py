"""The web presentation of titles: a package for each, and a plain drawing for titles without one."""
