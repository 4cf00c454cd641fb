# Read by gdb, from mazurka replay --gdb: the threads of a program that is replayed.
#
# They are fibers of one process, of which gdb knows nothing. A table in mazurka (mz_debug, session/replay.h) says where
# each of them is. To look at one, its registers are set, and set back before the program goes on.
import os
import struct
import gdb

WORDS, LAYOUT = 4, "16Q32s"
FRAME = struct.calcsize(LAYOUT)
REGISTERS = ("$sp", "$rbx", "$rbp", "$r12", "$r13", "$r14", "$r15", "$pc")


class Replay:
    def __init__(self):
        self.target = None  # the step to stop at; None: the last one
        self.own = None     # the registers that are the checker's, while those of a fiber are shown
        self.shown = None   # the thread that is looked at

    def table(self):
        memory = gdb.selected_inferior()
        address = int(gdb.parse_and_eval("(unsigned long)&mz_debug"))
        step, steps, thread, count = struct.unpack("4Q", memory.read_memory(address, 8 * WORDS).tobytes())
        frames = {}
        for number in range(count):
            raw = memory.read_memory(address + 8 * WORDS + number * FRAME, FRAME).tobytes()
            there, pc, sp, fp, known, *preserved, name = struct.unpack(LAYOUT, raw)
            if there:
                rbx, _, r12, r13, r14, r15 = preserved[:6] if known else [0] * 6
                # The instruction before where the call returns to is the call itself.
                frames[number] = ((sp, rbx, fp, r12, r13, r14, r15, pc - 1), name.split(b"\0")[0].decode("utf-8", "replace"))
        return step, steps, thread, frames

    @staticmethod
    def registers():
        return [int(gdb.parse_and_eval(f"(unsigned long){name}")) for name in REGISTERS]

    @staticmethod
    def load(values):
        for name, value in zip(REGISTERS, values):
            gdb.execute(f"set {name} = {value:#x}", to_string=True)
        gdb.execute("frame 0", to_string=True)

    def show(self, number):
        frames = self.table()[3]
        if number not in frames:
            raise gdb.GdbError(f"thread {number} has not begun, or has ended; there are: {sorted(frames)}")
        if self.own is None:
            self.own = self.registers()
        self.load(frames[number][0])
        self.shown = number

    def restore(self):
        if self.own is not None:
            self.load(self.own)
        self.own = self.shown = None

    def stopped(self):
        """At the stop of a step: is it one to show? Otherwise on."""
        step, steps, thread, frames = self.table()
        if self.target is None:
            self.target = steps
        if step < self.target:
            return False
        self.target = step
        if thread in frames:
            self.show(thread)
        name = frames.get(thread, (0, "?"))[1]
        gdb.write(f"\n{'here it fails' if step == steps else f'before step {step + 1} of {steps}'}: "
                  f"thread {thread} {name}\n")
        if thread in frames:
            gdb.execute("frame")
        return True


REPLAY = Replay()


class Stop(gdb.Breakpoint):
    """Shows nothing by itself: what is to be shown is the program's, not where the checker is."""

    def stop(self):
        step, steps = REPLAY.table()[:2]
        return step >= (steps if REPLAY.target is None else REPLAY.target)


class Threads(gdb.Command):
    """The threads of the program, and where each of them is."""

    def __init__(self):
        super().__init__("info threads", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        kept, frames = REPLAY.shown, REPLAY.table()[3]
        for number in sorted(frames):
            REPLAY.show(number)
            frame = gdb.newest_frame()
            place = frame.find_sal()
            where = f"{place.symtab.filename}:{place.line}" if place.symtab else hex(frame.pc())
            gdb.write(f"{'*' if number == kept else ' '} {number}  {frames[number][1]:12} {frame.name() or '?'} () at {where}\n")
        if kept in frames:
            REPLAY.show(kept)
        else:
            REPLAY.restore()


class Thread(gdb.Command):
    """Look at another thread of the program: thread NUMBER; thread apply all COMMAND."""

    def __init__(self):
        super().__init__("thread", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _from_tty):
        words = argument.split(None, 2)
        if not words:
            gdb.write(f"[thread {REPLAY.shown}]\n")
        elif words[0] == "apply" and len(words) == 3:
            frames, kept = REPLAY.table()[3], REPLAY.shown
            for number in sorted(frames) if words[1] == "all" else [int(words[1])]:
                gdb.write(f"\nthread {number} {frames[number][1]}\n")
                REPLAY.show(number)
                gdb.execute(words[2])
            if kept in frames:
                REPLAY.show(kept)
        else:
            REPLAY.show(int(words[0]))
            gdb.execute("frame")


def go_to(step):
    """Back is from the beginning again: the replay is the same every time."""
    REPLAY.restore()
    REPLAY.target = max(step, 0)
    gdb.execute("run")


class Back(gdb.Command):
    def invoke(self, _argument, _from_tty):
        go_to(REPLAY.table()[0] - 1)


class GoTo(gdb.Command):
    """Go to a step of the counterexample, before or after this one: goto NUMBER."""

    def __init__(self):
        super().__init__("goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _from_tty):
        go_to(int(argument) - 1)


def on_stop(event):
    if isinstance(event, gdb.BreakpointEvent) and any(isinstance(b, Stop) for b in event.breakpoints):
        REPLAY.stopped()


gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set breakpoint pending on")
gdb.execute("set print frame-info source-and-location", to_string=True)
for command in ("reverse", "reverse-continue", "reverse-step", "reverse-next", "back"):
    Back.__doc__ = "To the step before."
    Back(command, gdb.COMMAND_RUNNING)
for command in ("step", "next", "stepi", "nexti", "finish", "until", "kill", "run"):
    gdb.execute(f"define hook-{command}\npython REPLAY.restore()\nend")
gdb.execute("define hook-continue\npython REPLAY.restore()\npython REPLAY.target = 0\nend")
Threads()
Thread()
GoTo()
Stop("mz_debug_stop", internal=True)
if os.environ.get("MAZURKA_DEBUG_STEP"):
    REPLAY.target = int(os.environ["MAZURKA_DEBUG_STEP"]) - 1
gdb.events.stop.connect(on_stop)
gdb.write("continue: to the next step; reverse: to the one before; goto N: to step N; info threads, thread N\n")
gdb.execute("run")
