/* Keeping the two rules of wire/plan.h.
 *
 * An event of the prefix is let happen when its waits have happened: their threads publish the count of their
 * last event that is over. An event beyond the prefix is let happen when the whole prefix has; its thread is
 * then free for good. Or earlier, if its object is none that an event of the prefix that is still to come
 * operates on; then the thread's next operations are looked at in the same way.
 *
 * A smaller prefix is noticed wherever a thread waits, and where it comes to an event. Threads may disagree
 * for a while about how long it is. That is harmless: an event e that one thread still takes for a part of
 * the prefix comes after all that happens before it in T. An event g of the shorter prefix that has not
 * happened yet is then none of those, so the two are concurrent in T, and e could have waited for g as well:
 * the same trace.
 *
 * A constraint set (MZ_PLAN_EDGES_ONLY) is the first rule alone. Its events happen as in any program, not as
 * in T, which is one of many: what they are is compared where it is the same in all, they may have to wait
 * for their object, and they look at the clock. That they come at all is a part of what was verified
 * (enforce/constrained.c).
 *
 * Progress. Of those events of the prefix that have not happened, take the first in T. All that happens
 * before it has happened, and it is enabled in T after exactly that, so in T's thread local work leads to it
 * and, when it is come to, it need not wait: neither here, nor for its object. Nothing else than a wait in
 * here holds up the local work on the way; where the program itself waits (pthread_join, a barrier, a
 * condition variable), it waits in T for events that are earlier in T. What has happened is published at the
 * end of the operation, and before the thread waits for anything. A plain access happens only after its hook,
 * so it is published at the next one, or before a wait, or at the end: T is finite, and one of these follows
 * in it. */
#include "enforce/runtime_boundary.h"
#include "enforce/runtime_image.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Thread_local mz__self_record mz__self
    __attribute__((tls_model("initial-exec"))) = {.next = MZ__NEVER, .number = MZ__UNKNOWN};
mz__participant mz__participants[MZ_PLAN_MOST_THREADS];

static const mz_symbolic_image *symbolic; /* NULL: none */
/* The one that applies. NULL: there is none, or the inputs that decide it are not read yet; then nothing is
 * enforced, because nothing is an event before that (wire/symbolic.h). */
static const mz_plan_image *plan;
static _Atomic bool switched_off; /* after a divergence that was to be told only */

/* The program's image, from the linker. */
extern const char __executable_start[], _end[];

static const void *in_symbolic(uint64_t offset)
{
    return (const char *)symbolic + offset;
}

static const mz_plan_image *plan_number(uint32_t number)
{
    return in_symbolic(((const uint64_t *)in_symbolic(symbolic->plans))[number]);
}

static const mz_plan_thread *thread_of(uint32_t number)
{
    return mz__thread_in(plan, number);
}

static bool has_edges_only(void)
{
    return plan->flags & MZ_PLAN_EDGES_ONLY;
}

static uint32_t prefix(void)
{
    if (atomic_load_explicit(&switched_off, memory_order_relaxed))
        return 0;
    return __atomic_load_n(&plan->prefix, __ATOMIC_ACQUIRE);
}

/* ---- publishing and waiting -----------------------------------------------------------------------------
 */

/* Who waits for an event with this count. All waits are for events of the plan, and each of these is
 * published, so it wakes whom it lets go on, and few others: to be woken only to sleep again costs as much as
 * waiting. */
static uint32_t waiters_for(uint32_t count)
{
    return 1u << (count & 31);
}

/* No wake-up is lost: the store, the loads and the sleeper's increment are sequentially consistent. Either
 * the sleeper's increment comes before our load of it, and we wake; or our store comes before its second look
 * at `done`, and it does not sleep. If it is between the two, the kernel compares the word before it lets it
 * sleep. Only events of the plan pay for this. */
static void publish(void)
{
    mz__participant *own = &mz__participants[mz__self.number];
    uint32_t count = mz__self.begun;
    atomic_store(&own->done, count);
    mz__self.begun = 0;
    if (atomic_load(&own->sleepers) > 0)
        mz__wake_waiters(&own->done, waiters_for(count));
}

void mz__end_iteration(bool for_good)
{
    mz__settle();
    if (mz__records)
        mz__record(MZ_RECORD_ITERATION, mz__self.number, for_good, 0, MZ_PLAN_NO_PLACE);
    mz__self.begun = MZ_PLAN_ITERATION_END;
    publish();
}

void mz__forget_iteration(uint32_t thread)
{
    atomic_store(&mz__participants[thread].done, 0);
}

