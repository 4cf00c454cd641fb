#!/usr/bin/env python3
"""Writes a C file that holds other files, so that an installed mazurka finds in itself the models and published numbers
of 'mazurka bench', and the parts of a C++ library that programs need.

    tools/embed.py HEADER TYPE OUTPUT.c FILE …

HEADER declares the type, an array TYPE_files and the number TYPE_count. A file is found by its base name."""

import os
import sys


def literal(line):
    """A C string literal for one line, whatever its bytes are."""
    plain = "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in line)
    return f'    "{plain}"'


def main():
    header, kind, output, paths = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    with open(output, "w", encoding="ascii") as out:
        out.write(f'/* Made by tools/embed.py. */\n#include "{header}"\n\n')
        out.write(f"const {kind} {kind}_files[] = {{\n")
        for path in paths:
            with open(path, "rb") as file:
                lines = file.read().splitlines(keepends=True)
            text = "\n".join(literal(line) for line in lines) or '    ""'
            name = os.path.basename(path)
            out.write(f'    {{"{name}",\n{text}, {sum(map(len, lines))}}},\n')
        out.write("};\n")
        out.write(f"const size_t {kind}_count = sizeof {kind}_files / sizeof *{kind}_files;\n")


if __name__ == "__main__":
    main()
