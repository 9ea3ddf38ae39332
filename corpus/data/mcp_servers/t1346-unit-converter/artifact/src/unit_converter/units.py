"""Factors that lead to the base unit of a kind."""

FACTORS = {
    "length": {"metre": 1.0, "kilometre": 1000.0, "foot": 0.3048, "mile": 1609.344, "inch": 0.0254},
    "mass": {"gram": 1.0, "kilogram": 1000.0, "pound": 453.59237, "ounce": 28.349523125},
}
TEMPERATURES = {"celsius", "fahrenheit", "kelvin"}


def _kelvin(value, unit):
    if unit == "celsius":
        return value + 273.15
    if unit == "fahrenheit":
        return (value - 32) * 5 / 9 + 273.15
    return value


def convert(value, source, target):
    if {source, target} <= TEMPERATURES:
        kelvin = _kelvin(value, source)
        if target == "celsius":
            return kelvin - 273.15
        if target == "fahrenheit":
            return (kelvin - 273.15) * 9 / 5 + 32
        return kelvin
    for table in FACTORS.values():
        if source in table and target in table:
            return value * table[source] / table[target]
    known = sorted(TEMPERATURES.union(*FACTORS.values()))
    raise ValueError("units do not fit, known are: " + ", ".join(known))
