"""Why a file could not be used, in words for the person who named it."""


def reason(error: Exception) -> str:
    """What an error says, without the number of the operating system and the name of the file, which is told anyway."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
