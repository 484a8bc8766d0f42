"""The server's half of the SignalR JSON hub protocol over WebSockets. The methods of a hub are elsewhere."""
