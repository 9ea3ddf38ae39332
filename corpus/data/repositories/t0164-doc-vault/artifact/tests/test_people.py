import pytest

from vault.people import local


@pytest.mark.parametrize("target", ["//other.example", "https://other.example/", "/\\other.example", "x"])
def test_other_sites_are_not_followed(target):
    assert local(target) == "/"


def test_own_paths_are():
    assert local("/documents/3") == "/documents/3"
