"""Parts of one layer put together in one process: a room and its players, a room and the lab.

The server, the clients and the lab know nothing of each other. Code that needs two of them belongs here.
"""
