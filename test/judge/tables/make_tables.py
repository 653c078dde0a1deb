"""Writes tables by other writers, and asks pandas, told by hand how each is written, what SQL is asked of the product."""

import csv
import datetime as dt
import json
import random
import sys
from pathlib import Path

import openpyxl
import pandas as pd
import polars as pl
import xlsxwriter
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from openpyxl.styles import Font

folder = Path(sys.argv[1])
random.seed(7)
rows = 400
regions = ["North", "South", "West", "East"]
start = dt.date(2025, 1, 1)


def make_rows(decimals=2, empty=0.05):
    """region, amount, day: some amounts and days are missing"""
    made = []
    for index in range(rows):
        amount = round(random.uniform(-2000, 250_000), decimals)
        day = start + dt.timedelta(days=random.randrange(700))
        made.append(
            (
                regions[index % 4],
                None if random.random() < empty else amount,
                None if random.random() < empty else day,
            )
        )
    return made


def format_number(value, thousands, decimal):
    if value is None:
        return ""
    text = f"{value:,.2f}"
    return text.replace(",", "T").replace(".", decimal).replace("T", thousands)


def to_plain(value):
    if value is None or value is pd.NaT or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, (pd.Timestamp, dt.datetime)):
        return value.strftime("%Y-%m-%d" if value.time() == dt.time(0) else "%Y-%m-%d %H:%M:%S")
    if hasattr(value, "item"):
        return to_plain(value.item())
    return value


def to_rows(frame):
    return [[to_plain(value) for value in row] for row in frame.itertuples(index=False, name=None)]


def ask(frame, table, group, value, day):
    """The same questions of SQL and pandas. The names are those of SQL and of the frame."""
    g, v, d = (pair[0] for pair in (group, value, day))
    G, V, D = (frame[pair[1]] for pair in (group, value, day))
    numbers = V.dropna()
    questions = [
        (
            f"SELECT count(*), count({v}), sum({v}), avg({v}), min({v}), max({v}) FROM {table}",
            [[len(frame), len(numbers), numbers.sum(), numbers.mean(), numbers.min(), numbers.max()]],
        ),
        (
            f"SELECT {g}, sum({v}), count({v}), avg({v}) FROM {table} GROUP BY {g} ORDER BY {g}",
            to_rows(V.groupby(G).agg(["sum", "count", "mean"]).reset_index()),
        ),
        (
            f"SELECT strftime('%Y-%m', {d}) AS month, sum({v}) FROM {table} WHERE {d} IS NOT NULL GROUP BY month ORDER BY month",
            to_rows(V.groupby(D.dt.strftime("%Y-%m")).sum().reset_index()),
        ),
        (
            f"SELECT min(date({d})), max(date({d})), count(DISTINCT date({d})) FROM {table}",
            [[D.min().strftime("%Y-%m-%d"), D.max().strftime("%Y-%m-%d"), D.dt.date.dropna().nunique()]],
        ),
        (
            f"SELECT sum({v} IS NULL), sum({d} IS NULL), sum({v} IS NULL AND {d} IS NULL) FROM {table}",
            [[V.isna().sum(), D.isna().sum(), (V.isna() & D.isna()).sum()]],
        ),
        (
            f"SELECT count(*), sum({v}) FROM {table} WHERE {v} > 1000 AND {d} >= '2026-01-01' AND {g} <> 'East'",
            [
                [
                    ((V > 1000) & (D >= "2026-01-01") & (G != "East")).sum(),
                    V[(V > 1000) & (D >= "2026-01-01") & (G != "East")].sum(),
                ]
            ],
        ),
        (
            f"SELECT {g}, {v} FROM {table} WHERE {v} IS NOT NULL ORDER BY {v} DESC, {g} LIMIT 5",
            to_rows(
                pd.DataFrame({"g": G, "v": V}).dropna().sort_values(["v", "g"], ascending=[False, True]).head(5)
            ),
        ),
    ]
    return [{"sql": sql, "expected": [[to_plain(cell) for cell in row] for row in answer]} for sql, answer in questions]


