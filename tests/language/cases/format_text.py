"""Formats of text in f-strings, conversions, nesting, self-documenting."""
s, n = "hi", 5
answer(f"[{s}] [{s:5}] [{s:>5}] [{s:^6}] [{s:*<5}] [{s:.1}] [{s:5.1}] [{s:s}]")
answer(f"{s!r} {s!s} {s!r:>8} {n!r} {n!s:>3} {[s]} {None} {s=} {n = } {n=:03d}")
answer(f"{{literal}} {{{n}}} {n}{n} {'in' + 'side'} {f'{n}{n:02d}'}")
answer([f"", f"plain", f"{s:}", f"{'a' if n > 3 else 'b'}", f"{n * 2 + 1}", f"{s.upper()[:1]}"])
