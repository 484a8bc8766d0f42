"""Why a file could not be used, as text for the person who named it."""


def reason(error: Exception) -> str:
    """An error's message, without the system's error number and the file name, which the caller prints anyway."""
    if isinstance(error, UnicodeDecodeError):
        return "not a text in UTF-8"
    return (isinstance(error, OSError) and error.strerror) or str(error)
