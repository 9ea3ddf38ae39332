"""Reference agent `sleeper`: sleeps for ever and uses no CPU.

It shows that the wall-clock backstop ends a run that the CPU budget cannot: \`wall_backstop_exceeded\`."""

import time


def agent_main(task):
    while True:
        time.sleep(3600)
