answer("I cannot open attachments, so I cannot read the minutes in the choir's last mail. I have not changed TODO.txt.")