static uint32_t done_by(uint32_t number)
{
    return atomic_load_explicit(&mz__participants[number].done, memory_order_acquire);
}

/* A wait for events that have not happened. */
typedef struct patience {
    uint32_t looks;
    uint32_t idle; /* naps during which no thread ran */
} patience;

static void tell_that_it_does_not_come(uint32_t number, uint32_t count);

/* One look at an event that has not happened; after some it is worth to sleep until it might have. Not for
 * long at a time: nobody wakes us if the prefix becomes shorter. If for two seconds every thread sleeps or
 * joins, the event will not come at all: perhaps its thread was never created. */
static void wait_a_little(uint32_t number, uint32_t count, patience *p)
{
    enum { MILLISECONDS = 10, MOST_IDLE = 2000 / MILLISECONDS };
    if (p->looks == 0)
        mz__record_wait(number, count);
    if (p->looks < mz__patience()) {
        p->looks++;
        mz__pause();
        return;
    }
    if (p->looks < UINT32_MAX) { /* from now on it counts as asleep */
        p->looks = UINT32_MAX;
        atomic_fetch_sub_explicit(&mz__running_threads, 1, memory_order_relaxed);
    }
    mz__participant *other = &mz__participants[number];
    atomic_fetch_add(&other->sleepers, 1);
    uint32_t done = atomic_load(&other->done);
    if (done < count && mz__nap_while(&other->done, done, waiters_for(count), MILLISECONDS) == ETIMEDOUT &&
        atomic_load(&mz__running_threads) == 0)
        p->idle++;
    else
        p->idle = 0;
    atomic_fetch_sub(&other->sleepers, 1);
    if (p->idle > MOST_IDLE)
        tell_that_it_does_not_come(number, count);
}

static void end_waiting(const patience *p)
{
    if (p->looks == UINT32_MAX)
        atomic_fetch_add_explicit(&mz__running_threads, 1, memory_order_relaxed);
}

/* Until it has happened. False: the prefix has become so short that `rank` is not in it. */
static bool wait_for(const mz_plan_wait *wait, uint32_t rank)
{
    patience p = {0};
    bool inside = true;
    while (inside && done_by(wait->thread) < wait->count) {
        inside = rank < prefix();
        if (inside)
            wait_a_little(wait->thread, wait->count, &p);
    }
    end_waiting(&p);
    return inside;
}

/* Of the threads that have events of the prefix to do the one whose last is the very last; NULL: none has. */
static const mz_plan_entry *last_to_come(uint32_t *thread)
{
    uint32_t d = prefix();
    const mz_plan_entry *found = NULL;
    for (uint32_t u = 0; u < plan->thread_count; u++) {
        const mz_plan_entry *last = mz__last_below(plan, thread_of(u), d);
        if (last && done_by(u) < last->count && (!found || last->rank > found->rank)) {
            found = last;
            *thread = u;
        }
    }
    return found;
}

/* When what comes last has happened, there is often nothing left to wait for, which there would be in any
 * other order. */
static void wait_for_prefix(void)
{
    const mz_plan_entry *last;
    uint32_t thread;
    while ((last = last_to_come(&thread))) {
        patience p = {0};
        while (done_by(thread) < last->count && last->rank < prefix())
            wait_a_little(thread, last->count, &p);
        end_waiting(&p);
    }
}

static bool prefix_is_complete(void)
{
    uint32_t ignored;
    return !last_to_come(&ignored);
}

/* ---- divergence -----------------------------------------------------------------------------------------
 */

void mz__leave_verified_ground(mz__message *message)
{
    if (atomic_exchange(&switched_off, true))
        return; /* told before */
    bool warns = symbolic && (plan_number(0)->flags & MZ_PLAN_WARNS);
    mz__add_text(message, warns ? "; constraints are no longer enforced\n" : "; stopped\n");
    mz__say(message);
    if (!warns)
        _exit(MZ_PLAN_EXIT_DIVERGED);
}

static void begin_message(mz__message *message)
{
    *message = (mz__message){.length = 0};
    mz__add_text(message, "mazurka: thread ");
    mz__add_number(message, mz__self.number);
    mz__add_text(message, " leaves verified ground at its operation ");
    mz__add_number(message, mz__self.count);
    mz__add_text(message, ": ");
}

static void add_event(mz__message *message, uint32_t kinds, uint64_t place)
{
    mz__add_kinds(message, kinds);
    mz__add_place(message, place);
}

