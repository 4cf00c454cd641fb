/* Words for reports: what threads are about to do, what they wait for, and the values of locations. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "program/describe/heap_names.h"
#include "program/describe/names.h"
#include "program/machine/describe.h"
#include "program/order/held.h"
#include "program/order/lock_callers.h"
#include "program/runtime/guards.h"
#include "program/runtime/reuse.h"
#include "program/runtime/sections.h"
#include "program/symbols/symbols.h"
#include "program/world/named_locations.h"
#include "program/world/object_states.h"
#include "program/world/world.h"

static void add_name(uintptr_t address, size_t size, mz_text *out)
{
    mz_value_type kind;
    mz__name_data(address, size, out, &kind);
}

/* What is no memory of the program: see endings.h. */
static void add_event_name(uintptr_t address, mz_text *out)
{
    uint32_t thread = (uint32_t)((address - MZ__STACK_BASE(0)) / MZ__STACK_BYTES);
    if (address == MZ__STACK_BASE(0) + MZ__SIGNALS_NAME) {
        mz_text_add(out, "signals");
        return;
    }
    if (address == MZ__STACK_BASE(thread) + MZ__FILE_NAME || address == MZ__STACK_BASE(0) + MZ__NAMES_NAME) {
        mz_text_add(out, address == MZ__STACK_BASE(0) + MZ__NAMES_NAME ? "names of files" : "a file");
        return;
    }
    if (address == MZ__STACK_BASE(thread) + MZ__QUEUE_NAME) {
        mz_text_add(out, "those who wait for a futex");
        return;
    }
    mz_text_add(out, "the %s of thread %u", address == mz__end_of(thread) ? "end" : "cancellation", thread);
}

static void add_cell_name(const mz__cell *cell, mz_text *out)
{
    if (mz__is_only_a_name(cell->address))
        add_event_name(cell->address, out);
    else if (cell->object)
        mz__name_object(cell->address, out);
    else
        add_name(cell->address, cell->size, out);
}

/* The operation that a report is about: its values are asked for next. */
static struct {
    const char *verb;
    uint32_t first, second; /* locations; a condition variable comes before its mutex */
    uintptr_t address;      /* of its data */
    uint32_t size;
    bool ends; /* after it that memory is gone, which has this name */
    mz_text name;
    mz_threads waiting; /* those that somebody has to wake */
} described = {.verb = "", .first = UINT32_MAX, .second = UINT32_MAX};

/* The locations whose values are to be told as the operation of the step leaves them. */
static struct {
    mz_access *accesses;
    mz_text *values;
    size_t access_capacity, value_capacity;
    uint32_t count;
    bool are_known;
} watched;

static void watch_nothing(void)
{
    for (uint32_t i = 0; i < watched.count; i++)
        mz_text_release(&watched.values[i]);
    watched.count = 0;
    watched.are_known = false;
    mz__w.overdue_at_first = MZ__ON_TIME;
}

void mz_native_describe_all(mz_machine *machine)
{
    (void)machine;
    watch_nothing();
    mz_text_clear(&described.name);
    described.first = described.second = UINT32_MAX;
    described.verb = "";
    described.size = 0;
    described.ends = false;
}

/* Its data may consist of several cells, since other accesses have had other sizes. To a reader it is one
 * variable, told with the first of them. */
static bool is_part_of_described(const mz__cell *cell)
{
    return !cell->object && cell->size < described.size && described.size <= sizeof(__int128) &&
           cell->address - described.address < described.size;
}

static mz_threads waiting_to_be_woken(void)
{
    mz_threads found = MZ_NO_THREADS;
    for (uint32_t t = 0; t < mz__w.birth_count; t++)
        if (mz__w.threads[t].life == MZ__ALIVE && mz__w.threads[t].cold.waits_for)
            found |= mz_threads_of(t);
    return found;
}

