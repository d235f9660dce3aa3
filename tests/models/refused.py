"""Arguments that public functions refuse: a table of calls, and what each ValueError says."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., Any]


def refused(*rows: tuple[Call, str], given: Callable[[], Any] | None = None) -> Callable[..., None]:
    """A test with a case a row: a call, and how the message of its ValueError begins (a regex).

    Calls take what `given` makes, a new one for each; nothing without it.
    """

    @pytest.mark.parametrize(("call", "message"), rows)
    def test(call: Call, message: str) -> None:
        with pytest.raises(ValueError, match=f"^{message}"):
            call(*(() if given is None else (given(),)))

    return test
