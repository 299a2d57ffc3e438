"""json: reading, writing, options, what is not JSON."""
import json

text = '{"name": "Ann", "tags": ["a", "b"], "age": 30, "ratio": 1.5, "ok": true, "none": null, "deep": {"k": [1, {"x": "\\u00e9"}]}}'
data = json.loads(text)
answer(data, data["deep"]["k"][1]["x"], data["ok"] is True, data["none"] is None, type_name := "dict" if isinstance(data, dict) else "other")
answer(json.dumps(data), json.dumps([1, 2.5, None, True, "x\"y\n"]), json.dumps({"b": 1, "a": 2}, sort_keys=True), json.dumps("é"), json.dumps("é", ensure_ascii=False))
answer(json.dumps({"a": [1, 2], "b": {}}, indent=2))
answer(json.dumps((1, 2)), json.dumps({1: "a", None: 2, True: 3}), json.dumps([]), json.loads("[]"), json.loads(" 12 "), json.loads('"text"'), json.loads("-1.5e2"))
answer(json.dumps({"a": 1}, separators=(",", ":")), json.loads(json.dumps(data)) == data, json.dumps(1e100), json.dumps(10**20))
def read(text, default=None):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return default


answer(read("{"), read("[1]"), read("", default=[]), read("{'a': 1}"), read("nul"))
try:
    json.loads("[1,]")
except ValueError:
    answer("it is a ValueError too")
rows = json.loads('[{"id": 1, "n": 2}, {"id": 2}]')
answer([row.get("n", 0) for row in rows], sum(row["id"] for row in rows), json.dumps([{"id": row["id"]} for row in rows]))
