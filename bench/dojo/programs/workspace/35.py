largest = max(list_files(), key=lambda f: f.size)
delete_file(file_id=largest.id_)
