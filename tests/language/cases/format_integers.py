"""Formats of integers in f-strings."""
n, m = 1234567, -42
answer(f"{n:,}|{n:_}|{n:d}|{n:10d}|{n:<10}|{n:>10}|{n:^11}|{m:+d}|{n:+}|{m: d}|{n: d}")
answer(f"{m:06d}|{n:x}|{n:X}|{255:b}|{255:o}|{65:c}|{n:e}|{n:.2f}|{n:012,}|{m:=+8d}|{7:03}|{7:*^9}")
answer(f"{True:d}|{True}|{True:5}|{n:.1%}|{n:.1E}|{n:g}|{n:G}")
