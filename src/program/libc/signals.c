/* Signals that a program sends to itself.
 *
 * Who has blocked what, what is pending, and what is done about which signal is one location: all operations
 * on signals are events on it. There are few of them. A handler is called where its thread raises the signal,
 * stops blocking it, or waits for it in sigsuspend(); with sigwait() a thread takes a signal that is blocked.
 *
 * What a thread did before it sent a signal comes before what another one does after it has taken or seen it:
 * the kernel keeps the signals under a lock. Both are events that write that one location, so the edge is one
 * of conflicts. Each number publishes for itself, which is finer: another one's sender is not known.
 *
 * A signal for another thread that does not block it arrives anywhere in what that one does. That is not
 * followed: the search ends there, and says so. Nor do signals come from outside, which the verdict says. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "program/describe/failures.h"
#include "program/libc/libc.h"
#include "program/order/happens_before.h"
#include "program/pthread/endings.h"
#include "program/pthread/lifecycle.h"
#include "program/pthread/peers.h"
#include "program/pthread/timed.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/world/named_locations.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

typedef struct action {
    uintptr_t handler; /* SIG_DFL, SIG_IGN, or a function */
    uint64_t mask;
    int64_t flags, unused;
} action;

/* The C library keeps two signals for itself. */
enum { SIGNALS = 65, OWN = 32 };
#define OWN_BITS (UINT64_C(3) << (OWN - 1))

/* On the trail. */
static _Alignas(16) action actions[SIGNALS];

static uint64_t bit_of(int number)
{
    return UINT64_C(1) << (number - 1);
}

static bool is_signal(int number)
{
    return number > 0 && number < SIGNALS && number != OWN && number != OWN + 1;
}

static int refuse(int error)
{
    errno = error;
    return -1;
}

/* ---- sets: their first word -------------------------------------------------------------------------------
 */

static uint64_t read_set(const void *set)
{
    mz__plain_access((uintptr_t)set, sizeof(uint64_t), false);
    return *(const uint64_t *)set;
}

static int write_set(void *set, uint64_t bits)
{
    mz__write_memory(set, &bits, sizeof bits);
    return 0;
}

MZ__HOOK(int, __wrap_sigemptyset, void *set)
{
    return write_set(set, 0);
}

MZ__HOOK(int, __wrap_sigfillset, void *set)
{
    return write_set(set, ~OWN_BITS);
}

MZ__HOOK(int, __wrap_sigaddset, void *set, int number)
{
    return is_signal(number) ? write_set(set, read_set(set) | bit_of(number)) : refuse(EINVAL);
}

MZ__HOOK(int, __wrap_sigdelset, void *set, int number)
{
    return is_signal(number) ? write_set(set, read_set(set) & ~bit_of(number)) : refuse(EINVAL);
}

MZ__HOOK(int, __wrap_sigismember, const void *set, int number)
{
    return is_signal(number) ? (read_set(set) & bit_of(number)) != 0 : refuse(EINVAL);
}

/* ---- the operation ----------------------------------------------------------------------------------------
 */

static uintptr_t place(void)
{
    return MZ__STACK_BASE(0) + MZ__SIGNALS_NAME;
}

static void begin(mz__guard guard, const char *verb)
{
    mz__ask(MZ_PREMISE_SIGNALS);
    uint32_t cell;
    mz__cells_of(place(), 1, true, &cell);
    mz_operation_kind kind = guard == MZ__FREE ? MZ_OP_UPDATE : MZ_OP_AWAIT;
    mz__w.signals_used = true;
    mz__announce(mz__on_object(kind, guard, (const void *)place(), cell, verb), false);
    mz__made_progress();
}

/* What the senders of a number publish. */
static uint32_t senders_of(int number)
{
    uint32_t cell;
    mz__cells_of(MZ__STACK_BASE((uint32_t)number % MZ_MAX_THREADS) + MZ__SENDERS_NAME, 1, true, &cell);
    return cell;
}

/* Others may take it from now on. */
static void release_to_takers(int number)
{
    mz__release(senders_of(number), true);
}

static void acquire_from_senders(uint64_t numbers)
{
    for (; numbers; numbers &= numbers - 1)
        mz__acquire(senders_of(__builtin_ctzll(numbers) + 1));
}

