"""Small C programs with weak orders, locks, condition variables, semaphores, threads of threads, plain data, loops that wait,
choices; and how they are written as C. views.py executes them."""
import random

RLX, ACQ, REL, AR, SC = "relaxed", "acquire", "release", "acq_rel", "seq_cst"


class Program:
    def __init__(self):
        self.bodies, self.children, self.registers = [], [], 4
        self.atomics, self.plain, self.mutexes, self.conditions, self.semaphores = "xyz", "pq", "mn", "c", "s"
        self.loops = False  # or condition variables: what is explored then is not one execution per graph


def order_of(draw, among, style):
    if style == "sc":
        return SC
    if style == "rlx" and RLX in among and draw.random() < .7:
        return RLX
    if style == "no sc":
        among = [o for o in among if o != SC]
    return draw.choice(among)


class Generator:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.program = Program()
        self.style = self.draw.choice(["any", "any", "no sc", "no sc", "rlx", "sc"])
        self.features = set(self.draw.sample(["locks", "plain", "cas", "await", "choose", "children", "condition", "semaphore", "mixed", "publish"],
                                             self.draw.choice([1, 2, 2, 3, 3])))

    def order(self, among):
        return order_of(self.draw, among, self.style)

    def value(self, known):
        if known and self.draw.random() < .2:
            return (self.draw.choice(known), self.draw.randint(0, 1))
        return self.draw.randint(1, 2)

    def register(self, known):
        r = len(known) if len(known) < self.program.registers else self.draw.choice(known)
        if r not in known:
            known.append(r)
        return r

    def access(self, known):
        d, f = self.draw, self.features
        x = d.choice("xyz"[:self.locations])
        if f & {"plain", "mixed"} and d.random() < .3:
            x = d.choice("pq" if "mixed" not in f or d.random() < .6 else "xpq")
            return [("pstore", x, self.value(known))] if d.random() < .5 else [("pload", self.register(known), x)]
        c = d.random()
        if c < .36:
            return [("load", self.register(known), x, self.order([RLX, ACQ, SC]))]
        if c < .70:
            return [("store", x, self.value(known), self.order([RLX, REL, SC]))]
        if c < .80:
            op = d.choice(["add", "exchange"])
            v = self.value(known)
            return [("rmw", self.register(known), x, op, v, self.order([RLX, ACQ, REL, AR, SC]))]
        if c < .88 or "cas" not in f:
            v = self.value(known)
            return [("cas", self.register(known), x, d.randint(0, 2), v, self.order([RLX, ACQ, REL, AR, SC]), self.order([RLX, ACQ, SC]))]
        if c < .93:
            self.program.loops = True
            return [("casloop", self.register(known), x, d.randint(1, 2), self.order([RLX, ACQ, REL, AR, SC]))]
        return [("fence", self.order([ACQ, REL, AR, SC]))]

    def statement(self, known, depth=0):
        d, f, c = self.draw, self.features, self.draw.random()
        if depth == 0 and "locks" in f and c < .35:
            m = d.choice("mmn")
            inner = [s for _ in range(d.choice([0, 1, 1, 2])) for s in self.access(known)]
            return [("lock", m)] + inner + [("unlock", m)]
        if depth == 0 and "condition" in f and c < .4:
            k = d.random()
            if k < .4:
                self.program.loops = True
                return [("lock", "m"), ("waitfor", "c", "m", "p", d.random() < .7), ("unlock", "m")]
            if k < .8:
                return [("lock", "m"), ("pstore", "p", 1), (d.choice(["signal", "broadcast"]), "c"), ("unlock", "m")]
            return [(d.choice(["signal", "broadcast"]), "c")]
        if "semaphore" in f and c < .3:
            return [(d.choice(["post", "post", "semwait"]), "s")]
        if "await" in f and c < .2:
            self.program.loops = True
            return [("await", d.choice("xyz"[:self.locations]), 1, self.order([RLX, ACQ, SC]))]
        if "choose" in f and c < .2:
            return [("choose", self.register(known))]
        if "fence" in f or c > .93:
            if d.random() < .3 or c > .93:
                return [("fence", self.order([ACQ, REL, AR, SC, SC]))]
        if "publish" in f and c < .25 and depth == 0:
            if d.random() < .5:
                return [("pstore", "q", 1), ("store", "z", 1, self.order([RLX, REL, REL, SC]))]
            r = self.register(known)
            return [("load", r, "z", self.order([RLX, ACQ, ACQ, SC])), ("if", r, d.choice([0, 1, 1]), [("pload", self.register(known), "q")], [])]
        if depth == 0 and known and c < .5 and c > .36:
            r = d.choice(known)
            mine = list(known)
            then = self.access(mine)
            mine = list(known)
            other = self.access(mine) if d.random() < .4 else []
            return [("if", r, d.randint(0, 1), then, other)]
        if known and .5 < c < .54:
            return [("assert", d.choice(known), d.randint(0, 3))]
        return self.access(known)

    def body(self, length):
        known, out = [], []
        while length > 0:
            s = self.statement(known)
            out += s
            length -= max(1, len(s) - 1)
        return out, known

    def make(self):
        d, p = self.draw, self.program
        count = d.choice([2, 2, 3, 3, 4])
        self.locations = d.choice([1, 2, 2, 3])
        top = {2: (3, 6), 3: (2, 4), 4: (1, 3)}[count]
        p.bodies, assigned = [], []
        for t in range(count):
            body, known = self.body(d.randint(*top))
            p.bodies.append(body)
            assigned += [("r", t, r) for r in known]
        p.children = [[] for _ in range(count)]
        p.parents = [-1] * count
        if "children" in self.features:
            for t in range(1, count):
                parent = d.choice(range(-1, t))
                p.parents[t] = parent
                if parent >= 0:
                    at = d.randint(0, len(p.bodies[parent]))
                    while self.held(p.bodies[parent][:at]):
                        at -= 1
                    p.bodies[parent].insert(at, ("create", t))
                    late = d.choice([len(p.bodies[parent]), d.randint(at + 1, len(p.bodies[parent]))])
                    while self.held(p.bodies[parent][:late]):
                        late += 1
                    p.bodies[parent].insert(late, ("join", t))
        p.seen = assigned + [("m", x) for x in "xyz"[:self.locations]]
        d.shuffle(p.seen)
        p.seen = p.seen[:6]
        return p

    @staticmethod
    def held(body):
        return sum({"lock": 1, "unlock": -1}.get(s[0], 0) for s in body) > 0


