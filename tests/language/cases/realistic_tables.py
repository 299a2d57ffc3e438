"""Rows, columns, totals and averages."""
rows = ["tea,3,1.50", "milk,2,0.99", "bread,1,2.25", "tea,1,1.50"]
table = []
for row in rows:
    name, count, price = row.split(",")
    table.append({"name": name, "count": int(count), "price": float(price)})
total = round(sum(line["count"] * line["price"] for line in table), 2)
by_name = {}
for line in table:
    by_name.setdefault(line["name"], []).append(line)
for name in sorted(by_name):
    lines = by_name[name]
    count = sum(line["count"] for line in lines)
    answer(f"{name:<8}{count:>3}{lines[0]['price']:>7.2f}")
answer(f"{'total':-<11}{total:>7.2f}", max(line["price"] for line in table))
columns = [[line[key] for line in table] for key in ["name", "count"]]
transposed = [list(row) for row in zip(columns[0], columns[1])]
answer(transposed, [x for row in transposed for x in row][:4])
