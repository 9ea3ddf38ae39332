import pytest

from skewclock import Estimator, seconds_at


def test_symmetric_exchange_has_no_offset():
    est = Estimator()
    est.add(0.0, 1.0, 1.5, 2.5)
    assert est.offset == 0.0


def test_shortest_delay_decides():
    est = Estimator()
    est.add(0.0, 5.0, 5.0, 6.0)
    est.add(10.0, 10.6, 10.6, 11.0)
    assert est.offset == pytest.approx(0.1)


def test_leap_rows():
    assert seconds_at(1483228800) == 37
    assert seconds_at(0) == 10