static void set_program_pending(uint64_t bits)
{
    MZ__SAVE(mz__w.signals_pending);
    mz__w.signals_pending = bits;
}

/* ---- handlers ---------------------------------------------------------------------------------------------
 */

static struct {
    uintptr_t handler;
    int number;
    siginfo_t *information;
} call;

static void make_call(void)
{
    ((void (*)(int, siginfo_t *, void *))call.handler)(call.number, call.information, NULL);
}

static siginfo_t *information_of(int number)
{
    _Static_assert(sizeof(siginfo_t) <= sizeof mz__libc->signal_information[0], "");
    siginfo_t *to = (siginfo_t *)(void *)mz__libc->signal_information[mz__me()];
    mz__touch(to, sizeof *to);
    *to = (siginfo_t){.si_signo = number, .si_code = SI_USER};
    return to;
}

/* What happens to a program that does nothing about it. */
static void act_by_default(int number)
{
    if (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT)
        return;
    if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
        mz__give_up(mz__caller.pc, "the program stops itself with signal %d (%s)", number, strsignal(number));
    if (number == SIGABRT)
        mz__assertion(mz__caller.pc, "the program raises SIGABRT");
    mz__fail(MZ_FAIL_CRASH, mz__caller.pc, "the program ends itself with signal %d (%s)", number,
             strsignal(number));
}

static void handle(int number)
{
    action what = actions[number];
    if (what.handler == (uintptr_t)SIG_IGN)
        return;
    if (what.handler == (uintptr_t)SIG_DFL) {
        act_by_default(number);
        return;
    }
    if (what.flags & SA_RESETHAND) {
        mz__save(&actions[number], sizeof *actions);
        actions[number] = (action){0};
    }
    const mz__registers caller = mz__caller;
    uint64_t blocked = mz__w.current->cold.blocked;
    mz__cold_of(mz__w.current)->blocked |= what.mask | (what.flags & SA_NODEFER ? 0 : bit_of(number));
    call.handler = what.handler;
    call.number = number;
    call.information = information_of(number);
    mz__call_program(make_call);
    mz__caller = caller;
    mz__cold_of(mz__w.current)->blocked = blocked;
}

/* Of the lowest of them; 0: there is none. It is not pending any more. */
static int take(uint64_t among)
{
    mz__cold *cold = mz__cold_of(mz__w.current);
    uint64_t there = (cold->pending | mz__w.signals_pending) & among;
    if (!there)
        return 0;
    int number = __builtin_ctzll(there) + 1;
    if (cold->pending & bit_of(number))
        cold->pending &= ~bit_of(number);
    else
        set_program_pending(mz__w.signals_pending & ~bit_of(number));
    acquire_from_senders(bit_of(number));
    return number;
}

/* All that it does not block. Handlers may change that. */
static void handle_pending(void)
{
    for (int number; (number = take(~mz__w.current->cold.blocked));)
        handle(number);
}

/* ---- what is to be done -----------------------------------------------------------------------------------
 */

static action read_action(const struct sigaction *from)
{
    mz__plain_access((uintptr_t)from, offsetof(struct sigaction, sa_mask) + sizeof(uint64_t), false);
    mz__plain_access((uintptr_t)&from->sa_flags, sizeof from->sa_flags, false);
    return (action){.handler = (uintptr_t)from->sa_handler,
                    .mask = *(const uint64_t *)(const void *)&from->sa_mask,
                    .flags = from->sa_flags};
}

static void write_action(struct sigaction *to, action from)
{
    mz__write_memory(&to->sa_handler, &from.handler, sizeof from.handler);
    mz__write_memory(&to->sa_mask, &from.mask, sizeof from.mask);
    mz__write_memory(&to->sa_flags, &(int){(int)from.flags}, sizeof to->sa_flags);
}

static void set_action(int number, action new)
{
    mz__save(&actions[number], sizeof *actions);
    actions[number] = new;
    if (new.handler != (uintptr_t)SIG_IGN)
        return;
    mz__cold_of(mz__w.current)->pending &= ~bit_of(number); /* ignored ones are not kept */
    set_program_pending(mz__w.signals_pending & ~bit_of(number));
}

