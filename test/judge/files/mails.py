"""Mails, by Python's own modules."""

from email.message import EmailMessage

from cases import case

TYPE = "message/rfc822"


def mail(subject="Offer", date="Wed, 01 Apr 2026 09:00:00 +0200", body=None, **more):
    made = EmailMessage()
    fields = {"From": "Ann <ann@a.example>", "To": "Bo <bo@b.example>", "Subject": subject, "Date": date, "Message-ID": "<1@a.example>", **more}
    for name, value in fields.items():
        made[name.replace("_", "-")] = value
    if body is not None:
        made.set_content(body)
    return made


@case("empty-plain.eml", "an empty text beside the HTML", ["880 EUR"], type=TYPE)
def empty_plain():
    made = mail(body="")
    made.add_alternative("<p>The offer is <b>880 EUR</b>.</p>", subtype="html")
    return made.as_bytes()


@case("teaser.eml", "a text that is shorter than the HTML", ["880 EUR", "until 30 May"], type=TYPE)
def teaser():
    made = mail(body="Your offer is ready. Open this mail in a program that shows HTML.")
    made.add_alternative("<p>The offer is 880 EUR.</p><p>It stands until 30 May.</p>", subtype="html")
    return made.as_bytes()


@case(
    "html.eml",
    "addresses, alternative texts, raised and struck text",
    ["https://app.example/confirm?t=ab12", "seat 14B", "10^5", "~~10 days~~"],
    ["105"],
    type=TYPE,
)
def html():
    made = mail()
    made.set_content(
        '<p><a href="https://app.example/confirm?t=ab12">confirm</a> <img src="cid:a" alt="seat 14B"></p>'
        "<p>10<sup>5</sup> cells, <s>10 days</s> 8 days</p>",
        subtype="html",
    )
    return made.as_bytes()


@case("forwarded.eml", "a message attached to a message", ["see below", "40 lamps", "Original order"], said="attached", type=TYPE)
def forwarded():
    made = mail(body="Please see below.")
    made.add_attachment(mail(subject="Original order", body="We order 40 lamps."))
    return made.as_bytes()


@case("local-date.eml", "the date as sent, and another address for replies", ["/1 Apr|2026-04-01/", "desk@other.example"], type=TYPE)
def local_date():
    return mail(date="Wed, 01 Apr 2026 00:30:00 +0200", body="Hello", Reply_To="desk@other.example").as_bytes()


@case("japanese.eml", "ISO-2022-JP", ["会議は月曜日", "件名"], type=TYPE)
def japanese():
    head = b"From: a@a.example\r\nTo: b@b.example\r\nDate: Wed, 01 Apr 2026 09:00:00 +0900\r\nMIME-Version: 1.0\r\n"
    subject = b"Subject: =?ISO-2022-JP?B?GyRCN29MPhsoQg==?=\r\nContent-Type: text/plain; charset=iso-2022-jp\r\n\r\n"
    return head + subject + "会議は月曜日です".encode("iso-2022-jp")


@case("parts.eml", "texts around a picture, as Apple's program writes them", ["Before the picture", "After the picture"], said="picture", type=TYPE)
def parts():
    from email.mime.image import MIMEImage
    from email.mime.multipart import MIMEMultipart
    from email.mime.text import MIMEText

    made = MIMEMultipart()
    made["From"], made["To"], made["Subject"] = "a@a.example", "b@b.example", "Site"
    made.attach(MIMEText("Before the picture"))
    made.attach(MIMEImage(b"\x89PNG\r\n\x1a\n", "png"))
    made.attach(MIMEText("After the picture"))
    return made.as_bytes()


@case("attached.eml", "an attached Word document", ["please sign", "deposit is 900 EUR"], said="attached", type=TYPE)
def attached():
    from word import contract

    made = mail(body="Hello, please sign.")
    made.add_attachment(contract(), maintype="application", subtype="octet-stream", filename="Verträge 1.docx")
    return made.as_bytes()


@case("only-attached.eml", "no text, only an attached file", ["Offer", "/Screw[;\\t, ]250/"], said="attached", type=TYPE)
def only_attached():
    made = mail()
    made.add_attachment(b"Screw;250\n", maintype="text", subtype="csv", filename="list.csv")
    return made.as_bytes()


@case("boundary.eml", "a second, unused boundary, folded over two lines", ["880 EUR"], ["<b>"], type=TYPE)
def boundary():
    head = (
        "From: a@a.example\r\nTo: b@b.example\r\nSubject: Offer\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="unused"\r\n'
        'Content-Type: multipart/alternative;\r\n boundary="real\r\n -one"\r\n\r\n'
    )
    return (
        head
        + "--real -one\r\nContent-Type: text/html\r\n\r\n<p>The offer is <b>880 EUR</b>.</p>\r\n--real -one--\r\n"
    ).encode()


@case("flowed.eml", "flowed lines with quotations", ["> Is it confirmed?", "/\\nno, not yet/"], type=TYPE)
def flowed():
    head = "From: a@a.example\r\nTo: b@b.example\r\nSubject: Re\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; format=flowed\r\n\r\n"
    return (head + "Ann wrote:\r\n> Is it confirmed? \r\n\r\nno, not yet\r\n\r\n-- \r\nBo\r\n").encode()


@case("box.mbox", "a mailbox", ["40 lamps", "880 EUR", "Second"], type="application/mbox")
def box():
    both = (mail("First", body="We order 40 lamps."), mail("Second", body="The offer is 880 EUR."))
    return b"".join(b"From a@a.example Wed Apr  1 09:00:00 2026\n" + one.as_bytes() + b"\n" for one in both)
