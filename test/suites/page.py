"""The page of a report (`mazurka check --html`, `mazurka report`), opened in Debian's Chromium and used by keys and clicks
(test/page/drive.js, with puppeteer-core from npm). Left out, and said so, where these cannot be had. Pictures stay in BUILD/page/."""

import functools
import os
import re
import shutil
import subprocess

import cases

DRIVER = "puppeteer-core@24"


def execute(build, *words, code):
    command = [os.path.join(build, "mazurka"), *words]
    result = subprocess.run(command, capture_output=True, timeout=cases.HANG, check=False)
    assert result.returncode == code, (command, result)


def driver(build):
    """The directory with node_modules, or None."""
    directory = os.path.join(os.path.abspath(build), "page")
    os.makedirs(directory, exist_ok=True)
    if os.path.isdir(os.path.join(directory, "node_modules", "puppeteer-core")):
        return directory
    try:
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", directory, DRIVER], capture_output=True,
                       timeout=300, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return directory


def in_browser(build):
    chromium = shutil.which("chromium")
    directory = driver(build) if chromium else None
    if not directory:
        print(f"page: not opened in a browser: {'npm cannot fetch ' + DRIVER if chromium else 'chromium is not installed'}")
        return cases.SKIPPED
    small, large = os.path.join(directory, "bank.html"), os.path.join(directory, "many.html")
    execute(build, "check", "examples/bank.c", "--check=assertions", "--trace=none", f"--html={small}", code=1)
    execute(build, "check", "test/page/many.c", "--trace=none", "-a", "random", f"--html={large}", code=1)
    deep = os.path.join(directory, "a_directory_whose_name_is_long", "and_another_one_in_it_whose_name_is_longer")
    os.makedirs(deep, exist_ok=True)
    program, page = shutil.copy("test/story/aba.c", deep), os.path.join(deep, "aba.html")
    execute(build, "check", program, f"--trace={deep}/counterexample.mzt", f"--html={page}", code=1)
    shutil.copy("test/page/drive.js", directory)
    result = subprocess.run(["node", "drive.js", chromium, small, large, page, directory], cwd=directory, capture_output=True, text=True,
                            timeout=240, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return None


def alone(build):
    """One file that refers to nothing else; whatever is in names and sources, its data stays data."""
    directory = os.path.join(os.path.abspath(build), "page")
    os.makedirs(directory, exist_ok=True)
    model, page = os.path.join(directory, "a<b>.dlang"), os.path.join(directory, "odd.html")
    with open(model, "w", encoding="utf-8") as file:
        file.write("// </script><script>alert(1)</script>\n<1, x 1>\n[ assert x == 1 ]\n")
    execute(build, "check", model, "--trace=none", f"--html={page}", code=1)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    assert text.count("</script>") == 2 and "alert(1)" in text, text[:300]
    assert not re.search(r"(src|href)=", text) and "@import" not in text and "url(http" not in text


def of_counterexample(build):
    directory = os.path.join(os.path.abspath(build), "page")
    os.makedirs(directory, exist_ok=True)
    trace, page = os.path.join(directory, "bank.mzt"), os.path.join(directory, "report.html")
    execute(build, "check", "examples/bank.c", "--check=assertions", f"--trace={trace}", code=1)
    execute(build, "report", trace, "-o", page, code=1)
    with open(page, encoding="utf-8") as file:
        assert "assertion failed: balance == 150" in file.read()
    os.remove(page)
    execute(build, "report", "bench/models/ring.dlang", "-DN=3", "-o", page, code=0)
    with open(page, encoding="utf-8") as file:
        assert '"verdict":"safe"' in file.read()


def tests(build):
    for case in (alone, of_counterexample):
        yield case.__name__, functools.partial(case, build)
    yield in_browser.__name__, cases.timed(functools.partial(in_browser, build))