MZ__HOOK(int, __wrap_sigaction, int number, const struct sigaction *new, struct sigaction *old)
{
    if (!is_signal(number) || (new && (number == SIGKILL || number == SIGSTOP)))
        return refuse(EINVAL);
    action now = {0};
    if (new)
        now = read_action(new);
    begin(MZ__FREE, "sigaction");
    action before = actions[number];
    if (new)
        set_action(number, now);
    if (old)
        write_action(old, before);
    return 0;
}

MZ__HOOK(uintptr_t, __wrap_signal, int number, uintptr_t handler)
{
    if (!is_signal(number) || number == SIGKILL || number == SIGSTOP)
        return (uintptr_t)refuse(EINVAL);
    begin(MZ__FREE, "signal");
    uintptr_t before = actions[number].handler;
    set_action(number, (action){.handler = handler, .flags = SA_RESTART});
    return before;
}

/* ---- blocking ---------------------------------------------------------------------------------------------
 */

/* Returns the number of an error. */
static int change_mask(int how, const void *set, void *old, const char *verb)
{
    mz__ask(MZ_PREMISE_SIGNALS);
    uint64_t bits = set ? read_set(set) : 0, before = mz__w.current->cold.blocked;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (old)
        write_set(old, before);
    if (!set)
        return 0;
    begin(MZ__FREE, verb);
    uint64_t now = how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits;
    mz__cold_of(mz__w.current)->blocked = now & ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
    handle_pending();
    return 0;
}

MZ__HOOK(int, __wrap_pthread_sigmask, int how, const void *set, void *old)
{
    return change_mask(how, set, old, "pthread_sigmask");
}

MZ__HOOK(int, __wrap_sigprocmask, int how, const void *set, void *old)
{
    int error = change_mask(how, set, old, "sigprocmask");
    return error ? refuse(error) : 0;
}

MZ__HOOK(int, __wrap_sigpending, void *set)
{
    begin(MZ__FREE, "sigpending");
    uint64_t there = (mz__w.current->cold.pending | mz__w.signals_pending) & mz__w.current->cold.blocked;
    acquire_from_senders(there);
    return write_set(set, there);
}

/* ---- sending ----------------------------------------------------------------------------------------------
 */

static bool is_ignored(int number)
{
    uintptr_t handler = actions[number].handler;
    bool by_default = number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
    return handler == (uintptr_t)SIG_IGN || (handler == (uintptr_t)SIG_DFL && by_default);
}

static void send_to_thread(mz__thread *t, int number)
{
    bool blocks = t->cold.blocked & bit_of(number), is_awaited = t->cold.awaits & bit_of(number);
    bool ends_program = actions[number].handler == (uintptr_t)SIG_DFL && !blocks;
    if (is_ignored(number) && !blocks)
        return;
    if (t == mz__w.current || ends_program) {
        mz__cold_of(mz__w.current)->pending |= bit_of(number);
        handle_pending();
        return;
    }
    if (!blocks && !is_awaited)
        mz__give_up(mz__caller.pc,
                    "thread %u sends signal %d (%s) to thread %u, which does not block it: where that one is "
                    "interrupted cannot be followed",
                    mz__me(), number, strsignal(number), t->number);
    release_to_takers(number);
    mz__change_thread(t);
    mz__cold_of(t)->pending |= bit_of(number);
}

MZ__HOOK(int, __wrap_pthread_kill, pthread_t handle_of_thread, int number)
{
    mz__thread *t = mz__thread_of(handle_of_thread);
    mz__tells_apart(t, "pthread_kill");
    if (number != 0 && !is_signal(number))
        return EINVAL;
    begin(MZ__FREE, "pthread_kill");
    if (number != 0 && t->life == MZ__ALIVE)
        send_to_thread(t, number);
    return 0;
}

MZ__HOOK(int, __wrap_raise, int number)
{
    if (!is_signal(number))
        return refuse(EINVAL);
    begin(MZ__FREE, "raise");
    send_to_thread(mz__w.current, number);
    return 0;
}

