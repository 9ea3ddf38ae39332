import pytest

from hashwheel import windows
from hashwheel.pure import roll


def test_equal_windows_hash_equally():
    values = dict(windows(b"abcdXabcd", 4))
    assert values[0] == values[5] != values[1]


def test_kernel_agrees_with_python():
    data = bytes(range(256)) * 3
    assert [v for _, v in windows(data, 17)] == roll(data, 17)


def test_size_is_checked():
    with pytest.raises(ValueError):
        list(windows(b"abc", 0))
