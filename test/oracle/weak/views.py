"""A referee for small C programs (views_programs.py) that executes them operation by operation on a memory of timestamps: it
knows nothing of reverse search, of the axioms of the oracle, of revisits or of promises.

A thread's next operation happens at any time; a load may read whatever its thread does not know to be overwritten, a store
may come anywhere behind what its thread knows (views: Kang, Hur, Lahav, Vafeiadis, Dreyer, POPL 2017, without promises,
which RC11 does not have). What sequentially consistent operations order beyond that is judged of whole executions.

What can be compared: the outcomes at the end, which assertions fail, whether there is a data race, whether threads can wait
for ever; and, without loops and condition variables, how many executions there are."""
from views_programs import ACQ, AR, REL, RLX, SC, flat

ACQUIRES, RELEASES = (ACQ, AR, SC), (REL, AR, SC)


class TooLarge(Exception):
    pass


def joined(a, b):
    return tuple(map(max, a, b))


class State:
    """Of events: (thread, index). Clocks count the events of each thread that happen before."""
    __slots__ = ("pc", "regs", "status", "cur", "seen", "fenced", "events", "mo", "objects", "held", "waiting", "count", "ovc", "history", "family")

    def copy(self):
        s = State()
        s.pc, s.regs, s.status, s.cur = list(self.pc), [list(r) for r in self.regs], list(self.status), list(self.cur)
        s.seen, s.fenced = list(self.seen), list(self.fenced)
        s.events = dict(self.events)
        s.mo = {x: list(w) for x, w in self.mo.items()}
        s.objects = {x: list(w) for x, w in self.objects.items()}
        s.held, s.waiting, s.count, s.ovc = dict(self.held), list(self.waiting), dict(self.count), dict(self.ovc)
        s.history = [list(h) for h in self.history]
        s.family = list(self.family)
        return s

    def key(self):
        return (tuple(self.pc), tuple(map(tuple, self.regs)), tuple(self.status), tuple(tuple(w) for w in self.mo.values()),
                tuple(tuple(w) for w in self.objects.values()), tuple(map(tuple, self.history)), tuple(self.waiting))


class Event:
    __slots__ = ("kind", "loc", "order", "frm", "value", "update", "clock", "published", "plain", "family")

    def __init__(self, kind, loc, order, clock, frm=None, value=0, update=False, published=None, plain=False):
        self.kind, self.loc, self.order, self.clock, self.frm = kind, loc, order, clock, frm
        self.value, self.update, self.published, self.plain = value, update, published, plain


