"""What goes over a connection: every message a tagged struct, one codec, the schemas made from both.

Here belongs the shape of messages, not what is done about them. `frames` has what all parts share; each part of the
room has a file of its own.
"""
