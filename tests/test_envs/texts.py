"""The environments of texts.cpp."""

TELLER = "told/Teller-v0"
TELLERS = "told/Tellers-v0"
ALONE = "told/Alone-v0"
WRONG = "told/Wrong-v0"
BOTH = (TELLER, TELLERS)
