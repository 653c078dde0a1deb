"""OpenDocument, by odfpy."""

import io

from cases import case


def save(made):
    file = io.BytesIO()
    made.write(file)
    return file.getvalue()


def add_style(made, name, family, **properties):
    from odf import style

    added = style.Style(name=name, family=family)
    added.addElement(style.TextProperties(**properties))
    made.automaticstyles.addElement(added)
    return added


@case(
    "letter.odt",
    "headings, a list, a table with an empty cell, a note, a link",
    ["Scope of work", "First duty", "/South\\s*\\t\\s*\\t7/", "Measured at the gate", "https://docs.example/annex"],
)
def letter():
    from odf import opendocument, table, text

    made = opendocument.OpenDocumentText()
    body = made.text
    body.addElement(text.H(outlinelevel=1, text="Scope of work"))
    listed, item = text.List(), text.ListItem()
    item.addElement(text.P(text="First duty"))
    listed.addElement(item)
    body.addElement(listed)
    grid, row = table.Table(), table.TableRow()
    for content in ("South", "", "7"):
        cell = table.TableCell()
        cell.addElement(text.P(text=content))
        row.addElement(cell)
    grid.addElement(row)
    body.addElement(grid)
    line = text.P(text="See the ")
    line.addElement(text.A(href="https://docs.example/annex", type="simple", text="annex"))
    note, content = text.Note(noteclass="footnote"), text.NoteBody()
    note.addElement(text.NoteCitation(text="1"))
    content.addElement(text.P(text="Measured at the gate"))
    note.addElement(content)
    line.addElement(note)
    body.addElement(line)
    return save(made)


case("odt-named.docx", "an .odt that is called .docx", ["Scope of work", "First duty"])(letter)


def sheet(fill):
    from odf import opendocument, table

    made = opendocument.OpenDocumentSpreadsheet()
    grid = table.Table(name="Data")
    fill(made, grid)
    made.spreadsheet.addElement(grid)
    return save(made)


def add_row(grid, *cells, **options):
    from odf import table

    row = table.TableRow(**options)
    for cell in cells:
        row.addElement(cell)
    grid.addElement(row)


def text_cell(*parts, **options):
    from odf import table, text

    cell = table.TableCell(valuetype="string", **options)
    line = text.P()
    for part in parts:
        line.addText(part) if isinstance(part, str) else line.addElement(part)
    cell.addElement(line)
    return cell


@case("filtered.ods", "rows that a filter hides", ["O-1", "/hidden|filter/i"], said="hidden|filter")
def filtered():
    def fill(_, grid):
        add_row(grid, text_cell("O-1"))
        add_row(grid, text_cell("O-2"), visibility="filter")

    return sheet(fill)


@case("marks.ods", "raised and struck text", ["10^5", "~~ship on Monday~~"], ["105"])
def marks_of_cells():
    def fill(made, grid):
        from odf import style, text

        up = add_style(made, "Up", "text", textposition="super 58%")
        struck = style.Style(name="Struck", family="table-cell")
        struck.addElement(style.TextProperties(textlinethroughstyle="solid"))
        made.automaticstyles.addElement(struck)
        add_row(grid, text_cell("10", text.Span(stylename=up, text="5")))
        add_row(grid, text_cell("ship on Monday", stylename=struck))

    return sheet(fill)


@case("values.ods", "cells without a text, blanks, styled parts", ["/2026-05-12|12 May 2026|May 12/", "/TRUE/i", "/Lorem  +ipsum dolor/", "417"])
def values():
    def fill(_, grid):
        from odf import table, text

        add_row(grid, table.TableCell(valuetype="date", datevalue="2026-05-12"))
        add_row(grid, table.TableCell(valuetype="boolean", booleanvalue="true"))
        add_row(grid, table.TableCell(valuetype="float", value="417"))
        part = text.Span()
        part.addText("Lorem")
        part.addElement(text.S(c=3))
        add_row(grid, text_cell(part, "ipsum dolor"))

    return sheet(fill)


def slide(fill):
    from odf import draw, opendocument, style

    made = opendocument.OpenDocumentPresentation()
    layout = style.PageLayout(name="L")
    made.automaticstyles.addElement(layout)
    made.masterstyles.addElement(style.MasterPage(name="M", pagelayoutname=layout))
    page = draw.Page(masterpagename="M", name="one")
    fill(made, page)
    made.presentation.addElement(page)
    return save(made)


@case("marks.odp", "raised and struck text", ["10^5", "~~ship on Monday~~"], ["105"])
def marks_of_slides():
    def fill(made, page):
        from odf import draw, text

        frame, box, line = draw.Frame(width="9cm", height="2cm", x="1cm", y="1cm"), draw.TextBox(), text.P(text="10")
        line.addElement(text.Span(stylename=add_style(made, "Up", "text", textposition="super 58%"), text="5"))
        line.addText(" and ")
        struck = add_style(made, "Struck", "text", textlinethroughstyle="solid")
        line.addElement(text.Span(stylename=struck, text="ship on Monday"))
        box.addElement(line)
        frame.addElement(box)
        page.addElement(frame)

    return slide(fill)


@case("alt-text.odp", "the alternative text of a picture", ["the exit is beside the stairs"])
def alt_text():
    def fill(made, page):
        from odf import draw, svg

        from sheets import png

        frame = draw.Frame(width="3cm", height="3cm", x="1cm", y="1cm")
        frame.addElement(draw.Image(href=made.addPicture("plan.png", "image/png", png().getvalue())))
        frame.addElement(svg.Desc(text="Plan: the exit is beside the stairs"))
        page.addElement(frame)

    return slide(fill)


@case("order.odp", "texts of a slide from top to bottom", ["/Title[^]*Step 1[^]*beside it[^]*Step 2[^]*Step 3/"])
def order():
    def fill(_, page):
        from odf import draw, text

        for content, x, y in (("Step 3", 1, 12), ("Step 1", 1, 4), ("beside it", 12, 4.1), ("Step 2", 1, 8), ("Title", 1, 1)):
            frame, box = draw.Frame(width="9cm", height="2cm", x=f"{x}cm", y=f"{y}cm"), draw.TextBox()
            box.addElement(text.P(text=content))
            frame.addElement(box)
            page.addElement(frame)

    return slide(fill)


@case("chart.odt", "a chart with its own values", ["/Units sold[^]*2025\\t523/"], said="chart|embedded")
def chart_in_text():
    from odf import chart, draw, opendocument, table, text

    made, inner = opendocument.OpenDocumentText(), opendocument.OpenDocumentChart()
    drawn = chart.Chart(attributes={"class": "chart:bar", "width": "8cm", "height": "6cm"})
    title = chart.Title()
    title.addElement(text.P(text="Units sold"))
    drawn.addElement(title)
    drawn.addElement(chart.PlotArea())
    grid, rows = table.Table(name="local-table"), table.TableRows()
    for cells in (("", "Units"), ("2024", "417"), ("2025", "523")):
        add_row(rows, *[text_cell(content) for content in cells])
    grid.addElement(rows)
    drawn.addElement(grid)
    inner.chart.addElement(drawn)
    frame = draw.Frame(width="8cm", height="6cm", anchortype="as-char")
    frame.addElement(draw.Object(href=made.addObject(inner)))
    line = text.P(text="See: ")
    line.addElement(frame)
    made.text.addElement(line)
    return save(made)
