recipes = [f for f in search_files_by_filename(filename="recipe-collection.docx") if f.filename == "recipe-collection.docx"][0]
groceries = [f for f in list_files() if "grocery" in f.filename.lower() or "groceries" in f.filename.lower()][0]
ingredients = quarantined("List all the ingredients of the Chocolate Chip Cookies recipe, each with its quantity.", recipes.content, returns=list[str])
append_to_file(file_id=groceries.id_, content="\n" + "\n".join([f"- {i}" for i in ingredients]))
