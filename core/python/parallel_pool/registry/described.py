"""What users and plugins gave or raised, in a few words, whatever it is."""

import reprlib

_LONGEST = 2000
_SHORT = 300


def one_line(error: BaseException) -> str:
    """`ValueError: message`, on one line."""
    try:
        message = str(error)
    except Exception:  # the exception cannot make its text
        message = ""
    said = " ".join(f"{type(error).__name__}: {message}".split()).removesuffix(":")
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} ..."


def utf8(text: str) -> bytes:
    """The text in UTF-8. Parts of a file's name that are no Unicode (lone surrogates) become escapes."""
    return text.encode(errors="backslashreplace")


def described(value: object) -> str:
    """Its repr, shortened; its type where that raises."""
    try:
        return reprlib.repr(value)
    except Exception:
        return f"a {type(value).__name__}"


def shortened(value: object) -> str:
    """Its repr, of a long one the ends. Raises what the repr raises: a handler of a signal may."""
    text = repr(value)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 80]} ... {text[-80:]}"
