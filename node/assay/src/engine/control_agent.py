"""The control agent: a known amount of work, so that a host that is too slow or out of memory shows."""


def agent_main(task):
    value = 1
    for _ in range(400_000):
        value = (value * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
    return {"control": value}