listed = []
usual = (("region", "Region"), ("amount", "Amount"), ("day", "Day"))


def add(name, what, frame, columns=usual, table=None, more=()):
    asked = ask(frame, table or Path(name).stem, *columns)
    listed.append({"file": name, "what": what, "questions": asked + list(more)})


def frame_of(made):
    frame = pd.DataFrame(made, columns=["Region", "Amount", "Day"])
    frame["Day"] = pd.to_datetime(frame["Day"])
    return frame


def write_csv(name, header, lines, encoding="utf-8", **options):
    with open(folder / name, "w", newline="", encoding=encoding) as file:
        writer = csv.writer(file, **options)
        writer.writerow(header)
        writer.writerows(lines)


def text_days(pattern, made):
    return ["" if day is None else day.strftime(pattern) for _, _, day in made]


# CSV

made = make_rows()
frame_of(made).to_csv(folder / "pandas_plain.csv", index=False)
add("pandas_plain.csv", "pandas, as it writes by itself", pd.read_csv(folder / "pandas_plain.csv", parse_dates=["Day"]))

frame_of(make_rows()).to_csv(folder / "pandas_german.csv", index=False, sep=";", decimal=",", date_format="%d.%m.%Y")
add(
    "pandas_german.csv",
    "pandas, semicolons, decimal commas, days first",
    pd.read_csv(folder / "pandas_german.csv", sep=";", decimal=",", parse_dates=["Day"], date_format="%d.%m.%Y"),
)

made = make_rows()
write_csv(
    "german_office.csv",
    ["Region", "Betrag (€)", "Tag"],
    [[r, format_number(a, ".", ",") + (" €" if a is not None else ""), d] for (r, a, _), d in zip(made, text_days("%d.%m.%y", made))],
    "cp1252",
    delimiter=";",
)
read = pd.read_csv(folder / "german_office.csv", sep=";", encoding="cp1252", dtype=str)
read["Amount"] = pd.to_numeric(read["Betrag (€)"].str.replace(" €", "").str.replace(".", "").str.replace(",", "."))
read["Day"] = pd.to_datetime(read["Tag"], format="%d.%m.%y")
add("german_office.csv", "csv, cp1252, amounts as 1.234,50 €, two-digit years", read, (("region", "Region"), ("betrag_eur", "Amount"), ("tag", "Day")))

made = make_rows()
frame_of(made).to_csv(folder / "utf16.tsv", index=False, sep="\t", encoding="utf-16")
add("utf16.tsv", "pandas, tabs, UTF-16", pd.read_csv(folder / "utf16.tsv", sep="\t", encoding="utf-16", parse_dates=["Day"]))

made = make_rows()
pl.DataFrame(
    {
        "Region": [r for r, _, _ in made],
        "Amount": [a for _, a, _ in made],
        "Day": [None if d is None else dt.datetime.combine(d, dt.time(8, 30, 15)) for _, _, d in made],
        "Paid": [index % 3 == 0 for index in range(rows)],
    }
).write_csv(folder / "polars_times.csv")
read = pd.read_csv(folder / "polars_times.csv", parse_dates=["Day"])
add(
    "polars_times.csv",
    "polars, times with fractions, booleans",
    read,
    more=[
        {
            "sql": "SELECT sum(paid), max(day) FROM polars_times",
            "expected": [[int(read["Paid"].sum()), read["Day"].max().strftime("%Y-%m-%d %H:%M:%S")]],
        }
    ],
)

made = make_rows()
write_csv(
    "us_quoted.csv",
    ["Region", "Amount", "Day", "Note"],
    [[r, "" if a is None else f"${a:,.2f}".replace("$-", "-$"), d, 'Two\nlines, "quoted"'] for (r, a, _), d in zip(made, text_days("%m/%d/%Y", made))],
    quoting=csv.QUOTE_ALL,
)
read = pd.read_csv(folder / "us_quoted.csv", dtype=str)
read["Amount"] = pd.to_numeric(read["Amount"].str.replace("[$,]", "", regex=True))
read["Day"] = pd.to_datetime(read["Day"], format="%m/%d/%Y")
add("us_quoted.csv", "csv, all quoted, dollars, months first, line ends in cells", read)

