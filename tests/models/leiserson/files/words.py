"""What the tests of message files share."""

PLACES = "(16 or external: the outside)"
MOST = 2**64 - 1


def as_lists(messages):
    payload = None if messages.payload is None else messages.payload.tolist()
    return messages.src.tolist(), messages.dst.tolist(), payload, messages.local