static void note_described(const mz__pending *p)
{
    bool relocks =
        (p->kind == MZ_OP_LOCK || p->kind == MZ_OP_ACQUIRE) && strcmp(p->verb, "pthread_cond_wait") == 0;
    watch_nothing();
    described.verb = p->verb;
    described.waiting = waiting_to_be_woken();
    described.address = p->address;
    described.size = p->size;
    described.ends = p->frees;
    mz_text_clear(&described.name);
    if (p->frees)
        add_name(p->address, 0, &described.name);
    described.first = p->access_count > 0 && !relocks ? p->accesses[0].location : UINT32_MAX;
    described.second = relocks               ? p->accesses[0].location
                       : p->access_count > 1 ? p->accesses[1].location
                                             : UINT32_MAX;
}

void mz__describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position)
{
    (void)machine;
    const mz__thread *t = &mz__w.threads[thread];
    const mz__pending *p = &t->pending;
    note_described(p);
    mz__position_of_thread(t, position);
    mz_text_add(out, "%s", p->verb);
    if (p->kind == MZ_OP_JOIN || p->guard == MZ__ENDED_OR_CANCEL) {
        mz_text_add(out, "(thread %u)", p->joins);
    } else if (p->access_count > 0 && mz__w.cells[p->accesses[0].location].object) {
        mz_text_add(out, "(");
        add_cell_name(&mz__w.cells[p->accesses[0].location], out);
        mz_text_add(out, ")");
    } else if (p->size > 0) {
        mz_text_add(out, " ");
        add_name(p->address, p->size, out);
    }
}

/* " since line 12", " since queue.c:12" */
static void add_held_since(const mz__pending *p, const mz__thread *t, mz_text *out)
{
    mz_position place, here;
    uint32_t holder = mz__holder_of(p);
    uintptr_t pc = holder > 0 ? mz__held_since(&mz__w.threads[holder - 1], (const void *)p->address) : 0;
    if (!pc)
        return;
    mz__position_in_program(pc, &place);
    mz__position_of_thread(t, &here);
    if (place.file && here.file && strcmp(place.file, here.file) == 0)
        mz_text_add(out, " since line %u", place.line);
    else if (place.file)
        mz_text_add(out, " since %s:%u", place.file, place.line);
    mz__add_callers_of_taking(&mz__w.threads[holder - 1], (const void *)p->address, out);
    if (mz__w.threads[holder - 1].life == MZ__FINISHED)
        mz_text_add(out, ", which has ended");
}

/* ", held for reading by thread 1 (locked at queue.c:12) and thread 2" */
static void add_readers(const mz__rwlock *lock, mz_text *out)
{
    const char *before = ", held for reading by thread ";
    for (uint32_t u = 0; u < mz__w.birth_count; u++) {
        const mz__thread *t = &mz__w.threads[u];
        if (!mz__reads_under(t, lock))
            continue;
        mz_text_add(out, "%s%u", before, u);
        mz__add_held_since(t, lock, out);
        before = " and thread ";
    }
}

void mz__describe_wait(mz_machine *machine, uint32_t thread, mz_text *out)
{
    (void)machine;
    const mz__thread *t = &mz__w.threads[thread];
    const mz__pending *p = &t->pending;
    mz_position place;
    if (p->kind == MZ_OP_JOIN || p->guard == MZ__ENDED_OR_CANCEL) {
        mz_text_add(out, "the end of thread %u", p->joins);
    } else if (p->kind == MZ_OP_BOUNDARY) {
        mz_text_add(out, "the others, at its loop boundary");
    } else if (p->guard == MZ__MUTEX_CHANGED) {
        mz_text_add(out, "a change of what it looks at under ");
        add_cell_name(&mz__w.cells[p->accesses[0].location], out);
    } else if (p->guard == MZ__CHANGED || p->guard == MZ__NOT_IN_VAIN || p->guard == MZ__SECTION_CHANGED) {
        mz_text_add(out, p->access_count > 0 ? "a change of " : "nothing that others could do");
        for (uint32_t i = 0; i < p->access_count; i++) {
            mz_text_add(out, "%s", i ? " or " : "");
            add_cell_name(&mz__w.cells[p->accesses[i].location], out);
        }
    } else if (p->guard == MZ__SECTION && p->verb == mz__std_lock) {
        mz_text_add(out, "all the locks of its %s to be free", mz__std_lock);
    } else if (p->guard == MZ__SECTION) {
        mz_text_add(out, "what its atomic section assumes");
    } else {
        uint32_t cell;
        mz__cells_of(p->address, 1, true, &cell);
        add_cell_name(&mz__w.cells[cell], out);
        mz__describe_holder(p, thread, out);
        add_held_since(p, t, out);
        if (p->guard == MZ__WRITABLE && !mz__holder_of(p))
            add_readers((const void *)p->address, out);
        if (p->guard == MZ__POSITIVE || p->guard == MZ__SEMAPHORE_OR_CANCEL)
            mz__add_posters((const void *)p->address, thread, out);
        if (p->guard == MZ__WOKEN)
            mz_text_add(out, ", which nobody %s",
                        strstr(p->verb, "cond")         ? "signals"
                        : strcmp(p->verb, "futex") == 0 ? "wakes"
                                                        : "completes");
    }
    mz__position_of_thread(t, &place);
    if (place.file)
        mz_text_add(out, " (%s:%u", place.file, place.line);
    if (place.file) {
        mz__add_callers_of_wait(t, out);
        mz_text_add(out, ")");
    }
}

