"""Documents for the judge of files, each with what must and what must not reach a model."""

import os
import re

CASES = []


class Missing(Exception):
    """Something that a document needs is not on this computer."""


def case(name, what, must=(), must_not=(), said=None, refusal=None, type=""):
    """
    Registers a document. Facts are texts, or regular expressions between slashes.
    :param what: what it tries
    :param said: what a note has to match if a fact is missing; any note that is not "read in full" without it
    :param refusal: of a format that is not read: what the refusal has to match
    :param type: the media type that a browser sends
    """

    def register(make):
        CASES.append(
            dict(
                file=name,
                what=what,
                type=type,
                must=list(must),
                mustNot=list(must_not),
                said=said,
                refusal=refusal,
                make=make,
            )
        )
        return make

    return register


def find_font():
    """A font with Latin, Arabic and Hebrew letters."""
    for folder in ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:\\Windows\\Fonts"):
        for at, _, names in os.walk(folder):
            for name in names:
                if name in ("DejaVuSans.ttf", "Arial Unicode.ttf", "arial.ttf"):
                    return os.path.join(at, name)
    raise Missing("the font DejaVu Sans")


def add_namespaces(xml):
    """Declares the usual prefixes of Office's XML in its first element."""
    office = "http://schemas.openxmlformats.org"
    known = {
        "w": f"{office}/wordprocessingml/2006/main",
        "r": f"{office}/officeDocument/2006/relationships",
        "m": f"{office}/officeDocument/2006/math",
        "a": f"{office}/drawingml/2006/main",
        "p": f"{office}/presentationml/2006/main",
        "dgm": f"{office}/drawingml/2006/diagram",
        "mc": f"{office}/markup-compatibility/2006",
        "wp": f"{office}/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
    }
    declarations = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in known.items())
    return re.sub(r"^<([\w:]+)", lambda found: f"<{found[1]}{declarations}", xml, count=1)
