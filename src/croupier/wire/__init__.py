"""All messages of a connection as tagged structs, their codec, and the schemas made from them. The shape of messages
belongs here, not their handling. `frames` has what all parts share; each part of the room has its own file.
"""
