"""The documents are complete: every C file stands in a table that says what it is for; every page of doc/ is named by another one; the
first lines of README.md name commands that are there."""

import glob
import os
import re

import layers

PAGES = ("doc/ARCHITECTURE.md", "doc/files.md")


def files_in_no_table():
    rows = [line for page in PAGES for line in layers.text_of(page).splitlines() if line.startswith("|")]
    told = set(re.findall(r"\w+\.c\b", "\n".join(rows)))
    if len(told) < 100:
        yield f"only {len(told)} files stand in the tables: nothing was checked"
    for _, path in layers.sources():
        if path.endswith(".c") and os.path.basename(path) not in told:
            yield f"{path}: is in no table of doc/files.md: a row, or a place in one, says what it is for"


def pages_without_a_way():
    pages = glob.glob("doc/*.md")
    if len(pages) < 10:
        yield f"only {len(pages)} pages were found in doc/"
    texts = {page: layers.text_of(page) for page in [*pages, "README.md", "CONTRIBUTING.md"]}
    for page in sorted(pages):
        if not any(os.path.basename(page) in text for other, text in texts.items() if other != page):
            yield f"{page}: no other page leads to it"


def commands_that_are_not_there():
    """`build/mazurka WORD` in README.md."""
    commands = set(re.findall(r'X\((\w+)', layers.text_of("src/cmd/command.h")))
    named = set(re.findall(r"^build/mazurka (\w+)", layers.text_of("README.md"), re.M))
    if len(named) < 5 or len(commands) < 5:
        yield f"only {len(named)} commands of {len(commands)} were found: nothing was checked"
    yield from (f"README.md: there is no command {word}" for word in sorted(named - commands))


def tests(_build):
    yield "files in a table", "\n".join(files_in_no_table()) or None
    yield "pages of doc/", "\n".join(pages_without_a_way()) or None
    yield "commands of README.md", "\n".join(commands_that_are_not_there()) or None
