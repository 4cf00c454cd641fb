"""The include graph obeys the layers of doc/ARCHITECTURE.md: an arrow may only point to an allowed folder."""

import os
import re

MAY_USE = {
    "wire": [],
    "base": [],
    "core": ["wire", "base"],
    "explore": ["core", "base"],
    "algo": ["explore", "core", "base"],
    "model": ["core", "base"],
    "native": ["core", "wire", "base"],
    "enforce": ["core", "wire", "base"],
    "report": ["core", "base"],
    "cmd": ["wire", "base", "core", "explore", "algo", "model", "native", "enforce", "report"],
}


def wrong_arrows(root):
    for folder, _, names in sorted(os.walk(root)):
        layer = os.path.relpath(folder, root).split(os.sep)[0]
        for name in sorted(names):
            if not name.endswith((".c", ".h")):
                continue
            path = os.path.join(folder, name)
            if layer not in MAY_USE:
                yield f"{path}: folder '{layer}' is no layer"
                continue
            with open(path, encoding="utf-8") as source:
                for number, line in enumerate(source, 1):
                    match = re.match(r'\s*#\s*include\s+"([^"/]+)/', line)
                    if match and match[1] != layer and match[1] not in MAY_USE[layer]:
                        yield f"{path}:{number}: {layer} must not use {match[1]}"


def tests(build):
    problems = list(wrong_arrows("src"))
    yield "include graph", "\n".join(problems) or None
