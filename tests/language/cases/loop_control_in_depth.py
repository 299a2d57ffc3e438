"""break and continue act on the loop they stand in, through if, try and match."""
seen = []
for x in range(6):
    for y in range(6):
        if y == x:
            break
        if (x + y) % 2:
            continue
        seen.append((x, y))
    else:
        seen.append("no break")
    if x == 4:
        break
answer(seen, x, y)
left = 10
steps = []
while left:
    left -= 1
    match left % 4:
        case 0:
            continue
        case 3 if left < 5:
            break
        case _:
            steps.append(left)
answer(steps, left)
done = []
for x in [2, 0, 1, "a", 4]:
    try:
        if x == 4:
            break
        if x == 1:
            continue
        done.append(10 // x)
    except ZeroDivisionError:
        done.append("zero")
        continue
    except TypeError:
        done.append("type")
    finally:
        done.append("finally")
answer(done, x)