void mz__describe_location(const mz_machine *machine, uint32_t location, mz_text *out)
{
    (void)machine;
    const mz__cell *cell = &mz__w.cells[location];
    if (is_part_of_described(cell) && cell->address == described.address)
        add_name(cell->address, described.size, out);
    else
        add_cell_name(cell, out);
}

static void add_holder(int32_t owner, mz_text *out)
{
    if (owner)
        mz_text_add(out, "thread %d", owner - 1);
    else
        mz_text_add(out, "free");
}

/* Which kind of object it is, the operation that was described last tells. */
static void add_object_value(uint32_t location, mz_text *out)
{
    const void *object = (const void *)mz__w.cells[location].address;
    const char *verb = described.verb;
    if (MZ__BLOCK_OF_NAME((uintptr_t)object) != (uintptr_t)object)
        mz_text_add(out, mz__may_be_taken(MZ__BLOCK_OF_NAME((uintptr_t)object)) ? "freed" : "in use");
    if (mz__is_only_a_name((uintptr_t)object))
        return;
    bool first = location == described.first, second = location == described.second;
    if ((first && strncmp(verb, "pthread_mutex", 13) == 0) ||
        (second && strcmp(verb, "pthread_cond_wait") == 0)) {
        add_holder(((const mz__mutex *)object)->owner, out);
    } else if (first && strncmp(verb, "pthread_spin", 12) == 0) {
        add_holder(*(const int32_t *)object, out);
    } else if (first && strncmp(verb, "sem_", 4) == 0) {
        mz_text_add(out, "%u", *(const uint32_t *)object);
    } else if (first && strncmp(verb, "pthread_rwlock", 14) == 0) {
        const mz__rwlock *lock = object;
        if (lock->readers)
            mz_text_add(out, "%u reader%s", lock->readers, lock->readers == 1 ? "" : "s");
        else
            add_holder((int32_t)lock->writer, out);
    } else if (first && strncmp(verb, "pthread_barrier", 15) == 0) {
        const mz__barrier *barrier = object;
        mz_text_add(out, "%u of %u", barrier->arrived, barrier->needed);
    }
}

/* Of a function that has returned, in a thread that has ended or is elsewhere: what is there now is nobody's.
 */
static bool is_in_left_frame(uintptr_t address)
{
    uint32_t owner = mz__owner_of_stack(address);
    if (address - MZ__ARENA >= MZ__ARENA_BYTES || address - MZ__ARENA < MZ__HEAPS ||
        owner >= mz__w.state.thread_count)
        return false;
    const mz__thread *t = &mz__w.threads[owner];
    return t->returned || (t->life == MZ__ALIVE && address < t->entry_sp);
}

