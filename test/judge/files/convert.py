"""Lets markitdown convert the documents of a folder: convert.py <folder> writes converted.json, the text of each, or its error."""

import json
import os
import sys

from markitdown import MarkItDown

folder = sys.argv[1]
with open(os.path.join(folder, "files.json"), encoding="utf-8") as file:
    names = [one["file"] for one in json.load(file) if "missing" not in one]
converter = MarkItDown()
converted = {}
for name in names:
    try:
        converted[name] = {"text": converter.convert(os.path.join(folder, name)).text_content}
    except Exception as error:  # whatever it is, it is the answer
        converted[name] = {"error": f"{type(error).__name__}: {error}"[:300]}
with open(os.path.join(folder, "converted.json"), "w", encoding="utf-8") as file:
    json.dump(converted, file)
