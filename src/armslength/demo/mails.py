"""The demo's ordinary mail: what lies in a small mailbox beside the attacks."""

from __future__ import annotations

from datetime import timedelta

from armslength.demo.attacks import BOSS, SERVER
from armslength.demo.pieces import Attached, Mail

OWNER = "robin@example.com"
_ME = f"Robin Hale <{OWNER}>"
_PRIYA = "Priya Raman <priya.raman@example.com>"
_JONAS = "Jonas Weber <jonas@weber.example.net>"
_MUM = "Ellen Hale <ellen.hale@example.org>"


def _days(count: float) -> timedelta:
    return timedelta(days=count)


_LATIN_1 = (
    b"From: =?iso-8859-1?Q?Caf=E9_M=FCller?= <post@cafe.example.net>\n"
    b"To: robin@example.com\n"
    b"Subject: =?iso-8859-1?B?VGlzY2ggZvxyIHZpZXI=?=\n"
    b"Message-ID: <cafe@mail.example.com>\n"
    b"MIME-Version: 1.0\n"
    b"Content-Type: text/plain; charset=iso-8859-1\n"
    b"Content-Transfer-Encoding: 8bit\n\n"
    b"Guten Tag, Ihr Tisch f\xfcr vier Personen ist reserviert.\nBis Samstag, Ihr Caf\xe9 M\xfcller\n"
)

