"""PowerPoint, by python-pptx."""

import io

from cases import add_namespaces, case


def slides(*fills):
    """A presentation; each function fills an empty slide."""
    from pptx import Presentation

    made = Presentation()
    for fill in fills:
        fill(made.slides.add_slide(made.slide_layouts[6]), made)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def put(slide, text, top=1.0, left=1.0):
    from pptx.util import Inches

    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(0.5))
    box.text_frame.text = text
    return box


@case("chart.pptx", "the numbers of a chart", ["Sales 2026", "Norway", "417", "Units per country"], said="chart")
def chart():
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    def fill(slide, _):
        put(slide, "Sales 2026")
        data = CategoryChartData()
        data.categories = ["Norway", "Chile"]
        data.add_series("Units", (417, 88))
        kind, place = XL_CHART_TYPE.COLUMN_CLUSTERED, (Inches(1), Inches(2), Inches(4), Inches(3))
        added = slide.shapes.add_chart(kind, *place, data).chart
        added.has_title = True
        added.chart_title.text_frame.text = "Units per country"

    return slides(fill)


@case("links.pptx", "addresses behind texts and shapes", ["https://events.example/register?id=88", "https://maps.example/p/5"], said="link")
def links():
    def fill(slide, _):
        put(slide, "Register").text_frame.paragraphs[0].runs[0].hyperlink.address = "https://events.example/register?id=88"
        put(slide, "Map", 2).click_action.hyperlink.address = "https://maps.example/p/5"

    return slides(fill)


@case("order.pptx", "shapes that were drawn in another order", ["/Step 1[^]*Step 2[^]*Step 3/"])
def order():
    def fill(slide, _):
        for step in (3, 1, 2):
            put(slide, f"Step {step}", step)

    return slides(fill)


@case("marks.pptx", "raised, lowered and struck text", ["10^5", "CO_2", "~~ship on Monday~~"], ["105"])
def marks():
    def fill(slide, _):
        text = put(slide, "At most 10").text_frame.paragraphs[0]
        for content, name, value in (("5", "baseline", "30000"), (" cells, CO", None, None), ("2", "baseline", "-25000"), (" ", None, None), ("ship on Monday", "strike", "sngStrike")):
            run = text.add_run()
            run.text = content
            if name:
                run.font._element.set(name, value)

    return slides(fill)


@case(
    "groups.pptx",
    "a group, a table with an empty cell, notes, a hidden slide",
    ["Inner box", "/South\\s*\\t\\s*\\t7/", "Margin 31 percent", "/hidden/i"],
    said="hidden",
)
def groups():
    from pptx.util import Inches

    def first(slide, _):
        group = slide.shapes.add_group_shape().shapes.add_group_shape()
        group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "Inner box"
        table = slide.shapes.add_table(1, 3, Inches(1), Inches(3), Inches(4), Inches(1)).table
        for column, text in enumerate(("South", "", "7")):
            table.cell(0, column).text = text
        slide.notes_slide.notes_text_frame.text = "Margin 31 percent"

    def second(slide, _):
        put(slide, "Not shown")
        slide._element.set("show", "0")

    return slides(first, second)


@case("smartart.pptx", "SmartArt", ["Process", "Ask three suppliers", "Board signs"], said="diagram")
def smartart():
    from pptx.opc.package import Part
    from pptx.opc.packuri import PackURI
    from pptx.oxml import parse_xml

    def fill(slide, made):
        put(slide, "Process")
        points = "".join(
            f'<dgm:pt modelId="{at}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
            for at, text in enumerate(("Ask three suppliers", "Board signs"), 1)
        )
        xml = add_namespaces(f"<dgm:dataModel><dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst/></dgm:dataModel>")
        types = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"
        part = Part(PackURI("/ppt/diagrams/data1.xml"), types, made.part.package, xml.encode())
        used = slide.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData")
        frame = (
            '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="D"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
            '<p:xfrm><a:off x="0" y="2000000"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData '
            'uri="http://schemas.openxmlformats.org/drawingml/2006/diagram">'
            f'<dgm:relIds r:dm="{used}" r:lo="{used}" r:qs="{used}" r:cs="{used}"/></a:graphicData></a:graphic></p:graphicFrame>'
        )
        slide.shapes._spTree.append(parse_xml(add_namespaces(frame)))

    return slides(fill)


@case("lists.pptx", "bullets and numbers of a text", ["/1\\.? First duty[^]*2\\.? Second duty/", "part one"])
def lists():
    from pptx.oxml import parse_xml

    def fill(slide, _):
        frame = put(slide, "First duty").text_frame
        frame.add_paragraph().text = "Second duty"
        below = frame.add_paragraph()
        below.text, below.level = "part one", 1
        for paragraph in frame.paragraphs[:2]:
            paragraph._p.get_or_add_pPr().append(parse_xml(add_namespaces('<a:buAutoNum type="arabicPeriod"/>')))

    return slides(fill)
