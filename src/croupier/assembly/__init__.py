"""Parts of one layer put together in one process: a room and who plays in it, a room and the lab.

The server, the clients and the lab know nothing of each other; whoever needs two of them finds both here.
"""
