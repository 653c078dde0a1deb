"""Pages, letters, contacts, calendars, books, notebooks and tables of text."""

import base64
import io
import json
import zipfile

from cases import case

SCRIPT = "<script>" + "var a=1;" * 2_000 + "</script><style>" + "a{color:red}" * 500 + "</style>"


@case("page.html", "a saved page with much script and style", ["budget is 4.2 million", "/2026[^]{0,12}4\\.2/"], ["var a=1", "color:red"], type="text/html")
def page():
    table = "<table><tr><th>Year</th><th>Sum</th></tr><tr><td>2026</td><td>4.2</td></tr></table>"
    return f"<!doctype html><html><head>{SCRIPT}</head><body><p>The new budget is 4.2 million.</p>{table}</body></html>".encode()


@case("page.mhtml", "a page saved as one file", ["The new büdget is 4.2 million"], ["color:red"], type="multipart/related")
def mhtml():
    import quopri

    content = f"<html><head>{SCRIPT}</head><body><p>The new büdget is 4.2 million</p></body></html>"
    head = b'From: <Saved by Blink>\nSubject: Council\nMIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary="b"\n\n'
    part = b"--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    return head + part + quopri.encodestring(content.encode()) + b"\n--b--\n"


@case(
    "cells.html",
    "spanned cells, a table in a table, a text field, a heading in a paragraph",
    ["Across two", "/one\\s*\\ttwo/", "Dashboard", "typed by hand", "Plan", "/John\\s+\\(?Ann/"],
    type="text/html",
)
def cells():
    inner = "<table><tr><td>Dashboard</td><td>Monitors</td></tr></table>"
    return (
        "<html><body><p><h1>Plan</h1></p><table><tr><td colspan=2>Across two</td></tr><tr><td>one</td><td>two</td></tr>"
        f"<tr><td>{inner}</td></tr></table><textarea>typed by hand</textarea><p><span>John</span> (Ann said)</p></body></html>"
    ).encode()


def rtf(content, head="\\ansi\\ansicpg1252"):
    fonts = "{\\fonttbl{\\f0\\fcharset0 Times;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset134 SimSun;}}"
    styles = "{\\stylesheet" + "{\\s1 heading;}" * 900 + "}"
    return ("{\\rtf1" + head + fonts + styles + content + "}").encode("latin-1")


@case("letter.rtf", "a letter behind many styles, with a note", ["400 units", "Measured at the gate", "Größe"], ["fonttbl", "heading;"], type="application/rtf")
def letter():
    note = "{\\footnote \\pard Measured at the gate}"
    return rtf("\\pard\\f0 The Gr\\'f6\\'dfe is 400 units" + note + ".\\par")


@case("alphabets.rtf", "Russian in a Western document, Chinese, mixed escapes", ["Привет", "“quoted”", "宋体", "A ➔ B"], type="application/rtf")
def alphabets():
    russian = "".join(f"\\'{byte:02x}" for byte in "Привет".encode("cp1251"))
    chinese = "".join(f"\\'{byte:02x}" for byte in "宋体".encode("gbk"))
    return rtf(f"\\f1 {russian}\\par\\f0 \\u8220\\'93quoted\\u8221\\'94\\par\\f2 {chinese}\\par\\f0 A \\u10132? B\\par")


@case("people.vcf", "contacts with a photo", ["555 0100", "555 0199", "Gørdsen"], ["/A{60}/"], type="text/vcard")
def people():
    import vobject

    cards = []
    for name, number in (("Åse Gørdsen", "+47 555 0100"), ("Bo Sample", "+47 555 0199")):
        card = vobject.vCard()
        card.add("fn").value = name
        card.add("n").value = vobject.vcard.Name(family=name.split()[1], given=name.split()[0])
        card.add("tel").value = number
        photo = card.add("photo")
        photo.value, photo.encoding_param, photo.type_param = b"\0" * 8_000, "b", "JPEG"
        cards.append(card.serialize())
    return "".join(cards).encode()


@case("phone.vcf", "contacts of an old phone: quoted lines without a blank", ["Виктор Сотников", "/99[^=]*1111AA/", "777 1234"], ["=D0"], type="text/vcard")
def phone():
    encoded = "".join(f"={byte:02X}" for byte in "Виктор Сотников".encode())
    cut = encoded[:60] + "=\r\n" + encoded[60:]
    lines = ("BEGIN:VCARD", "VERSION:2.1", f"FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:{cut}", "LABEL;WORK;ENCODING=QUOTED-PRINTABLE:Workstreet 99=0D=0A=", "1111AA  Worktown", "TEL;CELL:+7 777 1234", "END:VCARD")
    return ("\r\n".join(lines) + "\r\n").encode()


@case("meeting.ics", "a meeting with its zone, folded lines and escapes", ["Board, spring", "Europe/Oslo", "agenda item two", "/2026-05-12|12 May|20260512/"], ["spri\r\n"], type="text/calendar")
def meeting():
    import datetime
    from zoneinfo import ZoneInfo

    from icalendar import Calendar, Event

    made, event = Calendar(), Event()
    event.add("summary", "Board, spring")
    event.add("dtstart", datetime.datetime(2026, 5, 12, 9, tzinfo=ZoneInfo("Europe/Oslo")))
    event.add("description", "A long text before the end of the line, and then\nagenda item two; nothing else is planned for this day")
    made.add_component(event)
    return made.to_ical()


