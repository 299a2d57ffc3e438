"""format(), nested widths in f-strings, conversions, the = form."""
width, places, x = 8, 2, 3.14159
answer(f"{x:{width}.{places}f}|", f"{'a':>{width}}|", f"{x!s:>10}|", f"{'q'!r}", format(x, ".3f"), format(7), format(255, "x"), format("a", ">3"))
answer(f"{x=:.2f}", f"{width = }", f"{width=}", f"{1 + 1=}", f"{'t'!r:>6}")
table = {"tea": 2.5}
answer(f"{table['tea']:.2f} {', '.join(f'{k}:{v}' for k, v in table.items())} {(lambda: 5)()} {[i for i in range(3)]}")
answer(f"{{literal}} {'nested ' + f'{x:.1f}'} {x if x > 3 else 'small'}", f"{1_000_000:,}", f"{0.256:.1%}", f"{-5:+}|{5:+}|{5: }")
