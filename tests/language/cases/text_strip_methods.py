"""Taking away at the ends."""
text = "  xx-hello-xx  "
answer([text.strip(), text.lstrip(), text.rstrip(), text.strip(None), text.strip(" x"), text.strip("-x "), text.strip("")])
answer("www.example.com".lstrip("w."), "www.example.com".rstrip("moc."), "www.example.com".strip("cmowz."))
answer("TestHook".removeprefix("Test"), "TestHook".removeprefix("Hook"), "TestHook".removesuffix("Hook"), "x".removesuffix(""))
answer(["\t\n\r\x0b\x0c\u3000 a \u2003".strip()])
