"""Methods that change case or test it."""
for text in ["hello world", "HELLO", "Hello World", "they're bill's", "", "123", "a1B2", "  x "]:
    answer([text.upper(), text.lower(), text.title(), text.capitalize(), text.swapcase(), text.casefold()])
    answer(text.isupper(), text.islower(), text.istitle(), text.isspace(), text.isalpha(), text.isalnum(), text.isdigit())
    answer(text.isdecimal(), text.isnumeric(), text.isidentifier())
