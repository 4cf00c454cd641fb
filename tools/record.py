#!/usr/bin/env python3
"""Records a terminal session as a picture: tools/record.py BUILD > doc/pictures/session.svg

The commands are run on a terminal of 80 columns, and what they print is drawn with its colours. Lines appear one after the other, as
they do for who watches; where motion is not wanted, all are there from the beginning."""

import html
import os
import pty
import re
import subprocess
import sys

COMMANDS = ["mazurka check examples/bank.c --check=assertions", "mazurka check examples/bank.c -DFIXED"]
COLUMNS = 80
WIDTH, HEIGHT, MARGIN = 8.4, 19, 18  # of a character; around all
TYPING, READING = 0.04, 0.09  # seconds: for a character that is typed, a line that is printed
COLOURS = {"31": "#ff7b70", "32": "#62c995", "33": "#e0b45a", "1": "#ffffff", "2": "#8f96a5"}


def output_of(command, build):
    """As on a terminal of 80 columns."""
    main, other = pty.openpty()
    environment = {**os.environ, "PATH": os.path.abspath(build) + os.pathsep + os.environ["PATH"], "TERM": "xterm-256color",
                   "COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(["sh", "-c", f"stty cols {COLUMNS} rows 50; {command} --trace=none 2>/dev/null"], stdin=other, stdout=other,
                               env=environment)
    os.close(other)
    parts = []
    try:
        while part := os.read(main, 4096):
            parts.append(part)
    except OSError:  # the other side is closed
        pass
    process.wait()
    os.close(main)
    return b"".join(parts).decode("utf-8").replace("\r", "").rstrip("\n").split("\n")


def spans(line):
    """[(colour or None, is it bold, text)]"""
    colour, bold, found = None, False, []
    for part in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            for number in (code[1] or "0").split(";"):
                if number in ("", "0", "39", "22"):
                    colour, bold = None, False
                elif number == "1":
                    bold = True
                else:
                    colour = COLOURS.get(number, colour)
        elif part and not part.startswith("\x1b"):
            found.append((colour, bold, part))
    return found


def session(build):
    """[(is it typed, line)]"""
    lines = []
    for command in COMMANDS:
        lines.append((True, f"$ {command}"))
        lines += [(False, line) for line in output_of(command, build)] + [(False, "")]
    return lines[:-1]


def text_of(lines):
    return ["".join(text for _, _, text in spans(line)) for _, line in lines]


def draw(lines):
    width, height = 2 * MARGIN + COLUMNS * WIDTH, 2 * MARGIN + 26 + len(lines) * HEIGHT
    total = sum(len(line) * TYPING + 0.6 if typed else READING for typed, line in lines) + 4
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" '
           'role="img" aria-label="a terminal session: a failing program, and the repaired one">',
           "<style>text{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#d6d9e0;white-space:pre}"
           ".l{animation:a 0s linear both}@keyframes a{from{opacity:0}to{opacity:1}}"
           "@media (prefers-reduced-motion:reduce){.l{animation:none}}</style>",
           f'<rect width="100%" height="100%" rx="10" fill="#15171c"/>']
    out += [f'<circle cx="{MARGIN + 8 + 20 * i}" cy="20" r="6" fill="{colour}"/>' for i, colour in
            enumerate(("#ff5f57", "#febc2e", "#28c840"))]
    now = 0.3
    for number, (typed, line) in enumerate(lines):
        now += len(line) * TYPING + 0.6 if typed else READING
        y = MARGIN + 26 + number * HEIGHT + 14
        column, pieces = 0, []
        for colour, bold, text in [("#8aa6ff", False, line)] if typed else spans(line):
            style = (f' fill="{colour}"' if colour else "") + (' font-weight="700"' if bold else "")
            pieces.append(f'<tspan x="{MARGIN + column * WIDTH:.1f}" textLength="{len(text) * WIDTH:.1f}"{style}>{html.escape(text)}</tspan>')
            column += len(text)
        if pieces:
            out.append(f'<text class="l" y="{y}" style="animation-delay:{now:.2f}s">{"".join(pieces)}</text>')
    assert now < total
    return "\n".join(out + ["</svg>"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(draw(session(sys.argv[1])))