MAILS: tuple[Mail, ...] = (
    # Unread
    Mail(
        slug="lunch",
        sender=_PRIYA,
        subject="Lunch on Wednesday?",
        ago=_days(0.3),
        is_unread=True,
        verified_by=SERVER,
        text="Hi Robin,\n\nare you free for lunch on Wednesday? Tell me by tonight, then I book a table.\n\nPriya\n",
    ),
    Mail(
        slug="library",
        sender="City Library <noreply@library.example.org>",
        subject="Two books are due next week",
        ago=_days(0.6),
        is_unread=True,
        text="Two of your loans are due next week. Loans are renewed by themselves unless somebody has reserved them.\n",
    ),
    Mail(
        slug="bike",
        sender=_JONAS,
        subject="Fahrrad",
        ago=_days(0.8),
        is_unread=True,
        text="Hallo Robin,\n\nkann ich dein Fahrrad am Sonntag ausleihen? Sag mir bitte kurz Bescheid.\n\nJonas\n",
    ),
    # A conversation with the boss, with what was sent
    Mail(
        slug="review-1",
        sender=BOSS,
        subject="Review on Thursday",
        ago=_days(3),
        verified_by=SERVER,
        text="Hi Robin,\n\nthe review is on Thursday at ten. Will the report be ready?\n\nDana\n",
    ),
    Mail(
        slug="review-2",
        sender=_ME,
        subject="Re: Review on Thursday",
        ago=_days(2.9),
        folder="Sent",
        to="dana.whitfield@example.com",
        answers="review-1",
        text="Hi Dana,\n\nyes, the report will be ready on Wednesday evening.\n\nRobin\n",
    ),
    Mail(
        slug="review-3",
        sender=BOSS,
        subject="Re: Review on Thursday",
        ago=_days(2.8),
        verified_by=SERVER,
        answers="review-2",
        text="Good, thanks!\n\nDana\n",
    ),
    # A conversation with attachments
    Mail(
        slug="costs-1",
        sender=_PRIYA,
        subject="Cost table",
        ago=_days(5),
        verified_by=SERVER,
        text="Hi Robin,\n\nthe cost table as of today. I update it once Northwind has answered.\n\nPriya\n",
        attached=(Attached("costs.csv", "text/csv", b"item,price\nunits,41.50\nfreight,120.00\n"),),
    ),
    Mail(
        slug="costs-2",
        sender=_ME,
        subject="Re: Cost table",
        ago=_days(4.9),
        folder="Sent",
        to="priya.raman@example.com",
        answers="costs-1",
        text="Thank you, that helps.\n\nRobin\n",
    ),
    Mail(
        slug="scan",
        sender="Office Scanner <scanner@example.com>",
        subject="Scan from the second floor",
        ago=_days(6),
        verified_by=SERVER,
        text="1 page.\n",
        attached=(
            Attached("scan.pdf", "application/pdf", b"%PDF-1.4\n%%EOF\n"),
            Attached("Übersicht.txt", "text/plain", "Grüße\n".encode()),
        ),
    ),
    # HTML
    Mail(
        slug="shoes",
        sender="Walkers <news@walkers.example.net>",
        subject="🥾 New boots for spring",
        ago=_days(1.5),
        html="<html><head><style>p{color:#333}</style></head><body><h1>New boots</h1><p>Light, dry and made to last. "
        '<a href="https://walkers.example.net/spring">See them</a></p><p><small>You get this because you bought a pair.'
        "</small></p></body></html>",
    ),
    Mail(
        slug="train",
        sender="Rail Tickets <tickets@rail.example.org>",
        subject="Your ticket to Leeds",
        ago=_days(7),
        text="Leeds, Friday, 08:12, coach C, seat 41. Reference QX7P2.\n",
        html="<html><body><table><tr><td>To</td><td>Leeds</td></tr><tr><td>Departs</td><td>Friday, 08:12</td></tr>"
        "<tr><td>Seat</td><td>C 41</td></tr><tr><td>Reference</td><td>QX7P2</td></tr></table></body></html>",
    ),
    Mail(
        slug="newsletter",
        sender="The Baker <bread@baker.example.net>",
        subject="Bread of the month",
        ago=_days(8),
        html="<html><body><p>Rye with walnuts.</p><ul><li>whole loaf 6.20</li><li>half loaf 3.40</li></ul></body></html>",
    ),
    # Other languages and encoded headers
    Mail(slug="cafe", sender="", subject="", ago=_days(4), raw=_LATIN_1),
    Mail(
        slug="mairie",
        sender="Mairie de Saint-Éloi <contact@mairie.example.org>",
        subject="Votre demande a été enregistrée",
        ago=_days(9),
        text="Bonjour,\n\nvotre demande de stationnement a été enregistrée. Réponse sous quinze jours.\n",
    ),
    Mail(
        slug="hotel",
        sender="山田ホテル <yoyaku@hotel.example.net>",
        subject="ご予約の確認",
        ago=_days(12),
        text="ご予約ありがとうございます。一名様、二泊。\nYour booking: one guest, two nights, breakfast included.\n",
    ),
    Mail(
        slug="kyiv",
        sender="Олена Коваль <olena@koval.example.net>",
        subject="Фото з відпустки",
        ago=_days(14),
        text="Привіт, Робін! Фото надішлю на вихідних.\n",
    ),
    # Everyday mail
    Mail(
        slug="mum-1",
        sender=_MUM,
        subject="Sunday",
        ago=_days(2),
        text="Dear Robin,\n\nwill you come on Sunday? I am making the lemon cake.\n\nMum\n",
    ),
    Mail(
        slug="mum-2",
        sender=_ME,
        subject="Re: Sunday",
        ago=_days(1.9),
        folder="Sent",
        to="ellen.hale@example.org",
        answers="mum-1",
        text="Yes, with pleasure. I bring the flowers.\n\nRobin\n",
    ),
    Mail(
        slug="dentist",
        sender="Dr. Osei's Practice <practice@osei.example.org>",
        subject="Your appointment",
        ago=_days(10),
        text="Your next check-up is in three weeks, on a Tuesday, at 14:15. Please call if you cannot come.\n",
    ),
    Mail(
        slug="power",
        sender="Green Power <bills@greenpower.example.net>",
        subject="Invoice for February",
        ago=_days(11),
        text="Net 51.20, tax 10.24. Amount due: 61.44, taken from your account on the 20th.\n",
        attached=(Attached("invoice.pdf", "application/pdf", b"%PDF-1.4\n%%EOF\n"),),
    ),
    Mail(
        slug="choir",
        sender="Choir <board@choir.example.org>",
        subject="Programme for the summer concert",
        ago=_days(13),
        cc="singers@choir.example.org",
        text="We begin with Purcell and end with Fauré. First rehearsal after the holidays, as always in the old school.\n",
    ),
    Mail(
        slug="garage",
        sender="Hill Garage <service@garage.example.net>",
        subject="Your van is ready",
        ago=_days(15),
        text="The brakes are done. You can pick the van up from four o'clock. The bill is in the glove box.\n",
    ),
    Mail(
        slug="team",
        sender=_PRIYA,
        subject="Team day: two proposals",
        ago=_days(16),
        cc="dana.whitfield@example.com",
        verified_by=SERVER,
        text="Either the canal by boat or the botanical garden. I am for the boat.\n\nPriya\n",
    ),
    Mail(
        slug="team-2",
        sender=_ME,
        subject="Re: Team day: two proposals",
        ago=_days(15.8),
        folder="Sent",
        to="priya.raman@example.com",
        cc="dana.whitfield@example.com",
        answers="team",
        text="The boat!\n\nRobin\n",
    ),
)
