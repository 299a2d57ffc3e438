"""Long integers: products, powers, division, text and back."""
n = 10**3000 + 7
text = str(n)
answer(len(text), text[:3], text[-3:], int(text) == n)
m = 7**3000
answer(m % 1000007, m // 7**2990, len(str(m)))
answer(n - 10**3000, n > m, n == m, n != m, -n < 0)
answer((10**1500 + 1) * (10**1499 + 1) % 998244353)
total = 0
for i in range(100):
    total = total * 10**20 + i
answer(total % 10**40)
