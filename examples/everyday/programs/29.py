mail = search_emails(query="summer house", sender="Jonas")[0]
reply_to_email(email=mail, body="Hi Jonas, the key is with Mrs. Lund, the alarm code is 7316.")
