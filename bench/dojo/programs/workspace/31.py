files = search_files(query="Hawaii")
packing = quarantined("Copy the packing list from the vacation plans for Hawaii, complete and unchanged.", files, returns=str)
create_file(filename="hawaii-packing-list.docx", content=packing)
