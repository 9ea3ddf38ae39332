"""Reference agent `spinner`: writes the probe, then burns CPU for ever.

It shows that the CPU budget ends a run that proved its execution but never finished: \`cpu_budget_exceeded\`."""

def write_probe(task):
    with open(task["probe"]["file_path"], "w", encoding="ascii") as probe:
        probe.write(task["probe"]["file_content"])


def agent_main(task):
    write_probe(task)
    while True:
        pass
