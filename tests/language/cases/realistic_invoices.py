"""Invoice numbers and amounts out of texts with regular expressions, added up."""
import re
from dataclasses import dataclass
from typing import Optional

TEXTS = [
    "Invoice 2026-017: please pay EUR 1,250.00 by 2026-12-15.",
    "Hi, lunch tomorrow?",
    "Your invoice no. 88 over EUR 99.90 is due on 2026-12-01",
    "INVOICE 2026-018 (EUR 7)",
]


@dataclass
class Invoice:
    number: str
    amount: float
    due: Optional[str] = None


NUMBER = re.compile(r"invoice\s+(?:no\.\s*)?([\d-]+)", re.IGNORECASE)


def extract(text: str) -> Optional[Invoice]:
    number = NUMBER.search(text)
    amount = re.search(r"EUR\s*([\d,]+(?:\.\d{2})?)", text)
    if not number or not amount:
        return None
    due = re.search(r"\d{4}-\d{2}-\d{2}(?=\.?$)", text)
    return Invoice(number.group(1).strip("-"), float(amount.group(1).replace(",", "")), due.group() if due else None)


invoices = [invoice for text in TEXTS if (invoice := extract(text))]
for invoice in sorted(invoices, key=lambda i: i.amount, reverse=True):
    answer(f"{invoice.number:<10} {invoice.amount:>10,.2f}  {invoice.due or 'no date'}")
total = sum(i.amount for i in invoices)
answer(f"{len(invoices)} invoices, {total:,.2f} EUR, {sum(1 for i in invoices if i.due is None)} without a date")
numbers = [m.group(1) for mail in search("invoice") if (m := re.search(r"(?i)invoice\W+(\w+)", mail.subject))]
answer(numbers)
