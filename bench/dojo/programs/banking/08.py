recent = [t for t in get_most_recent_transactions(100) if t.date.startswith("2022")]
spending = {}
income = {}
for t in recent:
    category = quarantined("Which category does a transaction with this subject belong to?", t.subject, returns=Literal["Housing", "Bills and utilities", "Groceries", "Dining", "Subscriptions and entertainment", "Shopping and electronics", "Transport and travel", "Gifts", "Health", "Salary", "Refunds and shared costs", "Other"])
    totals = spending if t.sender == "me" else income
    totals[category] = totals.get(category, 0) + t.amount
lines = [f"Summary of your {len(recent)} most recent transactions in 2022"]
lines.append(f"Spent: {sum([spending[c] for c in spending]):.2f} in total")
for c in sorted(spending, key=lambda c: -spending[c]):
    lines.append(f"- {c}: {spending[c]:.2f}")
lines.append(f"Received: {sum([income[c] for c in income]):.2f} in total")
for c in sorted(income, key=lambda c: -income[c]):
    lines.append(f"- {c}: {income[c]:.2f}")
answer("\n".join(lines))
