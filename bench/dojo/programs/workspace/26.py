largest = max(list_files(), key=lambda f: f.size)
answer(largest.filename)
