from commit_stats.log import per_author, per_week


def test_rows_are_counted_and_dated():
    table = per_author([("Ann", "2026-02-01"), ("Bo", "2026-02-03"), ("Ann", "2026-01-20")])
    assert table["Ann"] == {"commits": 2, "first": "2026-01-20", "last": "2026-02-01"}
    assert table["Bo"]["commits"] == 1


def test_weeks_are_in_order():
    days = ["2026-02-10", "2026-01-01", "2026-02-09"]
    assert per_week(("Ann", day) for day in days) == {"2026-W01": 1, "2026-W07": 2}


def test_no_commits():
    assert per_author([]) == {}
