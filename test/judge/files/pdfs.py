"""PDF, by reportlab and fpdf2, or object by object."""

import io

from cases import case, find_font


def objects(*contents, root=1, version="1.7"):
    """A file of these objects, numbered from 1; a tuple is a stream with the entries of its dictionary."""
    file = f"%PDF-{version}\n".encode()
    offsets = []
    for number, content in enumerate(contents, 1):
        offsets.append(len(file))
        if isinstance(content, tuple):
            entries, stream = content
            body = f"<< {entries} /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream"
        else:
            body = content.encode()
        file += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    rows = "".join(f"{at:010} 00000 n \n" for at in offsets)
    end = f"trailer\n<< /Size {len(offsets) + 1} /Root {root} 0 R >>\nstartxref\n{len(file)}\n%%EOF\n"
    return file + f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n{rows}".encode() + end.encode()


def page(stream, catalog="", more="", *others):
    """One page with Helvetica as F1; further objects are numbered from 6."""
    return objects(
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R {more} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ("", stream.encode("latin-1")),
        *others,
    )


def line(text, x=72, y=700, size=12, before="", after=""):
    return f"BT {before} /F1 {size} Tf {x} {y} Td ({text}) Tj {after} ET\n"


def canvas(draw, **options):
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    made = Canvas(file, **options)
    draw(made)
    made.save()
    return file.getvalue()


def with_fpdf(draw):
    import fpdf

    made = fpdf.FPDF()
    made.add_page()
    made.set_font("helvetica", size=12)
    draw(made)
    return bytes(made.output())


@case(
    "turned.pdf",
    "a table with empty cells on a turned page",
    ["/North\\t120\\t\\tlate/", "/South\\t\\t75/", "/West\\t40\\t41\\tdone/"],
)
def turned():
    rows = (("Region", "Plan", "Real", "Remark"), ("North", "120", "", "late"), ("South", "", "75", ""), ("West", "40", "41", "done"))
    stream = "".join(
        f"BT /F1 12 Tf 0 1 -1 0 {100 + 20 * row} {72 + 130 * column} Tm ({text}) Tj ET\n"
        for row, cells in enumerate(rows)
        for column, text in enumerate(cells)
        if text
    )
    return page(stream, more="/Rotate 90")


@case("attached.pdf", "an attached file", ["The list of prices", "prices.csv"], said="attached|embedded")
def attached():
    def draw(made):
        made.cell(text="The list of prices is attached.")
        made.embed_file(bytes=b"Screw;250\n", basename="prices.csv")

    return with_fpdf(draw)


@case("xfa.pdf", "a dynamic form (XFA)", ["Ann Example"], said="form")
def xfa():
    space = "http://www.xfa.org/schema"
    template = (
        f'<template xmlns="{space}/xfa-template/3.3/"><subform name="f" layout="tb"><pageSet><pageArea><contentArea w="8in" h="10in"/>'
        '<medium short="8in" long="10in"/></pageArea></pageSet><field name="who" w="3in" h="0.4in"><ui><textEdit/></ui>'
        "<caption><value><text>Name</text></value></caption></field></subform></template>"
    )
    data = f'<xfa:datasets xmlns:xfa="{space}/xfa-data/1.0/"><xfa:data><f><who>Ann Example</who></f></xfa:data></xfa:datasets>'
    xdp = f'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">{template}{data}</xdp:xdp>'
    form = "/NeedsRendering true /AcroForm << /Fields [] /XFA 6 0 R >>"
    return page(line("Please wait... your viewer may not be able to display this."), form, "", ("", xdp.encode()))


@case("stamp.pdf", "a stamp", ["Invoice 88", "PAID 12 MAY 2026"], said="stamp|annotation")
def stamp():
    box = "/Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F1 4 0 R >> >>"
    mark = "<< /Type /Annot /Subtype /Stamp /Rect [300 600 500 640] /AP << /N 7 0 R >> >>"
    shown = (box, b"BT /F1 18 Tf 5 12 Td (PAID 12 MAY 2026) Tj ET")
    return page(line("Invoice 88, 1,200 EUR"), "", "/Annots [6 0 R]", mark, shown)


