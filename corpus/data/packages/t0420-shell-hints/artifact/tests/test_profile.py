from shell_hints import harvest, profile


def test_block_goes_in_once_and_out_again(tmp_path):
    target = tmp_path / ".bashrc"
    target.write_text("alias l=ls", encoding="utf-8")
    assert profile.add(target)
    assert not profile.add(target)
    assert profile.remove(target)
    assert target.read_text(encoding="utf-8") == "alias l=ls\n"


def test_options():
    assert harvest.options_in("use --keep N or --dry-run, not -x") == ["--dry-run", "--keep"]
