"""Writes the documents and their expectations: make_files.py <folder>. What cannot be made here is named."""

import importlib
import json
import os
import sys

from cases import CASES, Missing

for module in ("word", "sheets", "slides", "open_documents", "pdfs", "mails", "texts"):
    importlib.import_module(module)

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
listed = []
for one in CASES:
    make = one.pop("make")
    try:
        content = make()
        with open(os.path.join(folder, one["file"]), "wb") as file:
            file.write(content)
    except ImportError as error:
        one["missing"] = f"the Python package {error.name}"
    except Missing as error:
        one["missing"] = str(error)
    listed.append(one)
with open(os.path.join(folder, "files.json"), "w", encoding="utf-8") as file:
    json.dump(listed, file)
