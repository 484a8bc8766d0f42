"""The room server: tables as actors, and all connections to them. No rule of a game is decided here."""
