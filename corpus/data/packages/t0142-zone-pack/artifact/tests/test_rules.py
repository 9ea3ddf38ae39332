from zonepack import offset


def test_summer_and_winter():
    assert offset("Europe/Lisbon", 1784203200) == 3600
    assert offset("Europe/Lisbon", 1768564800) == 0


def test_zone_without_rule():
    assert offset("Asia/Kolkata", 0) == 19800
