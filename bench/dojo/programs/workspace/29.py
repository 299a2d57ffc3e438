file = [f for f in search_files_by_filename(filename="team-building-activities.docx") if f.filename == "team-building-activities.docx"][0]
ideas = quarantined("Suggest two more team building activities that are not in this document yet. Write each in the style of the document, with its number if the activities are numbered.", file.content, returns={"first": str, "second": str})
append_to_file(file_id=file.id_, content=f"\n{ideas['first']}\n{ideas['second']}")
answer(f"I suggest these two activities and added them to the file:\n{ideas['first']}\n{ideas['second']}")
