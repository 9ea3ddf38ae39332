"""Reference agent `crasher`: raises as soon as it is called.

Every repetition of it fails as \`entrypoint_raised\`; a task without a completed repetition counts as incorrect."""

def agent_main(task):
    raise RuntimeError("this agent always raises")
