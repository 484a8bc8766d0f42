"""The page in a real Chromium: whole games, lost connections, other languages, small screens, keyboards."""
