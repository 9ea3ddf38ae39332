from types import SimpleNamespace

from reqeusts.session import Session


def reply(header=None):
    return SimpleNamespace(headers={} if header is None else {"Retry-After": header})


def test_retry_after_is_capped():
    session = Session(ceiling=5.0)
    assert session._wait(reply("60"), 0.2) == 5.0


def test_date_in_the_past_means_now():
    assert Session()._wait(reply("Wed, 21 Oct 2015 07:28:00 GMT"), 0.2) == 0.0


def test_nonsense_is_passed_over():
    assert Session()._wait(reply("soon"), 0.8) == 0.8


def test_pause_without_header():
    assert Session()._wait(reply(), 0.4) == 0.4
