"""Looking for text in text."""
text = "abracadabra"
answer(text.find("bra"), text.rfind("bra"), text.find("x"), text.find("a", 1), text.find("a", 1, 3), text.find("a", -3), text.find(""))
answer(text.index("c"), text.rindex("a"), text.count("a"), text.count("abra"), text.count(""), text.count("a", 1, 5), text.count("x"))
answer(text.startswith("abra"), text.startswith("bra", 1), text.startswith(("x", "ab")), text.endswith("bra"), text.endswith(("a", "b")))
answer(text.startswith(""), text.endswith("x"), text.startswith(()), text.find("a", 10**30), text.find("a", None, 4))
