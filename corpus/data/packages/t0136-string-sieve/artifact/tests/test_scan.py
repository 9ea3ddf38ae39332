import base64

from string_sieve import scan_text


def rules(text):
    return [hit.rule for hit in scan_text("x", text)]


def test_assigned_secret_is_cut():
    (hit,) = scan_text("x", 'password = "c0rrect-h0rse"')
    assert (hit.rule, hit.preview) == ("assigned-secret", "c0r****")


def test_key_inside_base64():
    armour = "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc"
    assert rules("data: " + base64.b64encode(armour.encode()).decode()) == ["private-key"]


def test_marked_lines_are_skipped():
    assert rules('token = "abcdefgh1234"  # sieve: ok') == []
