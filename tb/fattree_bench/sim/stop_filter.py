"""Verilator's --pipe-filter: $stop and $finish say where they ended a simulation, as $error does.

Verilator writes `read "FILE"` a line, and reads a length and the text that it is to take for it.
"""

import re
import sys
from pathlib import Path

STRING_OR_STOP = re.compile(r'"(?:\\.|[^"\\\n])*"|(\$stop|\$finish)\b(?:\s*\([^)]*\))?')


def say_where(text: str) -> str:
    """A source with each $stop or $finish outside a string as an $error."""
    return STRING_OR_STOP.sub(lambda m: f'$error("{m[1]}")' if m[1] else m[0], text)


def main() -> None:
    """Answer until Verilator has no more to ask."""
    for request in sys.stdin:
        if name := re.match(r'read "(.*)"', request):
            text = say_where(Path(name[1]).read_text(errors="surrogateescape"))
            length = len(text.encode(errors="surrogateescape"))
            sys.stdout.write(f"Content-Length: {length}\n{text}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