@case("fields.pdf", "the values of form fields", ["Name", "Ann Example", "Tenant"])
def fields():
    def draw(made):
        made.drawString(72, 740, "Name and role")
        made.acroForm.textfield(name="who", value="Ann Example", x=72, y=700)
        made.acroForm.choice(name="role", value="Tenant", options=["Owner", "Tenant"], x=72, y=650)

    return canvas(draw)


@case("no-unicode.pdf", "a font without a table of letters", ["deposit is 350"], said="letters|garbled|cannot be read|scanned|no text")
def no_unicode():
    font = find_font()

    def draw(made):
        made.set_compression(False)
        made.add_font("own", fname=font)
        made.set_font("own", size=12)
        made.cell(text="The deposit is 350 EUR.")

    return with_fpdf(draw).replace(b"/ToUnicode", b"/ToNothing")


def shaped(text):
    import uharfbuzz  # noqa: F401, fpdf2 hides that it is missing

    font = find_font()

    def draw(made):
        made.add_font("own", fname=font)
        made.set_font("own", size=14)
        made.set_text_shaping(True)
        made.cell(text=text)

    return with_fpdf(draw)


@case("arabic.pdf", "Arabic letters that are joined", ["عقد الإيجار", "درهم", "7788"])
def arabic():
    return shaped("عقد الإيجار: 4500 درهم شهريا، رقم 7788")


@case("hebrew.pdf", "Hebrew with numbers", ["חוזה שכירות", "4500"])
def hebrew():
    return shaped("חוזה שכירות: 4500 שקל")


LEFT = ("The lease begins on 1 May and", "ends on 30 April of the third", "year. The tenant may end it", "earlier with three months of", "notice, in writing, to the", "address that is named above.")
RIGHT = ("Repairs of up to 150 EUR are", "paid by the tenant. All other", "repairs are paid by the owner", "within four weeks. The keys", "stay with the caretaker until", "the deposit has been paid.")
SENTENCES = ["/ends on 30 April of the third\\s+year\\. The tenant/", "/All other\\s+repairs are paid by the owner/"]


@case("columns.pdf", "two columns, one after the other", SENTENCES)
def columns():
    texts = [(text, 72, at) for at, text in enumerate(LEFT)] + [(text, 320, at) for at, text in enumerate(RIGHT)]
    return page("".join(line(text, x, 700 - 15 * at) for text, x, at in texts))


@case("columns-across.pdf", "two columns that are written across", SENTENCES)
def columns_across():
    return page("".join(line(left, 72, 700 - 15 * at) + line(right, 320, 700 - 15 * at) for at, (left, right) in enumerate(zip(LEFT, RIGHT))))


@case(
    "wrapped.pdf",
    "a table whose cells have several lines",
    [
        "/Ann Example\\tHarbour Street 7[^\\n\\t]*0150 Oslo\\tdelivery[^\\n\\t]*working days\\t120/",
        "/Bo Sample\\tMill Road 2[^\\n]*only\\t\\t75/",
    ],
)
def wrapped():
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    style = getSampleStyleSheet()["Normal"]
    rows = (
        ("Customer", "Address", "Agreed", "Sum"),
        ("Ann Example", "Harbour Street 7, third floor, 0150 Oslo", "delivery by truck before noon on working days", "120"),
        ("Bo Sample", "Mill Road 2, 5003 Bergen, back entrance only", "", "75"),
        ("Cy Test", "", "by post", ""),
    )
    file = io.BytesIO()
    cells = [[Paragraph(text, style) for text in row] for row in rows]
    SimpleDocTemplate(file, pagesize=A4).build([Table(cells, colWidths=[90, 110, 90, 60], style=[("GRID", (0, 0), (-1, -1), 1, "black"), ("VALIGN", (0, 0), (-1, -1), "TOP")])])
    return file.getvalue()


