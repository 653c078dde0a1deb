"""
The words of documents in the test suites of others: suites.py <folder> has pip download the suites' sources, puts their documents into the
folder and writes words.json, the words that pdfplumber, or the XML of a Word file, has for each.
"""

import glob
import html
import json
import logging
import os
import re
import subprocess
import sys
import tarfile
import zipfile

import pdfplumber

suites = ["pypdf==7.1.1", "pikepdf==10.18.0", "python-docx==1.2.0"]
max_bytes = 3_000_000
folder = sys.argv[1]
logging.disable(logging.ERROR)

download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder]
for suite in suites:
    subprocess.run([*download, suite], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_pdf(path):
    with pdfplumber.open(path) as pdf:
        pages = [page.dedupe_chars().extract_words(x_tolerance=2) for page in pdf.pages[:20]]
        return [word["text"] for page in pages for word in page]


def read_word(path):
    with zipfile.ZipFile(path) as package:
        xml = package.read("word/document.xml").decode("utf-8")
    xml = re.sub(r"<w:(?:tab|br|cr)\b[^>]*>|</w:p>", " ", xml)
    return html.unescape(re.sub(r"<[^>]*>", "", "".join(re.findall(r"<w:t(?: [^>]*)?>[^<]*| ", xml)))).split()


words = {}
for archive in sorted(glob.glob(os.path.join(folder, "*.tar.gz"))):
    suite = os.path.basename(archive).split("-")[0]
    with tarfile.open(archive) as source:
        for member in source.getmembers():
            _, kind = os.path.splitext(member.name.lower())
            if not member.isfile() or kind not in (".pdf", ".docx") or member.size > max_bytes:
                continue
            name = f"{suite}-{os.path.basename(member.name)}"
            with open(os.path.join(folder, name), "wb") as file:
                file.write(source.extractfile(member).read())
            try:
                words[name] = (read_pdf if kind == ".pdf" else read_word)(os.path.join(folder, name))
            except Exception:  # the other reader gives up
                words[name] = None
with open(os.path.join(folder, "words.json"), "w", encoding="utf-8") as file:
    json.dump(words, file)
