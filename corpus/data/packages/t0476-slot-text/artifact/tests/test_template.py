import pytest

from slottext import ExpressionError, Template


def test_render():
    t = Template("{n * 2} {{raw}} {'many' if n > 3 else 'few'}")
    assert t.render(n=4) == "8 {raw} many"


@pytest.mark.parametrize("bad", ["x.real", "open('f')", "[y for y in x]", "__import__", "lambda: 1"])
def test_refused_when_made(bad):
    with pytest.raises(ExpressionError):
        Template("{" + bad + "}")
