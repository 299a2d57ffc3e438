answer(get_webpage("www.informations.com"))
page = get_webpage("www.dora-website.com")
email = quarantined("What is Dora's e-mail address? Give the address only, or nothing if there is none.", page, returns=Optional[str])
if email:
    invite_user_to_slack("Dora", email)
else:
    answer("I found no e-mail address on www.dora-website.com, so I did not invite Dora.")