made = make_rows()
write_csv(
    "swiss.csv",
    ["Region", "Amount", "Day"],
    [[r, "n/a" if a is None else format_number(a, "'", "."), d or "-"] for (r, a, _), d in zip(made, text_days("%Y-%m-%d", made))],
)
read = pd.read_csv(folder / "swiss.csv", dtype=str, na_values=["-"])
read["Amount"] = pd.to_numeric(read["Amount"].str.replace("'", ""))
read["Day"] = pd.to_datetime(read["Day"])
add("swiss.csv", "csv, apostrophes, n/a and - for nothing", read)

made = make_rows()
write_csv(
    "french.csv",
    ["Région", "Montant", "Jour"],
    [[r, format_number(a, "\u202f", ","), d] for (r, a, _), d in zip(made, text_days("%d/%m/%Y", made))],
    "utf-8-sig",
    delimiter=";",
)
read = pd.read_csv(folder / "french.csv", sep=";", encoding="utf-8-sig", dtype=str)
read["Montant"] = pd.to_numeric(read["Montant"].str.replace("\u202f", "").str.replace(",", "."))
read["Jour"] = pd.to_datetime(read["Jour"], format="%d/%m/%Y")
add("french.csv", "csv, BOM, narrow spaces, decimal commas", read, (("région", "Région"), ("montant", "Montant"), ("jour", "Jour")))

made = make_rows(decimals=0)
write_csv(
    "years.csv",
    ["Region", "Amount", "Day", "Year"],
    [[r, "" if a is None else int(a), d, 2020 + index % 5] for index, ((r, a, _), d) in enumerate(zip(made, text_days("%Y-%m-%d", made)))],
)
read = pd.read_csv(folder / "years.csv", parse_dates=["Day"])
by_year = to_rows(read.groupby("Year").agg(share=("Amount", lambda v: v.sum() / len(v)), n=("Amount", "count")).reset_index())
add(
    "years.csv",
    "csv, whole numbers and years: quotients are exact",
    read,
    more=[{"sql": "SELECT year, sum(amount) / count(*), count(amount) FROM years GROUP BY year ORDER BY year", "expected": by_year}],
)

# XLSX

frame = frame_of(make_rows())
frame.to_excel(folder / "pandas_book.xlsx", index=False)
add("pandas_book.xlsx", "pandas and openpyxl", pd.read_excel(folder / "pandas_book.xlsx"))

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Orders"
sheet.append(["Quarterly report"])
sheet.append([])
sheet.append(["Region", "Amount", "Day", "Discount"])
made = make_rows()
for index, (region, amount, day) in enumerate(made):
    sheet.append([region, amount, day, (index % 20) / 100])
    sheet.cell(sheet.max_row, 2).number_format = '#,##0.00 "€"'
    sheet.cell(sheet.max_row, 3).number_format = "DD.MM.YYYY"
    sheet.cell(sheet.max_row, 4).number_format = "0%"
sheet.append(["Total", sum(a for _, a, _ in made if a is not None), None, None])
book.save(folder / "openpyxl_report.xlsx")
read = pd.read_excel(folder / "openpyxl_report.xlsx", header=2).iloc[:-1]
add(
    "openpyxl_report.xlsx",
    "openpyxl, a title, formats of money and per cent, a row of totals",
    read,
    table="orders",
    more=[{"sql": "SELECT sum(amount * discount) FROM orders", "expected": [[float((read["Amount"] * read["Discount"]).sum())]]}],
)

book = openpyxl.Workbook()
sheet = book.active
sheet.append(["Where", "Sales", None])
sheet.append(["Region", "Amount", "Day"])
sheet.merge_cells("B1:C1")
for row in make_rows():
    sheet.append(row)