/* Some thread that does not block it is interrupted: the main one, if it may be. */
static void send_to_program(int number)
{
    if (is_ignored(number))
        return;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        mz__thread *t = &mz__w.threads[u];
        if (t->life == MZ__ALIVE && !(t->cold.blocked & bit_of(number)) && !t->cold.awaits) {
            send_to_thread(t, number);
            return;
        }
    }
    release_to_takers(number);
    set_program_pending(mz__w.signals_pending | bit_of(number));
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        mz__change_thread(&mz__w.threads[u]); /* whoever awaits it may go on */
}

int mz__hook___wrap_getpid(void);

MZ__HOOK(int, __wrap_kill, pid_t process, int number)
{
    if (number != 0 && !is_signal(number))
        return refuse(EINVAL);
    if (process != mz__hook___wrap_getpid() && process != 0)
        mz__give_up(mz__caller.pc, "the program sends signal %d to another process", number);
    begin(MZ__FREE, "kill");
    if (number != 0)
        send_to_program(number);
    return 0;
}

/* ---- waiting ----------------------------------------------------------------------------------------------
 */

static void await(uint64_t among, const char *verb)
{
    const mz__registers caller = mz__caller;
    mz__test_cancel(verb, false);
    if (mz__may_be_cancelled())
        mz__give_up(mz__caller.pc, "a thread that may be cancelled waits for a signal");
    mz__caller = caller;
    mz__cold_of(mz__w.current)->awaits = among;
    begin(MZ__SIGNAL_THERE, verb);
    mz__cold_of(mz__w.current)->awaits = 0;
}

/* A signal that is not blocked is taken by its handler, or not, as it happens. */
static void check_blocked(uint64_t bits)
{
    if (bits & ~mz__w.current->cold.blocked)
        mz__give_up(mz__caller.pc, "the program waits for signals that it does not block");
}

MZ__HOOK(int, __wrap_sigwait, const void *set, int *number)
{
    uint64_t bits = read_set(set);
    check_blocked(bits);
    await(bits, "sigwait");
    mz__write_memory(number, &(int){take(bits)}, sizeof *number);
    return 0;
}

static int take_with_information(uint64_t bits, siginfo_t *information)
{
    int number = take(bits);
    if (number == 0)
        return refuse(EAGAIN);
    siginfo_t what = {.si_signo = number, .si_code = SI_USER};
    if (information)
        mz__write_memory(information, &what, sizeof what);
    return number;
}

MZ__HOOK(int, __wrap_sigwaitinfo, const void *set, siginfo_t *information)
{
    uint64_t bits = read_set(set);
    check_blocked(bits);
    await(bits, "sigwaitinfo");
    return take_with_information(bits, information);
}

/* The time may be up whenever there is none: timed.c. */
MZ__HOOK(int, __wrap_sigtimedwait, const void *set, siginfo_t *information, const struct timespec *limit)
{
    uint64_t bits = read_set(set);
    check_blocked(bits);
    if (mz__time_is_up(limit) == EINVAL)
        return refuse(EINVAL);
    mz__test_cancel("sigtimedwait", true);
    begin(MZ__FREE, "sigtimedwait");
    return take_with_information(bits, information);
}

/* What is blocked meanwhile is another set; the signal that ends it is handled under that one. */
MZ__HOOK(int, __wrap_sigsuspend, const void *set)
{
    uint64_t before = mz__w.current->cold.blocked, during = read_set(set);
    check_blocked(~during & before);
    for (int i = 1; i < SIGNALS; i++)
        if (!(during & bit_of(i)) && !(before & bit_of(i)) && actions[i].handler > (uintptr_t)SIG_IGN)
            mz__give_up(mz__caller.pc, "the program waits for signal %d, which it did not block before", i);
    await(~during, "sigsuspend");
    mz__cold_of(mz__w.current)->blocked = during;
    handle_pending();
    mz__cold_of(mz__w.current)->blocked = before;
    return refuse(EINTR);
}

MZ__HOOK(int, __wrap_pause, void)
{
    mz__test_cancel("pause", true);
    mz__give_up(mz__caller.pc, "the program waits in pause() for a signal that may come before it does");
    return refuse(EINTR);
}

MZ__HOOK(unsigned, __wrap_alarm, unsigned seconds)
{
    if (seconds > 0)
        mz__give_up(mz__caller.pc, "the program sets an alarm: where it is interrupted cannot be followed");
    return 0;
}
