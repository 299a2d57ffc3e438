file = read_file(filename="notes.txt")
tidy = quarantined("Tidy up these notes: one point per line, the points about the summer house first, then all the others. Lose nothing and add nothing. Give only the tidied text.", file.content, returns=str)
write_file(filename="notes.txt", text=tidy)
