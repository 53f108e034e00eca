"""Types of columns for tables that are declared once, for SQLite and for PostgreSQL.

Connections of our own convert no values (`statements.py`): use these types alone, whose values both drivers take and
return as they are.
"""

from typing import Final

from sqlalchemy import BigInteger, Integer, LargeBinary, Text

WORDS: Final = Text()
"""Text for people. No statement compares or orders it."""
KEY: Final = Text(collation="C").with_variant(Text(), "sqlite")
"""Text that statements compare or order: by its bytes, whatever the language of a server is."""
SMALL: Final = Integer()
"""A number below 2**31."""
NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
"""A number below 2**63: a position in the log, a time in microseconds."""
BYTES: Final = LargeBinary()
