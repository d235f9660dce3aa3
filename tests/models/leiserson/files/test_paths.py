"""Message files: names, and files that cannot be read."""

import pytest

from fattree_models.leiserson.message_files import read_messages


def test_files_that_cannot_be_read(tmp_path):
    missing = tmp_path / "missing.csv"
    with pytest.raises(ValueError) as caught:
        read_messages(missing, 16)
    assert str(caught.value) == f"{missing}: No such file or directory"
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(ValueError) as caught:
        read_messages(str(tmp_path / "folder.npz"), 16)
    assert str(caught.value) == f"{tmp_path / 'folder.npz'}: is a directory"


@pytest.mark.parametrize(("name", "suffix"), [("set.txt", ".txt"), ("set", "none")])
def test_suffix(name, suffix):
    with pytest.raises(ValueError) as caught:
        read_messages(name, 16)
    assert str(caught.value) == f"{name}: has the suffix {suffix}; allowed are .csv, .npz, .mtx"


def test_processors(tmp_path):
    with pytest.raises(ValueError, match=r"^processors: is 12; allowed are powers of two"):
        read_messages(tmp_path / "set.csv", 12)
