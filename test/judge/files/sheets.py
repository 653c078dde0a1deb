"""Excel, by openpyxl, XlsxWriter, pandas and xlwt."""

import datetime
import io
import zipfile

from cases import case


def with_openpyxl(fill, **options):
    import openpyxl

    book = openpyxl.Workbook(**options)
    fill(book, book.active)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def with_xlsxwriter(fill):
    import xlsxwriter

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        fill(book, book.add_worksheet("Data"))
    return file.getvalue()


def replace_in(archive, path, old, new):
    """The archive with another text in one part."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, content.replace(old, new) if name == path else content)
    return out.getvalue()


def png():
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(file, "PNG")
    return io.BytesIO(file.getvalue())


@case(
    "formats.xlsx",
    "values as their formats show them",
    ["/2026-05-12|12.05.2026|5\\/12\\/2026/", "/12.5\\s*%/", "/1,234.50/", "/-0?7|007/", "TRUE"],
)
def formats():
    def fill(_, sheet):
        rows = ((datetime.date(2026, 5, 12), "yyyy-mm-dd"), (0.125, "0.0%"), (1234.5, "#,##0.00"), (7, "000"), (True, None))
        for at, (value, shown) in enumerate(rows, 1):
            sheet.cell(at, 1, value)
            if shown:
                sheet.cell(at, 1).number_format = shown

    return with_openpyxl(fill)


@case("iso-dates.xlsx", "cells of the type d", ["2026-05-12"])
def iso_dates():
    return with_openpyxl(lambda _, sheet: sheet.append(["Due", datetime.date(2026, 5, 12)]), iso_dates=True)


@case("picture-in-cell.xlsx", "a picture in a cell", ["/Bolt\\t.*7/"], ["#VALUE!"], said="picture")
def picture_in_cell():
    def fill(_, sheet):
        sheet.write_row(0, 0, ["Part", "Photo", "Count"])
        sheet.write(1, 0, "Bolt")
        sheet.embed_image(1, 1, "bolt.png", {"image_data": png()})
        sheet.write(1, 2, 7)

    return with_xlsxwriter(fill)


@case("errors.xlsx", "errors, formulas, texts like numbers", ["#DIV/0!", "/Total\\t42/", "00123", "#N/A"])
def errors():
    def fill(_, sheet):
        sheet.write_formula(0, 0, "=1/0", None, "#DIV/0!")
        sheet.write(1, 0, "Total")
        sheet.write_array_formula("B2:B2", "{=SUM(A5:A6*1)}", None, 42)
        sheet.write_string(2, 0, "00123")
        sheet.write_formula(3, 0, "=NA()", None, "#N/A")

    return with_xlsxwriter(fill)


@case(
    "things.xlsx",
    "text box, alternative text, comment, header, chart",
    ["figures without Norway", "Map of the branch offices", "checked by Ann", "Fiscal 2026"],
    said="chart|picture",
)
def things():
    def fill(book, sheet):
        sheet.write_row(0, 0, ["Jan", 5])
        sheet.write_comment("B1", "checked by Ann", {"author": "Ann"})
        sheet.insert_textbox("D1", "figures without Norway")
        sheet.insert_image("D9", "map.png", {"image_data": png(), "description": "Map of the branch offices"})
        sheet.set_header("&CFiscal 2026")
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=Data!$B$1:$B$1"})
        sheet.insert_chart("H1", chart)

    return with_xlsxwriter(fill)


@case("far.xlsx", "a cell in a far column", ["near", "far away"])
def far():
    def fill(_, sheet):
        sheet.write(0, 0, "near")
        sheet.write(0, 701, "far away")

    return with_xlsxwriter(fill)


@case("hidden.xlsx", "hidden rows, columns and sheets", ["O-1", "/hidden|filter/i"], said="hidden|filter")
def hidden_rows():
    def fill(book, sheet):
        sheet.write_row(0, 0, ["Order", "State", "Cost"])
        for at in range(1, 5):
            sheet.write_row(at, 0, [f"O-{at}", "open" if at % 2 else "done", at * 10])
        sheet.autofilter(0, 0, 4, 2)
        sheet.filter_column(1, "x == open")
        for at in (2, 4):
            sheet.set_row(at, None, None, {"hidden": True})
        sheet.set_column(2, 2, None, None, {"hidden": True})
        other = book.add_worksheet("Internal")
        other.write(0, 0, "margin 31")
        other.hide()

    return with_xlsxwriter(fill)


@case("pandas.xlsx", "a table of pandas with empty cells and dates", ["/North\\t12/", "/South\\t\\t/", "2026-05-12"])
def of_pandas():
    import pandas

    file = io.BytesIO()
    dates = [pandas.Timestamp("2026-05-12"), pandas.Timestamp("2026-05-13")]
    pandas.DataFrame({"Region": ["North", "South"], "Units": [12, None], "Day": dates}).to_excel(file, index=False)
    return file.getvalue()


@case("merged.xlsx", "two rows of headers with merged cells", ["/2026[^\\n]*\\n[^\\n]*Plan\\tReal/", "/North\\t120\\t75/"])
def merged():
    def fill(_, sheet):
        for row in (["Region", "2026", None], [None, "Plan", "Real"], ["North", 120, 75]):
            sheet.append(row)
        sheet.merge_cells("B1:C1")

    return with_openpyxl(fill)


@case(
    "title-row.xlsx",
    "a title above the table, an empty column, a bar in a cell",
    ["PROGRESS", "/Task\\t\\tOwner\\tStatus/", "/Design\\t\\tAna\\t/", "/a\\\\?\\|b/"],
    ["Unnamed", "NaN"],
)
def title_row():
    def fill(_, sheet):
        for row in (["PROGRESS"], [], ["Task", None, "Owner", "Status"], ["Design", None, "Ana", "a|b"]):
            sheet.append(row)

    return with_openpyxl(fill)


@case("dates-1904.xlsx", "dates counted from 1904", ["2026-05-12"], ["2022-05-11"])
def dates_1904():
    import openpyxl.utils.datetime as dates

    def fill(book, sheet):
        book.epoch = dates.CALENDAR_MAC_1904
        sheet.append(["Due", datetime.date(2026, 5, 12)])
        sheet["B1"].number_format = "yyyy-mm-dd"

    return with_openpyxl(fill)


@case("day-one.xlsx", "the first days of Excel's calendar", ["1900-01-01", "1900-03-01"], ["1899"])
def day_one():
    def fill(_, sheet):
        for at, serial in enumerate((1, 61), 1):
            sheet.cell(at, 1, serial).number_format = "yyyy-mm-dd"

    return with_openpyxl(fill)


@case("text-in-date.xlsx", "a text in a cell that is formatted as a date", ["19/19/2000"], ["1900-01"])
def text_in_date():
    def fill(_, sheet):
        sheet.append(["Due", "19/19/2000"])
        sheet["B1"].number_format = "yyyy-mm-dd"

    return with_openpyxl(fill)


@case("prefixed.xlsx", "a workbook whose elements have a prefix", ["/Screw\\t250/"])
def prefixed():
    def fill(_, sheet):
        sheet.append(["Screw", 250])

    book = with_openpyxl(fill)
    with zipfile.ZipFile(io.BytesIO(book)) as source:
        old = source.read("xl/worksheets/sheet1.xml")
    new = old.replace(b"</", b"</x:").replace(b"<", b"<x:").replace(b"<x:/x:", b"</x:").replace(b"<x:?", b"<?")
    return replace_in(book, "xl/worksheets/sheet1.xml", old, new.replace(b"xmlns=", b"xmlns:x=", 1))


def screws():
    return with_openpyxl(lambda _, sheet: sheet.append(["Screw", 250]))


for name, type in (("new-named-old.xls", "application/vnd.ms-excel"), ("Export.xlsx.download", ""), ("sheet-named.csv", "text/csv")):
    case(name, "an .xlsx of another name", ["/Screw\\t250/"], type=type)(screws)


@case("html-named.xls", "a table in HTML that is called .xls", ["/Screw\\t250/"], ["mso-number-format"], type="application/vnd.ms-excel")
def html_named():
    style = "<style>td{mso-number-format:General}</style>"
    return f"<html><head>{style}</head><body><table><tr><td>Screw</td><td>250</td></tr></table></body></html>".encode()


@case("spreadsheetml.xls", "the XML of Excel 2003", ["Screw", "250"], type="application/vnd.ms-excel")
def spreadsheetml():
    cells = '<Cell><Data ss:Type="String">Screw</Data></Cell><Cell><Data ss:Type="Number">250</Data></Cell>'
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    table = f'<Worksheet ss:Name="A"><Table><Row>{cells}</Row></Table></Worksheet>'
    return f'<?xml version="1.0"?><Workbook xmlns="{space}" xmlns:ss="{space}">{table}</Workbook>'.encode()


@case("old.xls", "Excel 97 to 2003", ["Screw"], refusal="\\.xlsx", type="application/vnd.ms-excel")
def old():
    import xlwt

    book = xlwt.Workbook()
    book.add_sheet("A").write(0, 0, "Screw")
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
