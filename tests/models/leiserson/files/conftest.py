"""Fixtures of tests that read message files."""

import pytest

from fattree_models.leiserson.message_files import read_messages


@pytest.fixture
def read(tmp_path):
    """`read(".csv", content)` writes a file and reads it for 16 processors."""

    def write_and_read(suffix, content, n=16):
        path = tmp_path / f"set{suffix}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_messages(path, n)

    return write_and_read


@pytest.fixture
def fault(read, tmp_path):
    """`fault(".csv", content)` is the error message without the path in front."""

    def read_and_fail(suffix, content):
        with pytest.raises(ValueError) as caught:
            read(suffix, content)
        message = str(caught.value)
        assert "\n" not in message
        path, _, reason = message.partition(": ")
        assert path == str(tmp_path / f"set{suffix}")
        return reason

    return read_and_fail
