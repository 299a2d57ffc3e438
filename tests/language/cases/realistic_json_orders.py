"""An attached JSON text, read with care, checked, totalled, written back."""
import json

TEXT = '{"orders": [{"id": 7, "items": [{"sku": "tea", "qty": 2, "price": 3.5}, {"sku": "milk", "qty": 1, "price": 1.2}]}, {"id": 8, "items": []}, {"id": 9}], "currency": "EUR"}'


def load(text):
    try:
        data = json.loads(text)
    except json.JSONDecodeError as e:
        return {"orders": [], "error": "no JSON"}
    assert isinstance(data, dict) and "orders" in data, "no orders in it"
    return data


data = load(TEXT)
report, problems = [], []
for order in data["orders"]:
    match order:
        case {"id": number, "items": [_, *_] as items}:
            total = sum(item["qty"] * item["price"] for item in items)
            report.append({"id": number, "total": round(total, 2), "skus": sorted(item["sku"] for item in items)})
        case {"id": number, "items": []}:
            problems.append(f"order {number} is empty")
        case {"id": number}:
            problems.append(f"order {number} lacks items")
answer(json.dumps(report, indent=1))
answer(problems, load("{")["error"], json.dumps({"problems": problems, "currency": data.get("currency", "?")}, sort_keys=True))
try:
    load("[1]")
except AssertionError as e:
    answer("refused:", e)
