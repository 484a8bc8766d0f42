"""The server's half of the SignalR JSON hub protocol over WebSockets. What a hub's methods do is not here."""