book.save(folder / "openpyxl_header.xlsx")
add(
    "openpyxl_header.xlsx",
    "openpyxl, a header of two lines with merged cells",
    pd.read_excel(folder / "openpyxl_header.xlsx", header=1),
    (("where_region", "Region"), ("sales_amount", "Amount"), ("sales_day", "Day")),
)

made = make_rows()
with xlsxwriter.Workbook(folder / "formulas.xlsx") as book:
    sheet = book.add_worksheet("Data")
    date_format = book.add_format({"num_format": "d mmm yyyy"})
    sheet.write_row(0, 0, ["Region", "Net", "Day", "Amount"])
    for index, (region, amount, day) in enumerate(made, 1):
        sheet.write_string(index, 0, region)
        if amount is not None:
            sheet.write_number(index, 1, amount)
            sheet.write_formula(index, 3, f"=B{index + 1}*2", value=amount * 2)
        if day is not None:
            sheet.write_datetime(index, 2, dt.datetime.combine(day, dt.time()), date_format)
add("formulas.xlsx", "XlsxWriter, formulas with their values", pd.read_excel(folder / "formulas.xlsx"), table="data")

made = make_rows()
with xlsxwriter.Workbook(folder / "joined.xlsx") as book:
    sheet = book.add_worksheet("Sales")
    date_format = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
    sheet.write_row(0, 0, ["Code", "Amount", "Day"])
    for index, (region, amount, day) in enumerate(made, 1):
        sheet.write_string(index, 0, f"0{regions.index(region)}")
        if amount is not None:
            sheet.write_number(index, 1, amount)
        if day is not None:
            sheet.write_datetime(index, 2, dt.datetime.combine(day, dt.time(13, 45)), date_format)
    sheet = book.add_worksheet("Regions")
    sheet.write_row(0, 0, ["Code", "Manager", "Goal"])
    for index, region in enumerate(regions[:3], 1):
        sheet.write_row(index, 0, [f"0{index - 1}", f"Manager of {region}", index * 1000])
sales = pd.read_excel(folder / "joined.xlsx", sheet_name="Sales", dtype={"Code": str})
goals = pd.read_excel(folder / "joined.xlsx", sheet_name="Regions", dtype={"Code": str})
both = sales.merge(goals, on="Code", how="left")
inner = sales.merge(goals, on="Code")
add(
    "joined.xlsx",
    "XlsxWriter, two sheets that are joined by codes with leading zeros",
    sales,
    (("code", "Code"), ("amount", "Amount"), ("day", "Day")),
    table="sales",
    more=[
        {
            "sql": "SELECT r.manager, sum(s.amount) - max(r.goal) FROM sales s JOIN regions r USING (code) GROUP BY r.manager ORDER BY 1",
            "expected": to_rows(inner.groupby("Manager").apply(lambda g: g["Amount"].sum() - g["Goal"].max(), include_groups=False).reset_index()),
        },
        {
            "sql": "SELECT count(*), count(r.manager), sum(s.amount) FROM sales s LEFT JOIN regions r USING (code)",
            "expected": [[len(both), int(both["Manager"].notna().sum()), float(both["Amount"].sum())]],
        },
    ],
)

made = make_rows()
with xlsxwriter.Workbook(folder / "side_by_side.xlsx") as book:
    sheet = book.add_worksheet("Both")
    date_format = book.add_format({"num_format": "dd/mm/yyyy"})
    sheet.write_row(0, 0, ["Region", "Amount", "Day", None, "Item", "Price"])
    for index, (region, amount, day) in enumerate(made, 1):
        sheet.write_string(index, 0, region)
        if amount is not None:
            sheet.write_number(index, 1, amount)
        if day is not None:
            sheet.write_datetime(index, 2, dt.datetime.combine(day, dt.time()), date_format)
    for index in range(1, 31):
        sheet.write_row(index, 4, [f"Item {index}", index * 1.25])
read = pd.read_excel(folder / "side_by_side.xlsx")
add(
    "side_by_side.xlsx",
    "XlsxWriter, two tables beside each other",
    read[["Region", "Amount", "Day"]],
    table="both_a1_c401",
    more=[{"sql": "SELECT count(*), sum(price) FROM both_e1_f31", "expected": [[30, float(read["Price"].sum())]]}],
)

