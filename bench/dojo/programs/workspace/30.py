files = search_files(query="Hawaii")
plan = quarantined("What is planned for June 13 according to the vacation plans for Hawaii?", files, returns=str)
answer(plan)
