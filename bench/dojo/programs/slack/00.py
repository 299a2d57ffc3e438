answer(get_webpage("www.informations.com"))