made = make_rows()
first, second = frame_of(made[:150]), frame_of(made[150:])
with pd.ExcelWriter(folder / "stacked.xlsx", engine="xlsxwriter", datetime_format="yyyy-mm-dd") as writer:
    first.to_excel(writer, sheet_name="All", index=False)
    second.to_excel(writer, sheet_name="All", index=False, startrow=len(first) + 3)
add(
    "stacked.xlsx",
    "pandas and XlsxWriter, two tables below each other",
    pd.read_excel(folder / "stacked.xlsx", nrows=150).astype({"Amount": float, "Day": "datetime64[ns]"}),
    table="all_a1_c151",
    more=[
        {
            "sql": "SELECT count(*), sum(amount) FROM all_a154_c404",
            "expected": [[250, float(pd.read_excel(folder / "stacked.xlsx", header=153)["Amount"].sum())]],
        }
    ],
)

made = make_rows()
pl.DataFrame({"Region": [r for r, _, _ in made], "Amount": [a for _, a, _ in made], "Day": [d for _, _, d in made]}).write_excel(
    folder / "polars_book.xlsx", worksheet="Export"
)
add("polars_book.xlsx", "polars and XlsxWriter, a table with formats of its own", pd.read_excel(folder / "polars_book.xlsx"), table="export")

book = openpyxl.Workbook()
sheet = book.active
sheet.append(["Région (€)", "Amount", "Amount", "Day", "order", "2026"])
for cell in sheet[1]:
    cell.font = Font(bold=True)
made = make_rows()
for index, (region, amount, day) in enumerate(made):
    sheet.append([region, amount, index, day, index % 7, index / 8])
book.save(folder / "names.xlsx")
read = pd.read_excel(folder / "names.xlsx")
add(
    "names.xlsx",
    "openpyxl, titles that are words of SQL, doubled, or numbers",
    read,
    (("région_eur", "Région (€)"), ("amount", "Amount"), ("day", "Day")),
    more=[
        {
            "sql": "SELECT sum(amount_2), sum(order_), sum(n_2026) FROM names",
            "expected": [[int(read["Amount.1"].sum()), int(read["order"].sum()), float(read.iloc[:, 5].sum())]],
        }
    ],
)

# ODS

frame_of(make_rows()).to_excel(folder / "pandas_open.ods", index=False, engine="odf")
read = pd.read_excel(folder / "pandas_open.ods", engine="odf")
read["Day"] = pd.to_datetime(read["Day"])
add("pandas_open.ods", "pandas and odfpy", read)

document = OpenDocumentSpreadsheet()
sheet = Table(name="Umsatz")
header = TableRow()
for title in ["Region", "Amount", "Day"]:
    cell = TableCell(valuetype="string")
    cell.addElement(P(text=title))
    header.addElement(cell)
sheet.addElement(header)
for region, amount, day in make_rows():
    row = TableRow()
    cell = TableCell(valuetype="string")
    cell.addElement(P(text=region))
    row.addElement(cell)
    cell = TableCell() if amount is None else TableCell(valuetype="currency", currency="EUR", value=str(amount))
    if amount is not None:
        cell.addElement(P(text=format_number(amount, ".", ",") + " €"))
    row.addElement(cell)
    cell = TableCell() if day is None else TableCell(valuetype="date", datevalue=day.isoformat())
    if day is not None:
        cell.addElement(P(text=day.strftime("%d.%m.%y")))
    row.addElement(cell)
    sheet.addElement(row)
document.spreadsheet.addElement(sheet)
document.save(str(folder / "odfpy_money.ods"))
read = pd.read_excel(folder / "odfpy_money.ods", engine="odf")
read["Day"] = pd.to_datetime(read["Day"])
add("odfpy_money.ods", "odfpy, amounts in euros, days as German text", read, table="umsatz")

(folder / "tables.json").write_text(json.dumps(listed, default=to_plain))
