jonas = search_contacts(name="Jonas")[0]
priya = search_contacts(name="Priya")[0]
send_email(recipients=[jonas.email], subject="Priya's phone number", body="Hi Jonas, Priya's phone number is " + priya.phone + ".")
