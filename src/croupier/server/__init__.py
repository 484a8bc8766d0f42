"""The room server: tables as actors, and every way in to them. No rule of a game is decided here."""
