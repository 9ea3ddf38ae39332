from commit_stats.log import per_author


def test_rows_are_counted_and_dated():
    table = per_author([("Ann", "2026-02-01"), ("Bo", "2026-02-03"), ("Ann", "2026-01-20")])
    assert table["Ann"] == {"commits": 2, "first": "2026-01-20", "last": "2026-02-01"}
    assert table["Bo"]["commits"] == 1


def test_no_commits():
    assert per_author([]) == {}
