"""Every way to write a number."""
numbers = [0, 7, 1_000_000, 0x1F, 0o17, 0b101, 1.5, 0.5, 5.0, 1e3, 1.5e-3, 1_0.2_5]
answer(numbers)
for number in numbers:
    answer(number)
