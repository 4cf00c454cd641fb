#!/usr/bin/env python3
"""Writes a C file that holds other files, so that an installed mazurka finds the models and published numbers of
'mazurka bench' in itself.

    tools/embed.py OUTPUT.c FILE …

A file is found by its base name (src/cmd/embedded.h)."""

import os
import sys


def literal(line):
    """A C string literal for one line, whatever its bytes are."""
    plain = "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in line)
    return f'    "{plain}"'


def main():
    output, paths = sys.argv[1], sys.argv[2:]
    with open(output, "w", encoding="ascii") as out:
        out.write('/* Made by tools/embed.py. */\n#include "cmd/embedded.h"\n\n')
        out.write("const mz_embedded mz_embedded_files[] = {\n")
        for path in paths:
            with open(path, "rb") as file:
                lines = file.read().splitlines(keepends=True)
            text = "\n".join(literal(line) for line in lines) or '    ""'
            name = os.path.basename(path)
            out.write(f'    {{"{name}",\n{text}, {sum(map(len, lines))}}},\n')
        out.write("};\n")
        out.write("const size_t mz_embedded_count = sizeof mz_embedded_files / sizeof *mz_embedded_files;\n")


if __name__ == "__main__":
    main()