static bool is_as_planned(const mz_plan_entry *entry, uint32_t kinds, uint64_t place)
{
    return (entry->kind == MZ_PLAN_ANY_KIND || (kinds >> entry->kind & 1)) &&
           (entry->place == MZ_PLAN_NO_PLACE || entry->place == place);
}

static void tell_difference(const mz_plan_entry *entry, uint32_t kinds, uint64_t place)
{
    mz__message message;
    begin_message(&message);
    add_event(&message, 1u << entry->kind, entry->place);
    mz__add_text(&message, " is expected, found ");
    add_event(&message, kinds, place);
    mz__leave_verified_ground(&message);
}

static void tell_that_it_does_not_come(uint32_t number, uint32_t count)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "it waits for operation ");
    mz__add_number(&message, count);
    mz__add_text(&message, " of thread ");
    mz__add_number(&message, number);
    mz__add_text(&message, ", which does not come");
    mz__leave_verified_ground(&message);
}

static bool is_enforcing(void)
{
    return plan && (has_edges_only() || (!mz__self.left && !prefix_is_complete()));
}

static void tell_missing_operation(void)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "it ends, but its operation ");
    mz__add_number(&message, mz__self.entry->count);
    mz__add_text(&message, ", ");
    add_event(&message, 1u << mz__self.entry->kind, mz__self.entry->place);
    mz__add_text(&message, ", is expected");
    mz__leave_verified_ground(&message);
}

static void tell_missing_thread(uint32_t number)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "it ends, but was expected to create thread ");
    mz__add_number(&message, number);
    mz__leave_verified_ground(&message);
}

/* A thread with events in the prefix that this one, which creates it in T, has not created. */
static uint32_t missing_thread(void)
{
    for (uint32_t u = 1; u < plan->thread_count; u++) {
        const mz_plan_thread *thread = thread_of(u);
        if (thread->parent == mz__self.number && thread->child >= mz__self.children &&
            mz__last_below(plan, thread, prefix()))
            return u;
    }
    return MZ__UNKNOWN;
}

void mz__thread_ends(void)
{
    mz__settle();
    if (!plan || has_edges_only() || mz__self.number == MZ__UNKNOWN)
        return;
    if (mz__self.entry != mz__self.end && mz__self.entry->rank < prefix())
        tell_missing_operation();
    else if (missing_thread() != MZ__UNKNOWN)
        tell_missing_thread(missing_thread());
}

/* Who ends the program ends, too: after everything that it does then. */
__attribute__((destructor(101))) static void end_program(void)
{
    mz__thread_ends();
}

void mz__refuse_under_plan(const char *what)
{
    if (!symbolic)
        return;
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, what);
    mz__leave_verified_ground(&message);
}

static void leave_prefix_behind(void);

void mz__refuse(const char *what)
{
    if (mz__self.overtakes) /* what comes after the prefix may be anything */
        leave_prefix_behind();
    else if (is_enforcing())
        mz__refuse_under_plan(what);
}

/* ---- operations -----------------------------------------------------------------------------------------
 */

static uint64_t place_of(const volatile void *object)
{
    const char *address = (const char *)object;
    bool inside = address >= __executable_start && address < _end;
    return inside ? (uint64_t)(address - __executable_start) : MZ_PLAN_NO_PLACE;
}

/* When the thread has to come here again. */
static void set_next(void)
{
    mz__self_record *self = &mz__self;
    if (mz__records || mz__delays || self->plain || self->store || self->overtakes)
        self->next = self->count + 1;
    else if (self->entry < self->end)
        self->next = self->entry->count;
    else
        self->next = self->ends > 0 && !self->left ? self->ends : MZ__NEVER;
}

/* False: it is not in the prefix. */
static bool wait_for_turn(const mz_plan_entry *entry)
{
    const mz_plan_wait *wait = mz__waits_in(plan, entry);
    if (entry->rank < prefix()) {
        uint32_t i = 0;
        while (i < entry->wait_count && wait_for(&wait[i], entry->rank))
            i++;
        return i == entry->wait_count;
    }
    return false;
}

/* ---- beyond the prefix ----------------------------------------------------------------------------------
 */

/* Nothing more is asked of this thread. */
static void leave_prefix_behind(void)
{
    wait_for_prefix();
    mz__self.left = true;
    mz__self.overtakes = false;
}

/* Of all that is still to come of the prefix: why that suffices is said in enforce/extract.c. While it is
 * found out that becomes less, never more. */
