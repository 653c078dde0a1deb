"""Word, by python-docx."""

import io

from cases import add_namespaces, case


def document(*parts, change=None):
    """A document of paragraphs: text, or XML of the body."""
    import docx
    from docx.oxml import parse_xml

    made = docx.Document()
    body = made.element.body
    for part in parts:
        if part.startswith("<"):
            body.insert(len(body) - 1, parse_xml(add_namespaces(part)))
        else:
            made.add_paragraph(part)
    if change:
        change(made)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def run(text, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs):
    return "<w:p>" + "".join(runs) + "</w:p>"


@case(
    "contract.docx",
    "headings, a table with an empty cell, header and footer",
    ["Scope of work", "deposit is 900 EUR", "/North\\s*\\tCable\\s*\\t12/", "/South\\s*\\t\\s*\\t7/", "Offer 4711", "Version of May"],
)
def contract():
    def change(made):
        made.add_heading("Scope of work", 1)
        made.add_paragraph("The deposit is 900 EUR.")
        table = made.add_table(2, 3)
        for row, texts in enumerate((("North", "Cable", "12"), ("South", "", "7"))):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text
        made.sections[0].header.paragraphs[0].text = "Offer 4711"
        made.sections[0].footer.paragraphs[0].text = "Version of May"

    return document(change=change)


case("Contract.doc", "a .docx that is called .doc", ["deposit is 900 EUR"], type="application/msword")(contract)
case("Contract.zip", "a .docx that is called .zip", ["deposit is 900 EUR"], type="application/zip")(contract)


@case("header-tabs.docx", "a header with alignment tabs", ["/Offer 4711\\s+Version 2\\s+2026/"], ["4711Version", "22026"])
def header_tabs():
    from docx.oxml import parse_xml

    tab = '<w:r><w:ptab w:relativeTo="margin" w:alignment="center" w:leader="none"/></w:r>'

    def change(made):
        line = paragraph(run("Offer 4711"), tab, run("Version 2"), tab, run("2026"))
        made.sections[0].header._element.append(parse_xml(add_namespaces(line)))

    return document("The body.", change=change)


@case(
    "form.docx",
    "form fields of Word 97: a drop-down list, a box, a text",
    ["/Payment: Monthly/", "/Insured: \\W*(\\[x\\]|☒|checked)/i", "Ann Example"],
    ["Yearly"],
)
def form():
    def field(data, result=""):
        return (
            f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:enabled/>{data}</w:ffData></w:fldChar></w:r>'
            '<w:r><w:instrText xml:space="preserve"> FORMFIELD </w:instrText></w:r>'
            f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        ).replace("FORMFIELD", "FORMDROPDOWN" if "ddList" in data else "FORMCHECKBOX" if "checkBox" in data else "FORMTEXT")

    entries = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Yearly"/><w:listEntry w:val="Monthly"/></w:ddList>'
    return document(
        paragraph(run("Payment: "), field(entries)),
        paragraph(run("Insured: "), field('<w:checkBox><w:sizeAuto/><w:default w:val="0"/><w:checked/></w:checkBox>')),
        paragraph(run("Name: "), field("<w:textInput/>", run("Ann Example"))),
    )


@case("controls.docx", "content controls: a chosen entry, a ticked box, a block", ["Rate: fixed", "/(☒|\\[x\\]) insured/", "Clause 9 applies"])
def controls():
    def control(properties, content):
        return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    listed = '<w:dropDownList><w:listItem w:displayText="fixed" w:value="f"/></w:dropDownList>'
    return document(
        paragraph(run("Rate: "), control(listed, run("fixed"))),
        paragraph(control('<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>', run("☒")), run(" insured")),
        control("", paragraph(run("Clause 9 applies"))),
    )


@case(
    "symbols.docx",
    "boxes of Wingdings and signs of Symbol",
    ["/[☑☒✓🗹]\\ufe0f? delivered/u", "/[☐◻▢□🞎🞏]\\ufe0f? paid/u", "/[☑☒✓🗹]\\ufe0f? signed/u", "/≤ 5/"],
    ["\uf0fe", "\uf0a3"],
)
def symbols():
    fonts = '<w:rFonts w:ascii="{0}" w:hAnsi="{0}" w:cs="{0}"/>'.format
    return document(
        paragraph('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>', run(" delivered")),
        paragraph('<w:r><w:sym w:font="Wingdings" w:char="F06F"/></w:r>', run(" paid")),
        paragraph(run("\uf0fe", fonts("Wingdings")), run(" signed")),
        paragraph(run("\uf0a3", fonts("Symbol")), run(" 5")),
    )


@case("watermark.docx", "a watermark", ["400 units", "NOT BINDING"], said="watermark|word ?art")
def watermark():
    from docx.oxml import parse_xml

    shape = '<w:r><w:pict><v:shape style="width:1pt"><v:textpath string="DRAFT, NOT BINDING"/></v:shape></w:pict></w:r>'
    return document(
        "The supplier delivers 400 units.",
        change=lambda made: made.sections[0].header._element.append(parse_xml(add_namespaces(paragraph(shape)))),
    )


@case("hidden.docx", "hidden text", ["900 EUR", "/hidden/i"], said="hidden")
def hidden():
    return document(paragraph(run("The price is 900 EUR. "), run("Internal: floor price 640 EUR.", "<w:vanish/>")))


