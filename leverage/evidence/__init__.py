"""Facts and decisions joined into tables; the accounting identity is checked here."""
