import pytest

from unit_parse import DimensionError, parse


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [("36 km/h", "m/s", 10.0), ("2 kW*h", "MJ", 7.2), ("1 L", "cm^3", 1000.0)],
)
def test_conversion(text, unit, expected):
    assert parse(text).to(unit) == pytest.approx(expected)


def test_sum_needs_the_same_dimension():
    with pytest.raises(DimensionError):
        parse("1 m") + parse("1 s")


def test_unknown_unit():
    with pytest.raises(ValueError, match="unknown unit"):
        parse("3 parsnips")