static bool is_independent(uint32_t kinds, const volatile void *object)
{
    uint32_t d = prefix();
    uint64_t distance = (uintptr_t)object - (uintptr_t)__executable_start;
    if ((plan->flags & MZ_PLAN_COUNTS_ACCESSES) || (kinds & (MZ__KIND(WAIT) | MZ__KIND(ATOMIC))))
        return false;
    for (uint32_t u = 0; u < plan->thread_count; u++)
        if (u != mz__self.number && mz__may_be_touched(plan, thread_of(u), done_by(u), d, distance))
            return false;
    return true;
}

static void go_beyond(uint32_t kinds, const volatile void *object)
{
    mz__self_record *self = &mz__self;
    self->entry = self->end;
    self->overtakes = !prefix_is_complete() && is_independent(kinds, object);
    if (!self->overtakes)
        leave_prefix_behind();
}

/* It ends here in T. If all of its events are in the prefix, this is not the program that was verified. */
static void come_to_end(uint32_t kinds, const volatile void *object, uint64_t place)
{
    uint32_t d = prefix();
    if (d > 0 && mz__is_all_below(plan, thread_of(mz__self.number), d)) {
        mz__message message;
        begin_message(&message);
        mz__add_text(&message, "its end is expected, found ");
        add_event(&message, kinds, place);
        mz__leave_verified_ground(&message);
    }
    go_beyond(kinds, object);
}

/* ---- events of the plan ---------------------------------------------------------------------------------
 */

static mz__mode come_to_event(uint32_t kinds, const volatile void *object, uint64_t place)
{
    mz__self_record *self = &mz__self;
    const mz_plan_entry *entry = self->entry;
    /* what comes after the prefix, or in an iteration, may be another one in every run */
    if (entry->rank < prefix() && !mz__iterates && !is_as_planned(entry, kinds, place))
        tell_difference(entry, kinds, place);
    if (!wait_for_turn(entry)) {
        go_beyond(kinds, object);
        return MZ__FREELY;
    }
    self->entry++;
    self->begun = entry->count;
    self->picks = entry->picks;
    return has_edges_only() ? MZ__NOTED : MZ__ENFORCED;
}

mz__mode mz__begin_noted(uint32_t kinds, const volatile void *object)
{
    mz__self_record *self = &mz__self;
    mz__settle();
    if (mz__delays)
        mz__delay();
    mz__mode mode = MZ__FREELY;
    uint64_t place = place_of(object);
    if (self->entry < self->end && self->entry->count == self->count)
        mode = come_to_event(kinds, object, place);
    else if (self->overtakes)
        go_beyond(kinds, object);
    else if (self->entry == self->end && self->ends == self->count && !self->left)
        come_to_end(kinds, object, place);
    if (mode == MZ__FREELY && (mz__records || mz__delays))
        mode = MZ__NOTED;
    set_next();
    if (mz__records)
        mz__record_begin(kinds, object, place);
    return mode;
}

void mz__end_noted(void)
{
    if (mz__records)
        mz__record_end();
    if (mz__self.begun)
        publish();
    if (mz__delays)
        mz__delay();
}

/* A store that others may race with is in memory before the thread's next access; what is published comes
 * after it in any case. */
void mz__settle(void)
{
    if (mz__self.store) {
        mz__self.store = false;
        atomic_thread_fence(memory_order_seq_cst);
    }
    if (mz__self.plain) {
        mz__self.plain = false;
        mz__end_noted();
    }
}

/* ---- threads --------------------------------------------------------------------------------------------
 */

void mz__become(uint32_t number)
{
    mz__self_record *self = &mz__self;
    self->number = number;
    self->random = number;
    if (plan && number < plan->thread_count && prefix() > 0) {
        const mz_plan_thread *thread = thread_of(number);
        self->entry = mz__entries_in(plan, thread);
        self->end = self->entry + thread->entry_count;
        self->ends = thread->ends;
    }
    set_next();
}

void mz__begin_iteration(void)
{
    mz__self.count = 0;
    mz__self.chosen = 0;
    mz__become(mz__self.number);
}

/* Names for threads that the plan does not know, in recordings. */
static uint32_t new_number(void)
{
    static _Atomic uint32_t given;
    uint32_t number = plan->thread_count + atomic_fetch_add(&given, 1);
    return number < MZ_PLAN_MOST_THREADS ? number : MZ__UNKNOWN;
}

