"""Rooms in processes of their own: one server on more than one core.

The front is the server itself: it listens, and has the page, the API, the casino, the classroom and the store. Each
worker is a node on the store that the front shares with it, and serves the rooms whose home it is. A connection that
enters a room is handed over to the room's home, the open socket with all that is known of it, and plays there directly.

Where a connection is served is only a matter of speed: every process can serve every room, as every node of several
servers can. So a connection that cannot be handed over now is served where it is.
"""