def flat(body):
    """Code with jumps."""
    code = []
    for s in body:
        if s[0] == "if":
            branch = len(code)
            code.append(None)
            code += shifted(flat(s[3]), len(code))
            end = len(code)
            code.append(None)
            code[branch] = ("jne", s[1], s[2], len(code))
            code += shifted(flat(s[4]), len(code))
            code[end] = ("jmp", len(code))
        elif s[0] == "waitfor":  # the register behind the last one is for the flag
            top = len(code)
            code += [("pload", -1, s[3]), ("jne", -1, 0, top + 4 if s[4] else top + 3), ("cwait", s[1], s[2])]
            if s[4]:
                code.append(("jmp", top))
        elif s[0] == "casloop":
            code += [("load", s[1], s[2], RLX), ("casnext", s[1], s[2], s[3], s[4], len(code) + 1)]
        else:
            code.append(s)
    return code


def shifted(code, by):
    place = {"jne": 3, "jmp": 1, "casnext": 5}
    return [s[:place[s[0]]] + (s[place[s[0]]] + by,) + s[place[s[0]] + 1:] if s[0] in place else s for s in code]


# ---- as C ----------------------------------------------------------------------------------------------------------------


class Writer:
    def __init__(self, p, outcomes):
        self.p, self.out, self.asserts = p, [], {}
        o = self.out
        o += ["#include <assert.h>", "#include <pthread.h>", "#include <semaphore.h>", "#include <stdbool.h>",
              "bool __VERIFIER_nondet_bool(void);", "int x, y, z, p, q;", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
              "pthread_cond_t c = PTHREAD_COND_INITIALIZER;", "sem_t s;", f"int R[{len(p.bodies)}][{p.registers}];",
              f"pthread_t t[{len(p.bodies)}];"]
        o += [f"void *f{t}(void *);" for t in range(len(p.bodies))]
        for t, body in enumerate(p.bodies):
            o += [f"void *f{t}(void *u)", "{", f"int r[{p.registers + 1}] = {{0}}, e; (void)e;"]
            for s in body:
                self.statement(t, s)
            o += [f"R[{t}][{r}] = r[{r}];" for r in range(p.registers)] + ["return u;", "}"]
        o += ["int main(void)", "{", "sem_init(&s, 0, 0);"]
        o += [f"pthread_create(&t[{t}], 0, f{t}, 0);" for t in range(len(p.bodies)) if p.parents[t] < 0]
        o += [f"pthread_join(t[{t}], 0);" for t in range(len(p.bodies)) if p.parents[t] < 0]
        seen = [f"R[{s[1]}][{s[2]}]" if s[0] == "r" else f"__atomic_load_n(&{s[1]}, __ATOMIC_RELAXED)" for s in p.seen]
        o += [f"int o[] = {{{', '.join(seen)}}};"]
        self.lines = {}
        for k in sorted(outcomes):
            o.append("if (" + " && ".join(f"o[{i}] == {v}" for i, v in enumerate(k)) + ")")
            o.append("assert(0);")
            self.lines[len(o)] = k
            o.append("else")
        o.append("assert(0);")
        self.other = len(o)
        o += ["}", ""]

    def operand(self, v):
        return f"r[{v[0]}] + {v[1]}" if isinstance(v, tuple) else str(v)

    def statement(self, t, s):
        o, k = self.out, s[0]
        order = {a: f"__ATOMIC_{a.upper()}" for a in (RLX, ACQ, REL, AR, SC)}
        if k == "load":
            o.append(f"r[{s[1]}] = __atomic_load_n(&{s[2]}, {order[s[3]]});")
        elif k == "store":
            o.append(f"__atomic_store_n(&{s[1]}, {self.operand(s[2])}, {order[s[3]]});")
        elif k == "rmw":
            o.append(f"r[{s[1]}] = __atomic_{'fetch_add' if s[3] == 'add' else 'exchange_n'}(&{s[2]}, {self.operand(s[4])}, {order[s[5]]});")
        elif k == "cas":
            o.append(f"e = {s[3]}; __atomic_compare_exchange_n(&{s[2]}, &e, {self.operand(s[4])}, 0, {order[s[5]]}, {order[s[6]]}); r[{s[1]}] = e;")
        elif k == "casloop":
            o.append(f"e = __atomic_load_n(&{s[2]}, __ATOMIC_RELAXED); while (!__atomic_compare_exchange_n(&{s[2]}, &e, e + {s[3]}, 1, {order[s[4]]}, __ATOMIC_RELAXED)) ; r[{s[1]}] = e;")
        elif k == "await":
            o.append(f"while (__atomic_load_n(&{s[1]}, {order[s[3]]}) != {s[2]}) ;")
        elif k == "fence":
            o.append(f"__atomic_thread_fence({order[s[1]]});")
        elif k == "pload":
            o.append(f"r[{s[1]}] = {s[2]};")
        elif k == "pstore":
            o.append(f"{s[1]} = {self.operand(s[2])};")
        elif k in ("lock", "unlock"):
            o.append(f"pthread_mutex_{k}(&{s[1]});")
        elif k == "waitfor":
            o.append(f"{'while' if s[4] else 'if'} (!{s[3]}) pthread_cond_wait(&{s[1]}, &{s[2]});")
        elif k in ("signal", "broadcast"):
            o.append(f"pthread_cond_{k}(&{s[1]});")
        elif k in ("post", "semwait"):
            o.append(f"sem_{'post' if k == 'post' else 'wait'}(&{s[1]});")
        elif k == "choose":
            o.append(f"r[{s[1]}] = __VERIFIER_nondet_bool();")
        elif k == "create":
            o.append(f"pthread_create(&t[{s[1]}], 0, f{s[1]}, 0);")
        elif k == "join":
            o.append(f"pthread_join(t[{s[1]}], 0);")
        elif k == "assert":
            o.append(f"assert(r[{s[1]}] != {s[2]});")
            self.asserts[len(o)] = (t, s)
        elif k == "if":
            o.append(f"if (r[{s[1]}] == {s[2]}) {{")
            for inner in s[3]:
                self.statement(t, inner)
            o.append("} else {")
            for inner in s[4]:
                self.statement(t, inner)
            o.append("}")

    def text(self):
        return "\n".join(self.out)
