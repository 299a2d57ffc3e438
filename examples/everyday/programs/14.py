mail = search_emails(query="move", sender="Priya")[0]
files = [file for file in search_files(query="TODO") if "todo" in file.filename.lower()]
filename = files[0].filename if len(files) > 0 else "TODO.txt"
things = quarantined("List what the sender still needs from the reader.", mail.body, returns=list[str])
append_to_file(filename=filename, text="\n".join(things) + "\n")