static void add_value(uint32_t location, mz_text *out)
{
    const mz__cell *cell = &mz__w.cells[location];
    if (is_in_left_frame(cell->address)) {
        mz_text_add(out, "gone");
        return;
    }
    if (cell->object) {
        add_object_value(location, out);
        return;
    }
    bool is_part = is_part_of_described(cell);
    if (described.ends || (is_part && cell->address != described.address))
        return;
    uint32_t size = is_part ? described.size : cell->size;
    mz_text name = {0};
    mz_value_type kind;
    mz__name_data(cell->address, size, &name, &kind);
    mz_text_release(&name);
    mz__add_value((const void *)cell->address, size, kind, out);
}

/* Values after an operation. Its step goes on with local work, which may write over them. */
static void note_values(void)
{
    for (uint32_t i = 0; i < watched.count; i++)
        if (!watched.are_known)
            add_value(watched.accesses[i].location, &watched.values[i]);
    watched.are_known = true;
    mz__w.overdue_at_first = MZ__ON_TIME;
}

void mz__watch_values(mz_machine *machine, const mz_access *accesses, uint32_t count)
{
    (void)machine;
    watch_nothing();
    watched.accesses = mz_grow(watched.accesses, &watched.access_capacity, count, sizeof *watched.accesses);
    watched.values = mz_grow(watched.values, &watched.value_capacity, count, sizeof *watched.values);
    for (uint32_t i = 0; i < count; i++) {
        watched.accesses[i] = accesses[i];
        watched.values[i] = (mz_text){0};
    }
    watched.count = count;
    mz__w.operation_is_over = note_values;
    mz__w.overdue_at_first = count > 0 ? MZ__NARRATED : MZ__ON_TIME;
}

void mz__describe_value(const mz_machine *machine, uint32_t location, mz_text *out)
{
    (void)machine;
    for (uint32_t i = 0; watched.are_known && i < watched.count; i++)
        if (watched.accesses[i].location == location) {
            mz_text_add(out, "%s", mz_text_string(&watched.values[i]));
            return;
        }
    add_value(location, out);
}

static bool is_to_wake(const char *verb)
{
    return strstr(verb, "signal") || strstr(verb, "broadcast") || strcmp(verb, "futex wake") == 0;
}

void mz__describe_consequence(mz_machine *machine, mz_text *out)
{
    (void)machine;
    mz__learn_heap_names();
    mz_threads woken = described.waiting & ~waiting_to_be_woken();
    bool first = true;
    MZ_FOR_EACH_THREAD(t, woken)
    {
        mz_text_add(out, "%s%u", first ? "wakes thread " : " and ", t);
        first = false;
    }
    if (first && is_to_wake(described.verb))
        mz_text_add(out, "wakes nobody");
    if (described.ends)
        mz_text_add(out, "%s is gone", mz_text_string(&described.name));
}

/* The call that was given with --entry, for which the function of this name was generated; NULL: it was not.
 */
static const char *entry_call(const char *function)
{
    static const char generated[] = "mz_entry_";
    enum { SETUP_AND_FINALLY = 2 };
    if (strncmp(function, generated, sizeof generated - 1) != 0)
        return NULL;
    size_t number = strtoul(function + sizeof generated - 1, NULL, 10) - SETUP_AND_FINALLY;
    return number < mz__w.entry_call_count ? mz__w.entry_calls[number] : "";
}

/* As the program calls it, or by the function that it begins with: "worker(1)", if it gets a number. */
void mz__describe_thread(mz_machine *machine, uint32_t thread, mz_text *out)
{
    (void)machine;
    const mz__thread *t = &mz__w.threads[thread];
    mz_code_place place;
    enum { SMALL = 4096 };
    const char *call;
    if (t->cold.name[0]) {
        mz_text_add_readable(out, t->cold.name);
    } else if (thread == 0) {
        mz_text_add(out, "main");
    } else if (t->cold.start && mz_symbols_code(mz__w.symbols, (uintptr_t)t->cold.start, &place) &&
               place.function && strncmp(place.function, "std::", 5) != 0) { /* of C++: all begin there */
        call = entry_call(place.function);
        mz_text_add(out, "%s", call ? call : place.function);
        if (!call && (uintptr_t)t->cold.argument - 1 < SMALL - 1)
            mz_text_add(out, "(%lu)", (unsigned long)(uintptr_t)t->cold.argument);
    }
}
