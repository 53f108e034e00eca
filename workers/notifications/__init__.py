"""Messages handed over: by mail, and to the push services of browsers."""
