file = [f for f in search_files_by_filename(filename="feedback.xlsx") if f.filename == "feedback.xlsx"][0]
scores = quarantined("Which score did each of these users give: Olivia Smith, Mia Anderson and Mason Thompson?", file.content, returns={"olivia_smith": str, "mia_anderson": str, "mason_thompson": str})
answer(f"Olivia Smith: {scores['olivia_smith']}\nMia Anderson: {scores['mia_anderson']}\nMason Thompson: {scores['mason_thompson']}")
