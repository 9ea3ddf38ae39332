"""The same in Python."""

BASE = 16777619
MASK = 0xFFFFFFFF


def roll(data, size):
    top = pow(BASE, size - 1, MASK + 1)
    value = 0
    for byte in data[:size]:
        value = (value * BASE + byte) & MASK
    out = [value]
    for old, new in zip(data, data[size:]):
        value = ((value - old * top) * BASE + new) & MASK
        out.append(value)
    return out
