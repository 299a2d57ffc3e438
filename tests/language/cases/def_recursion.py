"""Functions that call themselves and each other."""
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def fibonacci(n, known={}):
    if n < 2:
        return n
    if n not in known:
        known[n] = fibonacci(n - 1) + fibonacci(n - 2)
    return known[n]


def flatten(nested):
    flat = []
    for item in nested:
        if isinstance(item, list):
            flat.extend(flatten(item))
        else:
            flat.append(item)
    return flat


def hanoi(n, source, target, spare, moves):
    if n == 0:
        return moves
    hanoi(n - 1, source, spare, target, moves)
    moves.append(source + target)
    return hanoi(n - 1, spare, target, source, moves)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def permutations(items):
    if len(items) <= 1:
        return [items]
    return [[x, *rest] for i, x in enumerate(items) for rest in permutations(items[:i] + items[i + 1 :])]


def depth(tree):
    if not tree.get("children"):
        return 1
    return 1 + max(depth(child) for child in tree["children"])


answer(factorial(0), factorial(5), factorial(20), fibonacci(30), flatten([1, [2, [3, [4], []]], 5]))
answer(hanoi(3, "a", "b", "c", []), is_even(10), is_odd(7), is_even(3), permutations([1, 2, 3]))
answer(depth({"children": [{"children": [{}]}, {}]}))
def search_sorted(xs, wanted, low=0, high=None):
    high = len(xs) if high is None else high
    if low >= high:
        return -1
    middle = (low + high) // 2
    if xs[middle] == wanted:
        return middle
    if xs[middle] < wanted:
        return search_sorted(xs, wanted, middle + 1, high)
    return search_sorted(xs, wanted, low, middle)


answer([search_sorted([1, 3, 5, 7, 9], x) for x in range(11)])
