"""JSON read, changed and written."""
import json
from json import dumps, loads

text = '{"orders": [{"id": 7, "items": ["tea", "milk"], "paid": true, "note": null, "price": 12.50}, {"id": 8, "items": [], "paid": false}]}'
data = json.loads(text)
for order in data["orders"]:
    order["count"] = len(order["items"])
    answer(order["id"], order.get("note", "none"), order["paid"], order.get("price"))
data["orders"].append({"id": 9, "items": ["é", 'a "quoted" word\n'], "paid": None, 3: (1, 2.0)})
answer(json.dumps(data))
answer(json.dumps(data, indent=2))
answer(dumps(data, ensure_ascii=False, sort_keys=False), dumps([1, 2], separators=(",", ":")), dumps({"b": 1, "a": 2}, sort_keys=True))
answer(loads("[1, 2.0, -3e2, \"\\u00e9\"]"), loads(dumps(data))["orders"][2]["items"], json.loads("true"), json.loads('"x"'))
for broken in ["{", "[1,]", "", "nope"]:
    try:
        json.loads(broken)
    except json.JSONDecodeError:
        answer("not JSON:", broken)
try:
    json.loads("{'a': 1}")
except ValueError:
    answer("single quotes are no JSON")
try:
    json.dumps({1, 2})
except TypeError:
    answer("a set is no JSON")
