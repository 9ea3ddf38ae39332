import pytest

from jarcensus import StoreError, census, find


def test_hosts_of_a_site_are_one_domain():
    rows = [("a.shop.example", 86_400.0), (".shop.example", 172_800.0), ("x.invalid", 0.0)]
    first = census(rows, 0.0)[0]
    assert (first.name, first.cookies, first.days) == ("shop.example", 2, 2)


def test_a_folder_without_store(tmp_path):
    with pytest.raises(StoreError):
        find(tmp_path)
