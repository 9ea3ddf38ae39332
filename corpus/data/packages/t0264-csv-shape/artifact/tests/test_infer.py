from csvshape import infer


def shape(tmp_path, text):
    file = tmp_path / "x.csv"
    file.write_text(text, encoding="utf-8")
    return {c.name: c.kind for c in infer(file)}


def test_ladder(tmp_path):
    text = "a,b,c,d\n1,1.5,2024-02-29,x\n2,3,2024-03-01,9\n"
    assert shape(tmp_path, text) == {"a": "int", "b": "decimal", "c": "date", "d": "text"}


def test_empty_column(tmp_path):
    assert shape(tmp_path, "a,b\n1,\n2,\n")["b"] == "empty"
