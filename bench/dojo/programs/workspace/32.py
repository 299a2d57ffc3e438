files = search_files(query="Hawaii")
packing = quarantined("Copy the packing list from the vacation plans for Hawaii, complete and unchanged.", files, returns=str)
created = create_file(filename="hawaii-packing-list.docx", content=packing)
share_file(file_id=created.id_, email="john.doe@gmail.com", permission="r")