class Referee:
    def __init__(self, p, most):
        self.p, self.n = p, len(p.bodies)
        self.code = [flat(b) for b in p.bodies]
        self.most = most
        self.outcomes, self.asserts, self.race, self.stuck = {}, set(), False, False
        self.final = set()
        self.run()

    def first(self):
        s, n = State(), self.n
        zero = (0,) * n
        s.pc, s.regs = [0] * n, [[0] * (self.p.registers + 1) for _ in range(n)]
        s.status = ["run" if self.p.parents[t] < 0 else "new" for t in range(n)]
        s.cur, s.seen, s.fenced, s.family = [zero] * n, [zero] * n, [zero] * n, [zero] * n
        s.events = {}
        s.mo = {x: [None] for x in "xyzpq"}
        s.objects = {o: [] for o in "mncs"}
        s.held, s.waiting, s.count, s.ovc = {"m": None, "n": None}, [], {"s": 0}, {o: zero for o in "mncs"}
        s.history = [[] for _ in range(n)]
        return s

    def run(self):
        first = self.first()
        known, todo = {first.key()}, [first]
        while todo:
            s = todo.pop()
            for t in self.successors(s):
                k = t.key()
                if k not in known:
                    known.add(k)
                    todo.append(t)
                    if len(known) > self.most:
                        raise TooLarge
        self.states = len(known)

    def differences(self, writer, report):
        """Between what is so and what the checker says (--all-errors, as JSON)."""
        errors = report["errors"]
        kinds, lines = {e["kind"] for e in errors}, {e["line"] for e in errors if e["kind"] == "assertion"}
        if ("data-race" in kinds) != self.race:
            return [f"a race: {self.race}"]
        if self.race:
            return []
        wrong = []
        if bool(kinds & {"deadlock", "livelock"}) != self.stuck:
            wrong.append(f"waits for ever: {self.stuck}")
        if writer.other in lines:
            wrong.append("an outcome that is not possible")
        missed = set(self.outcomes) - {writer.lines[line] for line in lines if line in writer.lines}
        if missed:
            wrong.append(f"missed outcomes: {missed}")
        failing = {writer.asserts[line] for line in lines if line in writer.asserts}
        if failing != self.asserts:
            wrong.append(f"assertions that fail: {self.asserts}, not {failing}")
        if kinds - {"assertion", "deadlock", "livelock"}:
            wrong.append(f"errors: {kinds}")
        if not self.p.loops and not self.stuck and not self.asserts and report["traces"] != len(self.final):
            wrong.append(f"{len(self.final)} executions")
        return wrong

    # what can happen next

    def successors(self, s):
        moves, settled = [], True
        for t in range(self.n):
            self.local(s, t)
        for t in range(self.n):
            if s.status[t] != "run":
                continue
            i = self.code[t][s.pc[t]] if s.pc[t] < len(self.code[t]) else ("end",)
            if i[0] in ("pload", "pstore", "fence", "choose", "create", "unlock", "end", "assert"):
                return self.step(s, t, i)  # nobody else minds when
        for t in range(self.n):
            if s.status[t] == "relock":
                m = self.code[t][s.pc[t]][2]
                if s.held[m] is None:
                    settled = False
                    moves.append((t, ("relock", m)))
            if s.status[t] != "run":
                continue
            i = self.code[t][s.pc[t]]
            if i[0] == "lock" and s.held[i[1]] is not None:
                continue
            if i[0] == "join" and s.status[i[1]] != "done":
                continue
            if i[0] == "semwait" and s.count[i[1]] == 0:
                continue
            if i[0] == "await" and self.value(s, s.mo[i[1]][-1]) != i[2]:
                moves.append((t, i))  # it may still read what was there before
                continue
            settled = False
            moves.append((t, i))
        if settled:
            self.finish(s)
        return [r for t, i in moves for r in self.step(s, t, i)]

    def local(self, s, t):
        while s.status[t] == "run" and s.pc[t] < len(self.code[t]) and self.code[t][s.pc[t]][0] in ("jmp", "jne"):
            i = self.code[t][s.pc[t]]
            s.pc[t] = i[1] if i[0] == "jmp" else i[3] if s.regs[t][i[1]] != i[2] else s.pc[t] + 1

    def finish(self, s):
        if not self.is_sc_consistent(s):
            return
        if "failed" in s.status:
            return
        if any(k != "done" for k in s.status):
            self.stuck = True
            return
        p = self.p
        o = tuple(s.regs[e[1]][e[2]] if e[0] == "r" else self.value(s, s.mo[e[1]][-1]) for e in p.seen)
        self.outcomes[o] = self.outcomes.get(o, 0) + 1
        self.final.add(s.key())

    @staticmethod
    def value(s, w):
        return 0 if w is None else s.events[w].value

    # one operation

    def step(self, s, t, i):
        k = i[0]
        return list(getattr(self, "do_" + k)(s, t, i))

    def went(self, s, t):
        s.pc[t] += 1
        return s

    def operand(self, s, t, v):
        return s.regs[t][v[0]] + v[1] if isinstance(v, tuple) else v

    def knows(self, s, t, e):
        return e is None or s.cur[t][e[0]] > e[1]

    def bound(self, s, t, x):
        """The place in mo of the newest write that the thread knows, or knows to have been read."""
        mo, low = s.mo[x], 0
        place = {w: i for i, w in enumerate(mo)}
        for e, event in s.events.items():
            if event.loc == x and self.knows(s, t, e):
                low = max(low, place[e] if event.kind == "W" else place[event.frm])
        return low

    def races(self, s, t, x, writes, plain):
        for e, event in s.events.items():
            if event.loc == x and (writes or event.kind == "W") and (plain or event.plain) and not self.knows(s, t, e):
                if self.is_sc_consistent(s):
                    self.race = True
                return True
        return False

    def add(self, s, t, event):
        e = (t, s.cur[t][t])
        c = list(s.cur[t])
        c[t] += 1
        s.cur[t] = event.clock = tuple(c)
        f = list(s.family[t])
        f[t] = c[t]
        s.family[t] = event.family = tuple(f)
        s.events[e] = event
        return e

    def read(self, s, t, x, w, order, update=False, plain=False):
        published = s.events[w].published if w is not None else None
        if published and not plain:
            if order in ACQUIRES:
                s.cur[t] = joined(s.cur[t], published)
            s.seen[t] = joined(s.seen[t], published)
        self.add(s, t, Event("R", x, order, None, w, update=update, plain=plain))
        s.history[t].append(w)

    def write(self, s, t, x, at, value, order, frm="no", plain=False):
        e = self.add(s, t, Event("W", x, order, None, value=value, update=frm != "no", plain=plain))
        published = s.cur[t] if order in RELEASES else s.fenced[t]
        if plain:
            published = (0,) * self.n
        if frm not in ("no", None) and s.events[frm].published:
            published = joined(published, s.events[frm].published)
        s.events[e].published = published
        s.mo[x].insert(at, e)

    def splits(self, s, x, at):
        mo = s.mo[x]
        return at < len(mo) and s.events[mo[at]].update

    def do_load(self, s, t, i):
        _, r, x, order = i
        if self.races(s, t, x, False, False):
            return
        for at in range(self.bound(s, t, x), len(s.mo[x])):
            n = s.copy()
            w = n.mo[x][at]
            n.regs[t][r] = self.value(n, w)
            self.read(n, t, x, w, order)
            yield self.went(n, t)

    def do_await(self, s, t, i):
        _, x, v, order = i
        if self.races(s, t, x, False, False):
            return
        for at in range(self.bound(s, t, x), len(s.mo[x])):
            n = s.copy()
            w = n.mo[x][at]
            if self.value(n, w) == v:
                self.read(n, t, x, w, order)
                yield self.went(n, t)

    def do_store(self, s, t, i):
        _, x, v, order = i
        if self.races(s, t, x, True, False):
            return
        for at in range(self.bound(s, t, x) + 1, len(s.mo[x]) + 1):
            if not self.splits(s, x, at):
                n = s.copy()
                self.write(n, t, x, at, self.operand(s, t, v), order)
                yield self.went(n, t)

    def updates(self, s, t, x, r, order, failure, new):
        """new(old): what is written, or None."""
        for at in range(self.bound(s, t, x), len(s.mo[x])):
            w = s.mo[x][at]
            old = self.value(s, w)
            value = new(old)
            if value is not None and self.splits(s, x, at + 1):
                continue
            if self.races(s, t, x, value is not None, False):
                continue
            n = s.copy()
            n.regs[t][r] = old
            self.read(n, t, x, w, order if value is not None else failure, update=value is not None)
            if value is not None:
                self.write(n, t, x, at + 1, value, order, frm=w)
            yield n, value is not None

    def do_rmw(self, s, t, i):
        _, r, x, op, v, order = i
        operand = self.operand(s, t, v)
        for n, _ in self.updates(s, t, x, r, order, order, lambda old: old + operand if op == "add" else operand):
            yield self.went(n, t)

    def do_cas(self, s, t, i):
        _, r, x, expected, v, order, failure = i
        operand = self.operand(s, t, v)
        for n, _ in self.updates(s, t, x, r, order, failure, lambda old: operand if old == expected else None):
            yield self.went(n, t)

    def do_casnext(self, s, t, i):
        _, r, x, k, order, top = i
        expected = s.regs[t][r]
        for n, done in self.updates(s, t, x, r, order, RLX, lambda old: old + k if old == expected else None):
            n.pc[t] = s.pc[t] + 1 if done else top
            yield n

    def do_fence(self, s, t, i):
        n, order = s.copy(), i[1]
        if order in ACQUIRES:
            n.cur[t] = joined(n.cur[t], n.seen[t])
        self.add(n, t, Event("F", None, order, None))
        if order in RELEASES:
            n.fenced[t] = n.cur[t]
        yield self.went(n, t)

    def do_pload(self, s, t, i):
        _, r, x = i
        if self.races(s, t, x, False, True):
            return
        n = s.copy()
        n.regs[t][r] = self.value(n, n.mo[x][-1])
        self.read(n, t, x, n.mo[x][-1], RLX, plain=True)
        n.history[t].pop()
        yield self.went(n, t)

    def do_pstore(self, s, t, i):
        _, x, v = i
        if self.races(s, t, x, True, True):
            return
        n = s.copy()
        self.write(n, t, x, len(n.mo[x]), self.operand(s, t, v), RLX, plain=True)
        yield self.went(n, t)

    def on_object(self, s, t, o, what, acquires, releases, continues=True):
        if acquires:
            s.cur[t] = joined(s.cur[t], s.ovc[o])
        self.add(s, t, Event("O", o, "", None))
        if releases:
            s.ovc[o] = joined(s.ovc[o], s.cur[t]) if continues else s.cur[t]
        s.objects[o].append((t, what))

    def do_lock(self, s, t, i):
        n = s.copy()
        n.held[i[1]] = t
        self.on_object(n, t, i[1], "lock", True, False)
        yield self.went(n, t)

    def do_relock(self, s, t, i):
        n = s.copy()
        n.held[i[1]] = t
        self.on_object(n, t, i[1], "lock", True, False)
        n.status[t] = "run"
        yield self.went(n, t)

    def do_unlock(self, s, t, i):
        n = s.copy()
        n.held[i[1]] = None
        self.on_object(n, t, i[1], "unlock", False, True)
        yield self.went(n, t)

    def do_cwait(self, s, t, i):
        n = s.copy()
        _, c, m = i
        self.on_object(n, t, c, "wait", False, False)
        n.held[m] = None
        self.on_object(n, t, m, "unlock", False, True)
        n.waiting.append(t)
        n.status[t] = "sleep"
        yield n

    def do_signal(self, s, t, i):
        for u in s.waiting or [None]:
            n = s.copy()
            self.on_object(n, t, i[1], ("signal", u), False, False)
            if u is not None:
                n.waiting.remove(u)
                n.status[u] = "relock"
            yield self.went(n, t)

    def do_broadcast(self, s, t, i):
        n = s.copy()
        self.on_object(n, t, i[1], "broadcast", False, False)
        for u in n.waiting:
            n.status[u] = "relock"
        n.waiting = []
        yield self.went(n, t)

    def do_post(self, s, t, i):
        n = s.copy()
        n.count["s"] += 1
        self.on_object(n, t, "s", "post", False, True)
        yield self.went(n, t)

    def do_semwait(self, s, t, i):
        n = s.copy()
        n.count["s"] -= 1
        self.on_object(n, t, "s", "wait", True, False)
        yield self.went(n, t)

    def do_choose(self, s, t, i):
        for v in (0, 1):
            n = s.copy()
            n.regs[t][i[1]] = v
            n.history[t].append(("chosen", v))
            yield self.went(n, t)

    def do_create(self, s, t, i):
        n = s.copy()
        n.status[i[1]] = "run"
        n.cur[i[1]], n.family[i[1]] = n.cur[t], n.family[t]
        yield self.went(n, t)

    def do_join(self, s, t, i):
        n = s.copy()
        n.cur[t] = joined(n.cur[t], n.cur[i[1]])
        n.family[t] = joined(n.family[t], n.family[i[1]])
        yield self.went(n, t)

    def do_end(self, s, t, _):
        n = s.copy()
        n.status[t] = "done"
        yield n

    def do_assert(self, s, t, i):
        if s.regs[t][i[1]] == i[2]:
            if self.is_sc_consistent(s):
                self.asserts.add((t, i))
            n = s.copy()
            n.status[t] = "failed"
            yield n
            return
        yield self.went(s.copy(), t)

    # the order of seq_cst operations

    def is_sc_consistent(self, s):
        """psc of RC11 is acyclic."""
        ids = [e for e, event in s.events.items() if event.kind != "O"]
        sc = [e for e in ids if s.events[e].order == SC]
        if len(sc) < 2:
            return True
        ev, place = s.events, {w: i for ws in s.mo.values() for i, w in enumerate(ws) if w}
        hb = {(a, b) for a in ids for b in ids if a != b and ev[b].clock[a[0]] > a[1]}
        po = {(a, b) for a, b in hb if ev[b].family[a[0]] > a[1]}

        def version(e):  # where it stands on mo; a read behind the write it has read
            return place[e] if ev[e].kind == "W" else 0 if ev[e].frm is None else place[ev[e].frm]

        com, eco = set(), set()
        for a in ids:
            for b in ids:
                if a == b or ev[a].kind == "F" or ev[b].kind == "F" or ev[a].loc != ev[b].loc:
                    continue
                newer = version(b) > version(a)
                if newer and ev[b].kind == "W":
                    com.add((a, b))
                if newer or (ev[b].kind == "R" and ev[b].frm == a):
                    eco.add((a, b))
        follow = {}
        for a, b in hb:
            follow.setdefault(a, set()).add(b)
        po_after = {}
        for a, b in po:
            po_after.setdefault(a, set()).add(b)
        scb = set(po) | com
        for a, b in hb:
            if ev[a].loc and ev[a].loc == ev[b].loc:
                scb.add((a, b))
        for a in ids:
            for b in po_after.get(a, ()):
                for c in follow.get(b, ()):
                    scb |= {(a, d) for d in po_after.get(c, ())}
        image = lambda r, es: {b for a, b in r if a in es}
        edges = {}
        for a in sc:
            start = {a} | (follow.get(a, set()) if ev[a].kind == "F" else set())
            reached = image(scb, start)
            far = reached | set().union(*[follow.get(e, set()) for e in reached])
            out = {b for b in sc if b in reached or (ev[b].kind == "F" and b in far)}
            if ev[a].kind == "F":
                second = image(eco, follow.get(a, set()))
                third = set().union(*[follow.get(e, set()) for e in second]) | follow.get(a, set())
                out |= {b for b in third if b in sc and ev[b].kind == "F"}
            edges[a] = out
        done, active = set(), set()

        def cyclic(a):
            if a in active:
                return True
            if a in done:
                return False
            active.add(a)
            found = any(cyclic(b) for b in edges[a])
            active.discard(a)
            done.add(a)
            return found

        return not any(cyclic(a) for a in sc)