@case("nested.docx", "a table within a cell", ["outer left", "/inner a[\\s|]+inner b/", "outer right"])
def nested():
    def change(made):
        table = made.add_table(1, 2)
        table.cell(0, 0).text = "outer left"
        inner = table.cell(0, 0).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "inner a", "inner b"
        table.cell(0, 1).text = "outer right"

    return document(change=change)


@case(
    "lists.docx",
    "a numbered list that begins anew",
    ["/1\\. First duty[^]*2\\. Second duty[^]*1\\. First right/"],
    ["3. First right"],
)
def lists():
    from docx.oxml import parse_xml

    def change(made):
        numbering = made.part.numbering_part.element
        level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        abstract = parse_xml(add_namespaces(f'<w:abstractNum w:abstractNumId="90">{level}</w:abstractNum>'))
        numbering.insert(0, abstract)
        restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
        for number, more in ((90, ""), (91, restart)):
            xml = f'<w:num w:numId="{number}"><w:abstractNumId w:val="90"/>{more}</w:num>'
            numbering.append(parse_xml(add_namespaces(xml)))

    def item(text, number):
        return f'<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr></w:pPr>{run(text)}</w:p>'

    return document(item("First duty", 90), item("Second duty", 90), item("First right", 91), change=change)


@case("marks.docx", "raised and struck text", ["10^3", "~~Old price 50~~", "~~Twice struck 70~~"], ["103"])
def marks():
    return document(
        paragraph(run("At most 10"), run("3", '<w:vertAlign w:val="superscript"/>'), run(" cells.")),
        paragraph(run("Old price 50", "<w:strike/>")),
        paragraph(run("Twice struck 70", "<w:dstrike/>")),
    )


@case(
    "changes.docx",
    "tracked changes and a comment",
    ["fee of 80 EUR", "check the fee", "/(~~|deleted|removed)[^\\n]*70 EUR|^(?![^]*70 EUR)/i"],
)
def changes():
    def change(made):
        if hasattr(made, "add_comment"):
            made.add_comment(made.paragraphs[-1].runs, text="check the fee", author="Ann")

    who = 'w:id="9" w:author="Bo" w:date="2026-05-01T00:00:00Z"'
    return document(
        paragraph(
            run("There is a "),
            f"<w:del {who}><w:r><w:delText>fee of 70 EUR</w:delText></w:r></w:del>",
            f"<w:ins {who}>{run('fee of 80 EUR')}</w:ins>",
            run(" a month."),
        ),
        "The fee is due on the 1st.",
        change=change,
    )


@case("names.docx", "names within smart tags", ["/about France's President/", "events in Bolivia"])
def names():
    def tag(kind, content):
        return f'<w:smartTag w:uri="urn:schemas-microsoft-com:office:smarttags" w:element="{kind}">{content}</w:smartTag>'

    return document(
        paragraph(
            run("A text about "),
            tag("place", tag("country-region", run("France"))),
            run("'s President and of "),
            tag("country-region", run("events in Bolivia")),
            run("."),
        )
    )


@case("wps.docx", "choices without a fallback, as WPS Office writes them", ["Before the table", "After the table"])
def wps():
    choice = '<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing/></mc:Choice></mc:AlternateContent>'
    return document("Before the table", paragraph(f"<w:r>{choice}</w:r>"), "After the table")


@case("box.docx", "a text box", ["Body text", "Note in a box"])
def box():
    content = f"<w:txbxContent>{paragraph(run('Note in a box'))}</w:txbxContent>"
    shape = (
        '<wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="7" name="Box"/><a:graphic><a:graphicData '
        'uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr/>'
        f"<wps:txbx>{content}</wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline>"
    )
    old = f"<w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict>"
    both = (
        f'<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{shape}</w:drawing></mc:Choice>'
        f"<mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
    )
    return document("Body text", paragraph(f"<w:r>{both}</w:r>"))


@case("equation.docx", "an equation", ["The rate is", "/p\\)?\\s*\\/\\s*\\(?q|frac\\{p\\}\\{q\\}/"])
def equation():
    fraction = "<m:f><m:num><m:r><m:t>p</m:t></m:r></m:num><m:den><m:r><m:t>q</m:t></m:r></m:den></m:f>"
    return document(paragraph(run("The rate is "), f"<m:oMath>{fraction}</m:oMath>"))


@case("chunk.docx", "HTML within the document, as report generators write it", ["Body text", "Chapter in HTML"], said="embedded")
def chunk():
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part
    from docx.oxml import parse_xml

    def change(made):
        page = b"<html><body><p>Chapter in HTML</p></body></html>"
        part = Part(PackURI("/word/chunk1.html"), "text/html", page, made.part.package)
        used = made.part.relate_to(part, RELATIONSHIP_TYPE.A_F_CHUNK)
        made.element.body.insert(1, parse_xml(add_namespaces(f'<w:altChunk r:id="{used}"/>')))

    return document("Body text", change=change)


@case("no-level.docx", "a list item without a level", ["First item", "Second item"])
def no_level():
    item = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>{}</w:p>'.format
    return document(item(run("First item")), item(run("Second item")))