uint32_t mz__number_of_child(void)
{
    uint32_t child = mz__self.children++;
    if (mz__self.overtakes) /* it may be another one than in T, and is not looked at */
        leave_prefix_behind();
    if (symbolic && !plan)
        mz__refuse_under_plan(
            "it creates a thread before it has read the inputs that decide which plan applies");
    if (!plan || mz__self.number == MZ__UNKNOWN)
        return MZ__UNKNOWN;
    for (uint32_t u = 1; u < plan->thread_count; u++)
        if (thread_of(u)->parent == mz__self.number && thread_of(u)->child == child)
            return u;
    if (!has_edges_only() || mz__iterates)
        mz__refuse("it creates a thread that was not expected");
    uint32_t number = mz__records ? new_number() : MZ__UNKNOWN;
    if (number != MZ__UNKNOWN)
        mz__record(MZ_RECORD_THREAD, number, child, mz__self.number, MZ_PLAN_NO_PLACE);
    return number;
}

/* ---- the beginning --------------------------------------------------------------------------------------
 */

/* The function may be one that is compiled into the program, and counts: this is no operation of the program.
 */
void mz__forget_variable(const char *name)
{
    mz__self_record saved = mz__self;
    mz__self.next = MZ__NEVER;
    unsetenv(name);
    mz__self = saved;
}

/* A descriptor that the environment names is ours, and nobody else's. */
static int take_descriptor(const char *variable)
{
    const char *word = getenv(variable);
    int descriptor = word && *word ? atoi(word) : -1;
    mz__forget_variable(variable);
    return descriptor;
}

static void *map_descriptor(const char *variable, int protection, size_t least)
{
    int descriptor = take_descriptor(variable);
    struct stat status;
    if (descriptor < 0)
        return NULL;
    void *memory = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && (size_t)status.st_size >= least)
        memory = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return memory == MAP_FAILED ? NULL : memory;
}

static void check_plan(void)
{
    if (symbolic->magic == MZ_SYMBOLIC_IMAGE_MAGIC && plan_number(0)->magic == MZ_PLAN_IMAGE_MAGIC)
        return;
    mz__message message = {.length = 0};
    mz__add_text(&message, "mazurka: the plan is none, or of another version\n");
    mz__say(&message);
    _exit(MZ_PLAN_EXIT_DIVERGED);
}

/* From now on this plan applies. Main is the only thread that there is. */
static void apply(uint32_t number)
{
    plan = plan_number(number);
    mz__iterates = plan->flags & MZ_PLAN_ITERATIONS;
    mz__let_run(0);
    if (mz__records)
        mz__record(MZ_RECORD_PLAN, 0, number, 0, MZ_PLAN_NO_PLACE);
    mz__become(0);
}

void mz__input_is_read(const char *name, int64_t value)
{
    static mz_valuation known;
    static uint32_t guard;
    if (!symbolic || plan || mz__self.number != 0)
        return;
    const mz_symbolic_input *inputs = in_symbolic(symbolic->inputs);
    for (uint32_t i = 0; i < symbolic->input_count; i++)
        if (strcmp(in_symbolic(inputs[i].name), name) == 0) {
            known.values[i] = value;
            known.known |= UINT64_C(1) << i;
        }
    guard = mz_guard_decide(in_symbolic(symbolic->guards), guard, &known);
    if (guard & MZ_GUARD_PLAN)
        apply(guard & ~MZ_GUARD_PLAN);
}

void mz__nondet_range(int64_t *low, int64_t *high)
{
    *low = symbolic ? symbolic->nondet_low : MZ_NONDET_LOW;
    *high = symbolic ? symbolic->nondet_high : MZ_NONDET_HIGH;
}

static void use_flags(uint32_t flags)
{
    mz__counts_accesses |= (flags & MZ_PLAN_COUNTS_ACCESSES) != 0;
    mz__needs_fences |= (flags & MZ_PLAN_NEEDS_FENCES) != 0;
}

/* Before all else: constructors of the program are part of main, and nothing that it starts inherits the
 * plan.
 */
void mz__find_plan(void);
__attribute__((constructor(101))) void mz__find_plan(void)
{
    bool wanted = getenv(MZ_PLAN_ENVIRONMENT) != NULL;
    symbolic = map_descriptor(MZ_PLAN_ENVIRONMENT, PROT_READ, sizeof *symbolic);
    if (symbolic)
        check_plan();
    else if (wanted) /* rather not at all than without constraints */
        _exit(MZ_PLAN_EXIT_DIVERGED);
    mz__count_processors();
    mz__begin_recording(
        map_descriptor(MZ_RECORD_ENVIRONMENT, PROT_READ | PROT_WRITE, sizeof(mz_record_header)));
    if (symbolic) {
        use_flags(plan_number(0)->flags);
        mz__become(0);
    }
    if (symbolic && symbolic->guard_count == 0)
        apply(0);
}
