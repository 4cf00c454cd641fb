#!/usr/bin/env python3
"""Measures the tables of doc/reproduction.md again: each block that begins with '$ mazurka bench …'.

    bench/document.py [--mazurka build/mazurka] [doc/reproduction.md]"""

import argparse
import re
import shlex
import subprocess


def measured(mazurka, command):
    words = shlex.split(command)
    print(command, flush=True)
    result = subprocess.run([mazurka, *words[1:]], stdout=subprocess.PIPE, text=True, check=True)
    return f"```\n$ {command}\n{result.stdout.rstrip()}\n```\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", default="build/mazurka")
    parser.add_argument("document", nargs="?", default="doc/reproduction.md")
    arguments = parser.parse_args()
    with open(arguments.document, encoding="utf-8") as document:
        text = document.read()
    text = re.sub(r"^```\n\$ (mazurka bench [^\n]*)\n.*?^```\n",
                  lambda block: measured(arguments.mazurka, block[1]), text, flags=re.M | re.S)
    with open(arguments.document, "w", encoding="utf-8") as document:
        document.write(text)


if __name__ == "__main__":
    main()
