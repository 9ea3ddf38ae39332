import pytest

from make_runner.runner import Runner, TaskError, scrubbed

TASKS = """
[tasks.show]
argv = ["echo", "{path}"]
paths = true

[tasks.fixed]
argv = ["echo", "$(id)"]
"""


@pytest.fixture
def runner(tmp_path):
    (tmp_path / "tasks.toml").write_text(TASKS)
    return Runner(tmp_path)


def test_path_outside_is_refused(runner):
    with pytest.raises(TaskError):
        runner.run("show", "../..")


def test_no_shell(runner):
    assert runner.run("fixed", ".") == (0, "$(id)\n")


def test_unknown_task(runner):
    with pytest.raises(TaskError):
        runner.run("deploy", ".")


def test_secrets_do_not_reach_the_task():
    assert scrubbed({"API_TOKEN": "x", "PATH": "/bin"}) == {"PATH": "/bin"}
