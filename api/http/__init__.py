"""HTTP infrastructure shared by all subjects: sign-in, guards, errors, limits, languages, streams and forms."""
