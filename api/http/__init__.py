"""What no subject owns: signing in, guards, errors, limits, languages, live streams, fragments and forms."""
