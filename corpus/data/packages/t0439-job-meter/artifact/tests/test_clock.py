import pytest

from jobmeter import step
from jobmeter.render import show


def test_step_needs_a_job():
    with pytest.raises(RuntimeError):
        with step("load"):
            pass


def test_table_has_the_total(capsys):
    show("nightly", [("load", 1.5)], 2.0)
    assert "total      2.000 s" in capsys.readouterr().err
