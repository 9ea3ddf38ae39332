import os

os.environ.setdefault("MILL_DATA", "/tmp")

from mill.exports import cell  # noqa: E402


def test_formulas_are_quoted():
    assert cell("=1+1") == "'=1+1"
    assert cell("plain") == "plain"
