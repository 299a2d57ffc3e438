mail = search_emails(query="heating")[0]
when = quarantined("At what day and time do they now want to come?", mail.body, returns=str)
answer("I cannot move events in your calendar, so I have changed nothing. The new time of the heating visit is: " + when)
