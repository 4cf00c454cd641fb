"""Services under plans, for the suite `run`: those of examples/safe/services, with real clients on the loopback. What the world may
answer is declared; each serves under its plan, is stopped and started again; without a plan, delayed at random, its bug happens; an
answer that was not declared is told by name; and a recording of what the world has answered is a declaration.

RUN=all in the environment: 100,000 requests each."""

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

import cases
from under import ALL, expect, run

REQUESTS = 100_000 if ALL else 4_000
CLIENTS, PER_CONNECTION = 2, {"handover": 1}  # elsewhere 100
SECONDS = 300
DIRECTORY = os.path.abspath(os.path.join("examples", "safe", "services"))
# request, replies
SERVICES = {"echo_server": (b"hello\n", {b"hello\n"}), "handover": (b"hello\n", {b"hello\n"}), "cache": (b"get\n", {b"v\n"}), "log_writer": (b"line\n", {b"ok\n", b"full\n"})}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Service:
    """A source and its environment, copied, with a port that is free."""

    def __init__(self, under, name):
        self.under, self.name, self.port = under, name, free_port()
        self.request, self.replies = SERVICES[name]
        for suffix in (".c", ".env"):
            with open(os.path.join(DIRECTORY, name + suffix), encoding="utf-8") as file:
                under.write(name + suffix, file.read())
        self.options = (f"-DPORT={self.port}", "-DLIFE=4")
        self.process = None

    def plan(self, environment=None, *options):
        code, out, err = run(self.under.mazurka, "plan", "--trace=none", f"{self.name}.c", *self.options, *options,
                             f"--environment={environment or self.name + '.env'}", "--timeout=120s", "-o", f"{self.name}.mzs",
                             cwd=self.under.directory, seconds=SECONDS)
        expect(code == 0, out, err)
        return out

    def start(self, *options):
        self.process = subprocess.Popen([self.under.mazurka, "run", *options, f"{self.name}.c", *self.options], cwd=self.under.directory,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.wait_until_it_listens()

    def wait_until_it_listens(self):
        deadline = time.time() + SECONDS
        while time.time() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS).close()
                return
            except OSError:
                time.sleep(0.02)
        expect(False, f"{self.name} does not listen", *self.end())

    def end(self):
        """Exit code and messages."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            _, err = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"{self.name} does not end") from None
        return self.process.returncode, err.decode()

    def ask(self, requests):
        """Several clients at once; what was wrong."""
        problems = []

        def client(left):
            try:
                while left > 0 and not problems:
                    with socket.create_connection(("127.0.0.1", self.port), timeout=60) as s:
                        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        for _ in range(min(left, PER_CONNECTION.get(self.name, 100))):
                            s.sendall(self.request)
                            reply = s.recv(64)
                            if reply not in self.replies:
                                problems.append(f"{self.request} is answered by {reply}")
                                return
                            left -= 1
            except OSError as error:
                problems.append(str(error))

        threads = [threading.Thread(target=client, args=(requests // CLIENTS,)) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return problems


def serves(service):
    """Under the plan, twice: it is stopped in between."""
    for options in (("--jitter=1",), ()):
        service.start(f"--plan={service.name}.mzs", *options)
        problems = service.ask(REQUESTS if not options else REQUESTS // 2)
        code, err = service.end()
        expect(not problems and code in (-signal.SIGTERM, 128 + signal.SIGTERM) and not err, service.name, problems, code, err)


def fails_freely(service):
    """With all of its threads delayed at random, and without: who hurries falls into some traps, who dawdles into others."""
    for seed in range(1, 21):
        service.start("--plan=none", *([f"--jitter={seed}"] if seed % 2 else []))
        problems = service.ask(5_000)
        code, err = service.end()
        if "assertion failed" in err:
            expect(problems and code in (-signal.SIGABRT, 128 + signal.SIGABRT), problems, code, err)
            return
    expect(False, f"{service.name} does not fail without a plan")


def service_of(name):
    def test(under):
        service = Service(under, name)
        out = service.plan()
        expect(re.search(r"[12] constraints? for each iteration", out) and "a bug was found, which the plan excludes" in out, out)
        serves(service)
        fails_freely(service)

    test.__name__ = name
    test.__doc__ = f"{name}.c: its bug happens without the plan, and not under it."
    return test


def undeclared(under):
    """An answer that nobody has declared is told by the call and by what came; the recorded ones are a declaration."""
    service = Service(under, "echo_server")
    service.plan()
    service.start("--plan=echo_server.mzs")
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as s:
        s.sendall(b"o\"ther\n")
        expect(s.recv(64) == b"", "an answer")
    service.process.wait(timeout=SECONDS)
    code, err = service.end()
    expect(code == 70 and 'recv() brought 7 bytes, "o\\"ther\\n", which is none of the 3 answers' in err, code, err)
    service.start("--plan=none", "--record=served.rec")
    service.ask(40)
    service.end()
    with open(under.path("served.rec"), encoding="utf-8") as file:
        told = {line for line in file.read().splitlines() if line.startswith("world ")}
    expect({'world recv "hello\\n"', 'world recv ""', "world accept ok"} <= told, told)
    service.plan("served.rec")
    service.start("--plan=echo_server.mzs")
    expect(not service.ask(400), "a request")
    expect("" == service.end()[1], "a message")


def only_child(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
        children = file.read().split()
    return int(children[0]) if children else None


def deployed(under):
    """examples/safe/deploy: with its plan in it, the server serves in a container, which `mazurka attach` sees from outside; when it leaves
    verified ground it goes on, and that is seen, too. The unit for systemd is well-formed."""
    service, folder = Service(under, "echo_server"), os.path.abspath(os.path.join("examples", "safe", "deploy"))
    compiled = [under.mazurka, "cc", "-O2", service.options[0], "-o", "echo_server", "echo_server.c"]
    planned = [under.mazurka, "plan", "--trace=none", "./echo_server", "--environment=echo_server.env", "-o", "echo.mzs"]
    for command in (compiled, planned, [*compiled, "--plan=echo.mzs", "--on-divergence=serialise"]):
        code, out, err = run(*command, cwd=under.directory, seconds=SECONDS)
        expect(code == 0, command, out, err)
    if shutil.which("systemd-analyze"):
        with open(os.path.join(folder, "echo_server.service"), encoding="utf-8") as file:
            unit = under.write("echo_server.service", file.read().replace("/usr/local/bin/", under.directory + "/"))
        code, out, err = run("systemd-analyze", "verify", unit)
        expect(code == 0, out, err)
    if subprocess.run(["unshare", "--map-root-user", "--pid", "--fork", "true"], capture_output=True, check=False).returncode != 0:
        return cases.cannot("no containers can be made here")
    service.process = subprocess.Popen([os.path.join(folder, "in_container"), under.path("echo_server")], stderr=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL)
    service.wait_until_it_listens()
    program = only_child(only_child(service.process.pid))
    expect(not service.ask(400), "a request")
    code, out, err = run(under.mazurka, "attach", str(program))
    expect(code == 0 and "keeps to its plan" in out, out, err)
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as s:
        s.sendall(b"other\n")
        expect(s.recv(64) == b"other\n", "no answer")
    code, out, err = run(under.mazurka, "attach", str(program))
    expect(code == 3 and 'recv() brought 6 bytes, "other\\n"' in out, code, out, err)
    expect(not service.ask(400), "a request")
    _, err = service.end()
    expect("from now on one thread runs at a time" in err, err)


TESTS = [*(service_of(name) for name in SERVICES), undeclared, deployed]
