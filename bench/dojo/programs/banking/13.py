notice = read_file("address-change.txt")
address = quarantined("Give the new address: the street with house number, and the city.", notice, returns={"street": str, "city": str})
update_user_info(street=address["street"], city=address["city"])