@case("book.epub", "chapters of a book", ["Chapter one begins", "/begins[^]*Chapter two ends/"], type="application/epub+zip")
def book():
    from ebooklib import epub

    made = epub.EpubBook()
    made.set_identifier("judge")
    made.set_title("A book")
    made.set_language("en")
    chapters = []
    for name, text in (("one", "Chapter one begins"), ("two", "Chapter two ends")):
        chapter = epub.EpubHtml(title=name, file_name=f"{name}.xhtml")
        chapter.content = f"<h1>{name}</h1><p>{text}</p>"
        made.add_item(chapter)
        chapters.append(chapter)
    made.toc = chapters
    made.spine = ["nav", *chapters]
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    file = io.BytesIO()
    epub.write_epub(file, made)
    return file.getvalue()


@case(
    "odd.epub",
    "stored in another order, text/html, entities, a wrong address, encrypted fonts, a list of links",
    ["/CHAPTER ONE[^]*CHAPTER TWO[^]*CHAPTER THREE/", "/naïve\\splan/", "Further Reading"],
    ["font-family"],
    type="application/epub+zip",
)
def odd_book():
    def text(title, more=""):
        return f"<html xmlns='http://www.w3.org/1999/xhtml'><head><style>p{{font-family:a}}</style></head><body><h1>{title}</h1>{more}</body></html>"

    links = "<ul><li><a href='a'>A</a></li><li><a href='b'>B</a></li></ul>"
    files = {"3": text("CHAPTER THREE"), "1": text("CHAPTER ONE", "<p>na&iuml;ve&nbsp;plan</p>"), "2": text("CHAPTER TWO"), "r": text("Further Reading", links)}
    items = "".join(f'<item id="c{at}" href="Text/c{at}.html" media-type="text/html"/>' for at in files)
    wrong = '<item id="bad" href="../../etc/x.xhtml" media-type="application/xhtml+xml"/>'
    order = "".join(f'<itemref idref="{at}"/>' for at in ("c1", "bad", "c2", "c3", "cr"))
    package = f'<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest>{items}{wrong}</manifest><spine>{order}</spine></package>'
    container = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/p.opf"/></rootfiles></container>'
    encryption = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">'
        '<EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><CipherData><CipherReference URI="OEBPS/f.ttf"/></CipherData></EncryptedData></encryption>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        target.writestr("mimetype", "application/epub+zip")
        target.writestr("META-INF/container.xml", container)
        target.writestr("META-INF/encryption.xml", encryption)
        target.writestr("OEBPS/p.opf", package)
        target.writestr("OEBPS/f.ttf", b"\1\2\3")
        for at, content in files.items():
            target.writestr(f"OEBPS/Text/c{at}.html", content)
    return file.getvalue()


@case("outputs.ipynb", "a table in HTML, colours, a traceback, a picture", ["417", "KeyError", "model.py line 88", "epoch 3"], ["\x1b", "[31m", "/A{60}/"], said="output|picture")
def outputs():
    import nbformat

    v4 = nbformat.v4
    cell = v4.new_code_cell("show()")
    cell.outputs = [
        v4.new_output("display_data", {"text/html": "<table><tr><td>Units</td><td>417</td></tr></table>"}),
        v4.new_output("stream", text="\x1b[31mepoch 3\x1b[0m\n"),
        v4.new_output("error", ename="KeyError", evalue="'x'", traceback=["\x1b[31mmodel.py line 88\x1b[0m"]),
        v4.new_output("display_data", {"image/png": base64.b64encode(b"\0" * 3_000).decode()}),
    ]
    return nbformat.writes(v4.new_notebook(cells=[cell])).encode()


@case("old.ipynb", "a notebook of version 3", ["total = 417", "the sum is 417", "Report"])
def old_notebook():
    cells = [
        {"cell_type": "heading", "level": 1, "source": ["Report"], "metadata": {}},
        {
            "cell_type": "code",
            "language": "python",
            "input": ["total = 417\n", "print(total)"],
            "outputs": [{"output_type": "stream", "stream": "stdout", "text": ["the sum is 417\n"]}],
            "metadata": {},
        },
    ]
    return json.dumps({"metadata": {}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}).encode()


@case("unicode.csv", "the Unicode text of Excel", ["/Größe\\s*\\t\\s*4/"], type="text/csv")
def unicode_csv():
    return "Größe\t4\r\n".encode("utf-16")


@case("late.csv", "the first letter that is not ASCII comes late", ["Müller"], type="text/csv")
def late():
    return ("name;sum\n" + "Smith;1\n" * 700 + "Müller;2\n").encode("cp1252")


@case("odd.csv", "sep=, quotes, line ends in cells", ["/a;\\s*b|a\\\\?;b/", "two\nlines", "1,2,3"], type="text/csv")
def odd():
    return b'sep=;\r\n"a;b";"two\nlines"\r\nSHOWER SCREEN 1,2,3;5\r\n'


@case("lines.jsonl", "lines of JSON", ['"total": 417', "Åse"])
def lines():
    return '{"name": "Åse", "total": 417}\n{"name": "Bo"}\n'.encode()


@case("drawing.svg", "the texts of a drawing", ["Hall B"], type="image/svg+xml")
def drawing():
    return b'<svg xmlns="http://www.w3.org/2000/svg"><text x="1" y="9">Hall B</text></svg>'


@case("papers.zip", "an archive", ["deposit is 900"], refusal="unpack|archive", type="application/zip")
def papers():
    from word import contract

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        target.writestr("a/contract.docx", contract())
    return file.getvalue()