@case("raised.pdf", "raised numbers", ["10^5"], ["105", "123 as"])
def raised():
    return page(
        "BT /F1 12 Tf 72 700 Td (At most 10) Tj /F1 7 Tf 5 Ts (5) Tj 0 Ts /F1 12 Tf ( cells per ml. The value is 12) Tj "
        "/F1 7 Tf 5 Ts (3) Tj 0 Ts /F1 12 Tf ( as of May.) Tj ET"
    )


@case("scan.pdf", "a page of text and a scanned one", ["Page one has text"], said="page 2|scan")
def scan():
    from reportlab.lib.utils import ImageReader

    from sheets import png

    def draw(made):
        made.drawString(72, 700, "Page one has text")
        made.showPage()
        made.drawImage(ImageReader(png()), 0, 0, 595, 842)
        made.showPage()

    return canvas(draw)


@case("invisible.pdf", "a scan with an invisible text, as OCR writes it", ["Deposit of 350 EUR"])
def invisible():
    return page(line("Deposit of 350 EUR", before="3 Tr"))


@case("doubled.pdf", "bold text that is drawn twice", ["Description"], ["/Description\\s*Description/"])
def doubled():
    return page(line("Description") + line("Description", x=72.2))


@case("doubled-letters.pdf", "bold letters that are drawn twice", ["/H ?E ?L ?L ?O/"], ["/H ?H ?E ?E/"])
def doubled_letters():
    return page("".join(line(letter, 72 + 14 * at, 650, 14) * 2 for at, letter in enumerate("HELLO")))


@case("spaced.pdf", "spaced letters, and groups of digits", ["256 36 30", "/S ?U ?M ?M ?A ?R ?Y/"], ["2563630"])
def spaced():
    return page(line("256", 72) + line("36", 98) + line("30", 118) + line("SUMMARY", 72, 600, before="4 Tc"))


@case("order.pdf", "paragraphs that were written from the last to the first", ["/First[^]*Second[^]*Third/"])
def order():
    return page(line("Third paragraph.", y=500) + line("First paragraph.", y=700) + line("Second paragraph.", y=600))


@case("links.pdf", "the address behind a text", ["https://docs.example/annex"])
def links():
    def draw(made):
        made.drawString(72, 700, "See the annex")
        made.linkURL("https://docs.example/annex", (72, 695, 160, 712))

    return canvas(draw)


@case("ligatures.pdf", "ligatures", ["/(office|o\\ufb03ce) staff/"])
def ligatures():
    font = find_font()

    def draw(made):
        made.add_font("own", fname=font)
        made.set_font("own", size=12)
        made.cell(text="o\ufb03ce staff")

    return with_fpdf(draw)


@case("encrypted.pdf", "encrypted, opens without a password", ["deposit is 350"])
def encrypted():
    def draw(made):
        made.set_encryption(owner_password="owner", user_password="")
        made.cell(text="The deposit is 350 EUR.")

    return with_fpdf(draw)


@case("password.pdf", "encrypted with a password", ["deposit is 350"], refusal="password")
def password():
    def draw(made):
        made.set_encryption(owner_password="owner", user_password="user")
        made.cell(text="The deposit is 350 EUR.")

    return with_fpdf(draw)


def plain():
    return page(line("The deposit is 350 EUR."))


@case("broken.pdf", "a wrong table of objects, no end", ["deposit is 350"])
def broken():
    return plain().split(b"startxref")[0] + b"startxref\n7\n"


@case("junk-before.pdf", "bytes before the file", ["deposit is 350"])
def junk_before():
    return b"HTTP/1.1 200 OK\r\nServer: a\r\n\r\n" + plain()


case("pdf-named.txt", "a PDF that is called .txt", ["deposit is 350"], ["endobj"], type="text/plain")(plain)
