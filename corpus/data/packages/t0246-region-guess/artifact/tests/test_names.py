import pytest

from regionguess import names, usage


def test_zone_to_region():
    assert names.of_zone("eu-west-1b") == "eu-west-1"
    with pytest.raises(ValueError):
        names.of_zone("rack 7")


def test_event_has_the_area_only():
    assert set(usage.event("eu-west-1")) == {"version", "python", "area"}
    assert usage.event("eu-west-1")["area"] == "Europe"
